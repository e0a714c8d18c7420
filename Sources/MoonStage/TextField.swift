import Moonwire

/// A text that a person edits.
struct TextField: Equatable, Sendable {
  /// The maximum number of changes that can be undone.
  static let undoCountMax = 100
  /// The maximum number of characters, that of any text of a card.
  static let lengthMax = Card.textBytesMax

  private struct Moment: Equatable {
    var characters: [Character]
    var cursor: Int
  }

  private(set) var characters: [Character]
  private(set) var cursor: Int
  let isMultiline: Bool
  let isSecret: Bool
  private var past: [Moment] = []
  /// Whether the last change was typing, which is undone as a whole.
  private var isTyping = false

  init(_ text: String = "", isMultiline: Bool = false, isSecret: Bool = false) {
    characters = Array(text)
    cursor = characters.count
    (self.isMultiline, self.isSecret) = (isMultiline, isSecret)
  }

  var text: String { String(characters) }

  /// The number of bytes before the cursor.
  var bytesBeforeCursor: Int { String(characters[..<cursor]).utf8.count }

  /// Replaces the bytes from one on, up to the cursor.
  mutating func replace(fromByte start: Int, with text: String) {
    remember(typing: false)
    let before = String(
      decoding: Array(String(characters[..<cursor]).utf8.prefix(start)), as: UTF8.self)
    let rest = characters[cursor...]
    let new = Array(before + text)
    characters = new + rest
    cursor = new.count
  }

  /// Takes a key; returns false if it has no meaning in the text.
  mutating func take(_ key: StageKey) -> Bool {
    switch key {
    case .character(let character): return insert(String(character), typing: true)
    case .enter where isMultiline: return insert("\n", typing: false)
    case .backspace, .control("h"): remove(from: cursor - 1, to: cursor)
    case .delete, .control("d"): remove(from: cursor, to: cursor + 1)
    case .control("w"): remove(from: wordStart, to: cursor)
    case .control("u"): remove(from: lineStart, to: cursor)
    case .control("k"): remove(from: cursor, to: lineEnd)
    case .control("_"): undo()
    case .left, .control("b"): move(to: cursor - 1)
    case .right, .control("f"): move(to: cursor + 1)
    case .home, .control("a"): move(to: lineStart)
    case .end, .control("e"): move(to: lineEnd)
    case .up where isMultiline && lineStart > 0: moveUp()
    case .down where isMultiline && lineEnd < characters.count: moveDown()
    default: return false
    }
    return true
  }

  /// Inserts text at the cursor; returns false if there isn't room for all of it.
  @discardableResult
  mutating func insert(_ text: String, typing: Bool = false) -> Bool {
    remember(typing: typing)
    let room = Self.lengthMax - characters.count
    var new: [Character] = []
    for character in text {
      guard new.count < room else { break }
      switch character {
      case "\r\n", "\n", "\r":
        if isMultiline { new.append("\n") } else if !new.isEmpty { new.append(" ") }
      case "\t": new.append(" ")
      // Other characters that a terminal obeys aren't typed, and don't belong into a pasted text.
      case _ where character.unicodeScalars.contains { $0.properties.generalCategory == .control }:
        continue
      default: new.append(character)
      }
    }
    characters.insert(contentsOf: new, at: cursor)
    cursor += new.count
    return new.count < room || room > 0 && new.count == text.count
  }

  private mutating func remove(from start: Int, to end: Int) {
    guard start >= 0, end <= characters.count, start < end else { return }
    remember(typing: false)
    characters.removeSubrange(start..<end)
    cursor = start
  }

  private mutating func undo() {
    guard let former = past.popLast() else { return }
    (characters, cursor, isTyping) = (former.characters, former.cursor, false)
  }

  private mutating func remember(typing: Bool) {
    defer { isTyping = typing }
    guard !(typing && isTyping) else { return }
    if past.count == Self.undoCountMax { past.removeFirst() }
    past.append(Moment(characters: characters, cursor: cursor))
  }

  // MARK: Places

  private mutating func move(to place: Int) {
    cursor = min(max(0, place), characters.count)
    isTyping = false
  }

  private var lineStart: Int {
    (characters[..<cursor].lastIndex(of: "\n") ?? -1) + 1
  }

  private var lineEnd: Int { characters[cursor...].firstIndex(of: "\n") ?? characters.count }

  private var wordStart: Int {
    var place = cursor
    while place > 0, characters[place - 1].isWhitespace { place -= 1 }
    while place > 0, !characters[place - 1].isWhitespace { place -= 1 }
    return place
  }

  private mutating func moveUp() {
    let (start, offset) = (lineStart, cursor - lineStart)
    cursor = start - 1
    move(to: min(lineStart + offset, start - 1))
  }

  private mutating func moveDown() {
    let offset = cursor - lineStart
    cursor = lineEnd + 1
    move(to: min(cursor + offset, lineEnd))
  }

  // MARK: Showing

  /// Returns what fits a field, and the place of the cursor in it.
  func shown(width: Int, rowCount: Int) -> (rows: [String], row: Int, column: Int) {
    let lines = characters.split(separator: "\n", omittingEmptySubsequences: false)
    let row = characters[..<cursor].reduce(0) { $1 == "\n" ? $0 + 1 : $0 }
    let firstRow = max(0, row - rowCount + 1)
    var column = 0
    let rows = lines.dropFirst(firstRow).prefix(rowCount).enumerated().map { index, line in
      let isCurrent = firstRow + index == row
      let place = isCurrent ? cursor - lineStart : 0
      let (text, before) = Self.window(line, around: place, width: width, isSecret: isSecret)
      if isCurrent { column = before }
      return text
    }
    return (rows, row - firstRow, column)
  }

  /// Returns the part of a line around a place, and the width before that place.
  private static func window(
    _ line: ArraySlice<Character>, around place: Int, width: Int, isSecret: Bool
  ) -> (text: String, before: Int) {
    let cells = line.map { isSecret ? "•" : ColumnWidths.sanitized(String($0)) }
    var first = place
    var before = 0
    // The cursor stands at most in the last column.
    while first > 0 {
      let step = ColumnWidths.width(of: cells[first - 1])
      guard before + step < width else { break }
      before += step
      first -= 1
    }
    var text = ""
    var used = 0
    for cell in cells[first...] {
      let step = ColumnWidths.width(of: cell)
      guard used + step <= width else { break }
      text += cell
      used += step
    }
    return (text, before)
  }
}
