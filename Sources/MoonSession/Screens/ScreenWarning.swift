import MoonActions
package import MoonCards
import MoonModules
public import MoonValues

/// A part of a screen that is omitted or has no effect, with the place where it is written.
public struct ScreenWarning: Hashable, Sendable {
  /// The problem.
  package let warning: CardWarning
  /// The place of the word, or of the view if the word isn't found; nil for a screen without a
  /// view.
  public let place: SourcePlace?

  /// The known word with the most similar spelling, a documented one of `moon.ui` if there is one.
  package var nearest: String? {
    let known = warning.known.map(\.string)
    guard case .unknownField = warning else {
      return Spelling.nearest(to: warning.word.string, in: known)
    }
    let documented = Self.shortNames.filter { known.contains($0.value) }.map(\.key).sorted()
    return Spelling.nearest(to: warning.word.string, in: documented)
      ?? Spelling.nearest(to: warning.word.string, in: known)
  }

  /// The short names of fields, as in ui.lua.
  package static let shortNames = [
    "align": "horizontalAlignment", "alt": "altText", "disabled": "isEnabled",
    "inputs": "associatedInputs", "keep": "isKept", "multiline": "isMultiline",
    "multiple": "isMultiSelect", "required": "isRequired", "select": "selectAction",
    "subtle": "isSubtle", "visible": "isVisible",
  ]
}

extension ScreenWarning: CustomStringConvertible {
  /// One sentence: the place in the source and in the body, the problem, and a suggested spelling.
  public var description: String {
    (place.map { "\($0): " } ?? "") + "\(warning)"
      + (nearest.map { "; did you mean \($0)?" } ?? "")
  }
}

extension View {
  /// Returns the place of a word that the view drew; the view's own place if the word isn't found.
  func place(of word: Text) -> SourcePlace? {
    guard let start = registration.place, let find = findWord, !word.isEmpty else {
      return registration.place
    }
    // Options may have Lua's spelling, `max_lines` for `maxLines`.
    let spellings = [word.string, word.string.inLuaSpelling]
    return spellings.lazy.compactMap { find($0, start) }.first ?? start
  }
}

extension String {
  /// `max_lines` for `maxLines`.
  fileprivate var inLuaSpelling: String {
    map { $0.isUppercase ? "_\($0.lowercased())" : String($0) }.joined()
  }
}
