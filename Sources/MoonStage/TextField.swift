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
  /// The other end of what is selected, which the cursor ends; nil if nothing is.
  private var anchor: Int?
  /// What was cut or deleted last, to be inserted elsewhere.
  private(set) var clip: String
  private var past: [Moment] = []
  /// Whether the last change was typing, which is undone as a whole.
  private var isTyping = false

  init(
    _ text: String = "", isMultiline: Bool = false, isSecret: Bool = false, clip: String = ""
  ) {
    self.clip = clip
    characters = Array(text)
    cursor = characters.count
    (self.isMultiline, self.isSecret) = (isMultiline, isSecret)
  }

  var text: String { String(characters) }

  /// The characters that are selected; nil if none are.
  private var selection: Range<Int>? {
    anchor.map { min($0, cursor)..<max($0, cursor) }
  }

  /// The number of bytes before the cursor.
  var bytesBeforeCursor: Int { String(characters[..<cursor]).utf8.count }

  /// Replaces the bytes from one on, up to the cursor.
  mutating func replace(fromByte start: Int, with text: String) {
    remember(typing: false)
    anchor = nil
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
    case .backspace, .control("h"): remove(selection ?? cursor - 1..<cursor)
    case .delete, .control("d"): remove(selection ?? cursor..<cursor + 1)
    case .control("w"): cut(selection ?? wordStart..<cursor)
    case .control("u"): cut(selection ?? lineStart..<cursor)
    case .control("k"): cut(selection ?? cursor..<lineEnd)
    case .control("x"):
      guard let selection else { return false }
      cut(selection)
    case .control("y"):
      guard !clip.isEmpty else { return false }
      return insert(clip)
    case .control("_"): undo()
    case .selecting(let direction): select(direction)
    case .left, .control("b"): move(to: selection?.lowerBound ?? cursor - 1)
    case .right, .control("f"): move(to: selection?.upperBound ?? cursor + 1)
    case .wordLeft: move(to: wordStart)
    case .wordRight: move(to: wordEnd)
    case .home, .control("a"): move(to: lineStart)
    case .end, .control("e"): move(to: lineEnd)
    case .up where isMultiline && lineStart > 0: moveUp()
    case .down where isMultiline && lineEnd < characters.count: moveDown()
    default: return false
    }
    return true
  }

  /// Inserts text at the cursor or in place of what is selected; returns false if there isn't room
  /// for all of it.
  @discardableResult
  mutating func insert(_ text: String, typing: Bool = false) -> Bool {
    remember(typing: typing && anchor == nil)
    if let selection { take(out: selection) }
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

  /// Removes characters as one change, and keeps them to be inserted elsewhere.
  private mutating func cut(_ range: Range<Int>) {
    // A password isn't shown anywhere.
    if !range.isEmpty, !isSecret { clip = String(characters[range]) }
    remove(range)
  }

  /// Removes characters as one change; none beyond the ends of the text.
  private mutating func remove(_ range: Range<Int>) {
    let range = range.clamped(to: characters.indices)
    guard !range.isEmpty else { return }
    remember(typing: false)
    take(out: range)
  }

  private mutating func take(out range: Range<Int>) {
    characters.removeSubrange(range)
    (cursor, anchor) = (range.lowerBound, nil)
  }

  private mutating func undo() {
    guard let former = past.popLast() else { return }
    (characters, cursor, isTyping) = (former.characters, former.cursor, false)
    anchor = nil
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
    (anchor, isTyping) = (nil, false)
  }

  /// Moves the cursor, and selects what it passes.
  private mutating func select(_ direction: StageKey.Direction) {
    let start = anchor ?? cursor
    switch direction {
    case .left: move(to: cursor - 1)
    case .right: move(to: cursor + 1)
    case .home: move(to: lineStart)
    case .end: move(to: lineEnd)
    case .up: if lineStart > 0 { moveUp() } else { move(to: 0) }
    case .down: if lineEnd < characters.count { moveDown() } else { move(to: characters.count) }
    }
    anchor = start == cursor ? nil : start
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

  private var wordEnd: Int {
    var place = cursor
    while place < characters.count, characters[place].isWhitespace { place += 1 }
    while place < characters.count, !characters[place].isWhitespace { place += 1 }
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

  /// What fits a field.
  struct Shown {
    var rows: [String] = []
    /// The columns of what is selected in each row.
    var selected: [Range<Int>] = []
    /// The place of the cursor.
    var row = 0
    var column = 0
  }

  /// Returns what fits a field.
  func shown(width: Int, rowCount: Int) -> Shown {
    let lines = characters.split(separator: "\n", omittingEmptySubsequences: false)
    let row = characters[..<cursor].reduce(0) { $1 == "\n" ? $0 + 1 : $0 }
    let firstRow = max(0, row - rowCount + 1)
    var shown = Shown(row: row - firstRow)
    for (index, line) in lines.dropFirst(firstRow).prefix(rowCount).enumerated() {
      let isCurrent = firstRow + index == row
      let window = window(line, around: isCurrent ? cursor : line.startIndex, width: width)
      if isCurrent { shown.column = window.before }
      shown.rows.append(window.text)
      shown.selected.append(window.selected)
    }
    return shown
  }

  /// Returns the part of a line around a place, the width before that place, and the columns of
  /// what is selected.
  private func window(
    _ line: ArraySlice<Character>, around place: Int, width: Int
  ) -> (text: String, before: Int, selected: Range<Int>) {
    func cell(_ index: Int) -> String {
      isSecret ? "•" : ColumnWidths.sanitized(String(line[index]))
    }
    var first = place
    var before = 0
    // The cursor stands at most in the last column.
    while first > line.startIndex {
      let step = ColumnWidths.width(of: cell(first - 1))
      guard before + step < width else { break }
      before += step
      first -= 1
    }
    var text = ""
    var used = 0
    var selected: Range<Int>?
    for index in first..<line.endIndex {
      let cell = cell(index)
      let step = ColumnWidths.width(of: cell)
      guard used + step <= width else { break }
      if selection?.contains(index) ?? false {
        selected = (selected?.lowerBound ?? used)..<used + step
      }
      text += cell
      used += step
    }
    return (text, before, selected ?? 0..<0)
  }
}

extension Canvas {
  /// Writes a row of a field, with what is selected in reverse.
  mutating func put(
    _ shown: TextField.Shown, line: Int, row: Int, column: Int, _ style: StageStyle = .plain,
    width: Int
  ) {
    guard shown.rows.indices.contains(line) else { return }
    put(shown.rows[line], row: row, column: column, style, width: width)
    let selected = shown.selected[line]
    restyle(row: row, column: column + selected.lowerBound, width: selected.count) {
      $0.isReversed.toggle()
    }
  }
}
