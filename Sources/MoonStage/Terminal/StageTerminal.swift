import CMoonCurses
import Glibc
import Moonwire

/// A terminal, for the whole screen.
package enum StageTerminal {
  /// The reason that a terminal can't show a stage.
  package enum Problem: Error, Sendable, Equatable {
    /// The input or the output isn't a terminal.
    case notATerminal
    /// The system doesn't know this type of terminal.
    case unknownType(String)
    /// A terminal of this type can't move its cursor.
    case plainType(String)
    /// The system has no memory or descriptors left.
    case resources
  }

  /// Checks whether the terminal can show a stage.
  ///
  /// - Throws: ``Problem``
  package static func check(_ options: StageRun.Options) throws(Problem) {
    guard isatty(options.input) == 1, isatty(options.output) == 1 else { throw .notATerminal }
    let code = mcurses_check(options.output, options.type)
    if let problem = problem(code, options.type) { throw problem }
  }

  static func open(_ options: StageRun.Options) throws(Problem) {
    var shades = (0..<8).map { number in
      StageStyle.Color(rawValue: number).flatMap { options.theme.shades[$0] }.map { Int32($0) }
        ?? -1
    }
    let code = mcurses_open(
      options.input, options.output, options.type, options.hasColors, options.hasMouse, &shades)
    if let problem = problem(code, options.type) { throw problem }
  }

  private static func problem(_ code: mcurses_problem, _ type: String) -> Problem? {
    switch code {
    case mcurses_fine: nil
    case mcurses_unknown: .unknownType(type)
    case mcurses_plain: .plainType(type)
    default: .resources
    }
  }

  /// The text that was pasted last.
  static var pasted: String {
    var count: Int32 = 0
    let scalars = UnsafeBufferPointer(start: mcurses_paste(&count), count: Int(count))
    var text = String.UnicodeScalarView()
    for case let scalar? in scalars.map(Unicode.Scalar.init) { text.append(scalar) }
    return String(text)
  }

  static var size: (columns: Int, rows: Int) {
    var (rows, columns): (Int32, Int32) = (1, 1)
    mcurses_size(&rows, &columns)
    return (Int(columns), Int(rows))
  }

  /// The size of a cell.
  static var cell: CellSize {
    var (width, height): (Int32, Int32) = (0, 0)
    mcurses_cell(&width, &height)
    return CellSize(width: Int(width), height: Int(height))
  }

  /// Shows a picture, of which only the rows that differ from the former one are written.
  static func show(_ canvas: Canvas, after former: Canvas?, _ images: inout TerminalImages) {
    if former == nil { images.forgetAll() }
    let isWhole = former.map { $0.columns != canvas.columns || $0.rows != canvas.rows } ?? true
    for row in 0..<canvas.rows {
      if !isWhole, let former, former.row(row) == canvas.row(row) { continue }
      mcurses_blank(Int32(row))
      for run in canvas.runs(of: row) where run.style != .plain || !run.text.isBlank {
        withCharacters(of: run.text) { characters, count in
          mcurses_put(Int32(row), Int32(run.column), characters, count, run.style.bits)
        }
      }
    }
    mcurses_show(Int32(canvas.cursor?.row ?? -1), Int32(canvas.cursor?.column ?? 0))
    send(images.commands(for: canvas))
  }

  private static func send(_ commands: String) {
    guard !commands.isEmpty else { return }
    withCharacters(of: commands) { characters, count in mcurses_send(characters, count) }
  }

  private static func withCharacters(
    of text: String, _ body: (UnsafePointer<CChar>?, Int32) -> Void
  ) {
    var text = text
    text.withUTF8 { bytes in
      bytes.withMemoryRebound(to: CChar.self) { body($0.baseAddress, Int32($0.count)) }
    }
  }
}

extension String {
  fileprivate var isBlank: Bool { utf8.allSatisfy { $0 == 0x20 } }
}

extension StageStyle {
  /// The style as ncurses is told.
  fileprivate var bits: Int32 {
    var bits = color?.rawValue ?? 0
    if isBold { bits |= Int32(mcurses_bold) }
    if isDim { bits |= Int32(mcurses_dim) }
    if isUnderlined { bits |= Int32(mcurses_underlined) }
    if isReversed { bits |= Int32(mcurses_reversed) }
    return bits
  }
}

extension StageKey {
  /// Makes the key of a character that a terminal sends.
  init(scalar code: UInt32) {
    switch code {
    case 0x1B: self = .escape
    case 0x0A, 0x0D: self = .enter
    case 0x09: self = .tab
    case 0x08, 0x7F: self = .backspace
    case 0x1F: self = .control("_")
    case 0x01...0x1A: self = .control(Character(Unicode.Scalar(UInt8(code) + 0x60)))
    case 0x20...:
      self = Unicode.Scalar(code).map { .character(Character($0)) } ?? .other
    default: self = .other
    }
  }

  /// Makes a key without a character.
  init(code: UInt32) {
    switch mcurses_name(rawValue: code) {
    case mcurses_up: self = .up
    case mcurses_down: self = .down
    case mcurses_left: self = .left
    case mcurses_right: self = .right
    case mcurses_home: self = .home
    case mcurses_end: self = .end
    case mcurses_page_up: self = .pageUp
    case mcurses_page_down: self = .pageDown
    case mcurses_backspace: self = .backspace
    case mcurses_delete: self = .delete
    case mcurses_back_tab: self = .backTab
    case mcurses_enter: self = .enter
    case mcurses_word_left: self = .wordLeft
    case mcurses_word_right: self = .wordRight
    case mcurses_select_left: self = .selecting(.left)
    case mcurses_select_right: self = .selecting(.right)
    case mcurses_select_up: self = .selecting(.up)
    case mcurses_select_down: self = .selecting(.down)
    case mcurses_select_home: self = .selecting(.home)
    case mcurses_select_end: self = .selecting(.end)
    default: self = code < 64 ? .function(Int(code)) : .other
    }
  }
}
