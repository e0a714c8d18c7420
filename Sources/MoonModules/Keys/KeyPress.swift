import MoonActions

/// One press of a key, with the modifiers that are held, such as `ctrl+n`.
package struct KeyPress: Hashable, Sendable {
  /// A key that is held while another is pressed, in the order in which they are written.
  package enum Modifier: String, Sendable, CaseIterable {
    case ctrl, alt, shift
  }

  /// The names of keys that make no character.
  package static let names =
    [
      "enter", "tab", "escape", "space", "backspace", "delete", "insert", "home", "end", "page_up",
      "page_down", "up", "down", "left", "right",
    ] + (1...12).map { "f\($0)" } + [focus]

  /// The name of what isn't pressed, but happens when another control gets the focus.
  package static let focus = "focus"

  /// The keys that have the same meaning in all apps on the stage.
  package static let reservedOnStage: Set<String> = [
    "escape", "tab", "shift+tab", "enter", "up", "down", ":", "?", "ctrl+c", "ctrl+l", "ctrl+p",
    "ctrl+q", "ctrl+z", "f1", "f12",
  ]

  /// Other words for keys, with the names that they have here.
  private static let otherNames = [
    "esc": "escape", "return": "enter", "del": "delete", "ins": "insert", "pgup": "page_up",
    "pageup": "page_up", "pgdn": "page_down", "pagedown": "page_down", "bs": "backspace",
    "control": "ctrl", "option": "alt", "meta": "alt", "opt": "alt", "plus": "+",
    "spacebar": "space",
  ]

  /// What terminals can't tell from another key.
  private static let same = ["ctrl+i": "tab", "ctrl+m": "enter", "ctrl+[": "escape"]

  /// The key as it is always written, such as `ctrl+alt+n`.
  package let text: String

  /// Reads a key: its modifiers and its name or character, with `+` between them.
  ///
  /// The result has one form for all ways to write the same key. Without `ctrl`, shift is a part of
  /// a letter: `shift+n` is `N`. With `ctrl`, the case of a letter doesn't matter.
  init(parsing word: Substring) throws(KeyError) {
    var parts = word.split(separator: "+", omittingEmptySubsequences: false).map(String.init)
    // The key is a plus, alone or after modifiers.
    if parts.count > 1, parts.suffix(2).allSatisfy(\.isEmpty) {
      parts.removeLast(2)
      parts.append("+")
    }
    let key = parts.popLast() ?? ""
    var held: Set<Modifier> = []
    for part in parts {
      guard let modifier = Modifier(rawValue: part.lowercased()) else {
        throw .unknownModifier(part, nearest: Self.nearest(part, Modifier.allCases.map(\.rawValue)))
      }
      guard held.insert(modifier).inserted else { throw .repeatedModifier(part) }
    }
    text = try Self.text(of: key, held)
  }

  private static func text(
    of key: String, _ modifiers: Set<Modifier>
  ) throws(KeyError) -> String {
    var (held, key) = (modifiers, key)
    if let first = key.first, key.count == 1 {
      guard !first.isWhitespace, key.unicodeScalars.allSatisfy(Self.isVisible) else {
        throw .unknownKey(key, nearest: nil)
      }
      key = try character(first, &held)
    } else {
      let name = key.lowercased()
      guard names.contains(name) else { throw .unknownKey(key, nearest: nearest(key, names)) }
      key = name
    }
    guard key != focus || held.isEmpty else { throw .notPressed }
    let text = (Modifier.allCases.filter(held.contains).map(\.rawValue) + [key])
      .joined(separator: "+")
    return same[text] ?? text
  }

  /// Returns a character as it is written, and takes from the modifiers what the character says.
  private static func character(
    _ first: Character, _ held: inout Set<Modifier>
  ) throws(KeyError) -> String {
    let (lower, upper) = (first.lowercased(), first.uppercased())
    guard lower != upper, upper.count == 1 else {
      // Which character shift makes depends on the keyboard.
      guard !held.contains(.shift) else { throw .shiftedCharacter(String(first)) }
      return String(first)
    }
    if held.contains(.ctrl) { return lower }
    return held.remove(.shift) == nil ? String(first) : upper
  }

  private static func isVisible(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .control, .format, .lineSeparator, .paragraphSeparator, .privateUse, .surrogate,
      .unassigned, .spaceSeparator:
      // Emoji are joined by a format character.
      scalar.value == 0x200D
    default: true
    }
  }

  private static func nearest(_ word: String, _ known: [String]) -> String? {
    if let name = otherNames[word.lowercased()] { return name }
    // Others write a hyphen between keys.
    let joined =
      word.contains("-") ? try? KeyPress(parsing: word.replacing("-", with: "+")[...]) : nil
    return joined?.text ?? Spelling.nearest(to: word, in: known)
  }
}

/// The reason that a text isn't a key.
package enum KeyError: Error, Equatable, Sendable {
  /// There is nothing in the text.
  case empty
  /// The focus is combined with other keys, although nobody presses it.
  case notPressed
  /// There are too many keys in a row.
  case tooLong
  /// No key has this name.
  case unknownKey(String, nearest: String?)
  /// What stands before a plus isn't a modifier.
  case unknownModifier(String, nearest: String?)
  /// A modifier is repeated.
  case repeatedModifier(String)
  /// Shift can't be combined with this character, which already implies whether it is held.
  case shiftedCharacter(String)
}

extension KeyError: CustomStringConvertible {
  /// One phrase: what is wrong, and what to write.
  package var description: String {
    switch self {
    case .empty: "no key is named: write one such as ctrl+n"
    case .notPressed: "'\(KeyPress.focus)' isn't pressed, and stands alone"
    case .tooLong: "at most \(KeySequence.lengthMax) keys can follow one another"
    case .unknownKey(let name, let nearest):
      "there is no key '\(name.prefix(40))'"
        + (nearest.map { ": did you mean \($0)?" }
          ?? ": write a character, or a name such as enter or f1")
    case .unknownModifier(let name, let nearest):
      "'\(name.prefix(40))' can't be held"
        + (nearest.map { ": did you mean \($0)?" } ?? ": write ctrl, alt or shift")
    case .repeatedModifier(let name): "'\(name)' stands there twice"
    case .shiftedCharacter(let character):
      "shift can't be held with '\(character)': write the character that both make"
    }
  }
}
