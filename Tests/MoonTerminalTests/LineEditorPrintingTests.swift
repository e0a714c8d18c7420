import MoonTerminal
import MoonTestSupport
import Testing

extension LineEditorTests {
  @Suite struct Printing {
    @Test func `a text stands above the partly typed line`() throws {
      let session = try EditorSession()
      try session.prompt()
      session.type("abc")
      try session.expect(["> abc"])
      session.editor.printAbove("from afar")
      try session.wait("the text above") {
        $0.lines == ["from afar", "> abc"] && $0.row == 1 && $0.column == 5
      }
      session.editor.printAbove("an error\nof two lines\n", to: .error)
      try session.expect(["from afar", "an error", "of two lines", "> abc"])
      session.type("\r")
      #expect(try session.answer() == .line("abc"))
    }

    @Test func `the cursor stays where it was in a line of several rows`() throws {
      let session = try EditorSession(columns: 10)
      try session.prompt()
      session.type("0123456789abcdef\u{1}\u{1B}[C")
      try session.wait("the cursor") {
        $0.lines == ["> 01234567", "89abcdef"] && $0.row == 0 && $0.column == 3
      }
      session.editor.printAbove("text")
      try session.wait("the cursor below the text") {
        $0.lines == ["text", "> 01234567", "89abcdef"] && $0.row == 1 && $0.column == 3
      }
      session.type("X\r")
      #expect(try session.answer() == .line("0X123456789abcdef"))
    }

    @Test func `a text comes amid a search through the history`() throws {
      let session = try EditorSession()
      #expect(try session.read("first\r") == .line("first"))
      try session.prompt()
      session.type("\u{12}fir")
      try session.expect(["> first", "> first", "bck:fir"])
      session.editor.printAbove("news")
      try session.expect(["> first", "news", "> first", "bck:fir"])
      session.type("\r")
      #expect(try session.answer() == .line("first"))
    }

    @Test func `the prompt changes in front of the partly typed line`() throws {
      let session = try EditorSession()
      try session.prompt("app> ")
      session.type("abc\u{1}")
      try session.wait("the cursor") { $0.lines == ["app> abc"] && $0.column == 5 }
      session.editor.replacePrompt("app> ", with: "\u{1B}[31mapp!\u{1B}[0m [Größe]> ")
      try session.wait("the new prompt") { $0.lines == ["app! [Größe]> abc"] && $0.column == 14 }
      // The prompt isn't that one any more.
      session.editor.replacePrompt("app> ", with: "wrong> ")
      session.editor.printAbove("text")
      try session.expect(["text", "app! [Größe]> abc"])
      session.type("x\r")
      #expect(try session.answer() == .line("xabc"))
      // No line is being typed, and the next has its own prompt.
      session.editor.replacePrompt("app> ", with: "wrong> ")
      try session.prompt("app> ")
      try session.expect(["text", "app! [Größe]> xabc", "app>"])
    }

    @Test func `without a line being typed a text is written as it is`() throws {
      let session = try EditorSession()
      session.editor.printAbove("one ")
      session.editor.printAbove("two")
      try session.wait("the texts") { $0.lines == ["one two"] && $0.column == 7 }
      try session.prompt()
      try session.expect(["one two", ">"])
    }

    @Test func `texts of many threads all arrive and the line survives`() async throws {
      let session = try EditorSession(columns: 40, rows: 1_000)
      try session.prompt()
      session.type("typed")
      try session.expect(["> typed"])
      let editor = session.editor
      await withTaskGroup(of: Void.self) { group in
        for thread in 0..<4 {
          group.addTask { for n in 0..<50 { editor.printAbove("t\(thread) \(n)") } }
        }
      }
      try session.wait("all texts") { $0.lines.count == 201 && $0.lines.last == "> typed" }
      for thread in 0..<4 {
        let own = session.screen.lines.filter { $0.hasPrefix("t\(thread) ") }
        #expect(own == (0..<50).map { "t\(thread) \($0)" })
      }
      session.type("\r")
      #expect(try session.answer() == .line("typed"))
    }

    @Test(arguments: 0..<30 as Range<UInt64>)
    func `the screen is that of a slow model, whatever is typed and printed`(
      seed: UInt64
    ) throws {
      var random = SplitMix64(seed: seed)
      let columns = Int.random(in: 8...30, using: &random)
      let session = try EditorSession(columns: columns, rows: 200)
      var model = LineModel(columns: columns, prompt: "日> ")
      try session.prompt(model.prompt)
      for _ in 0..<40 {
        switch random.below(10) {
        case 0..<5:
          let letter = "abc ünd日本語🙂".randomElement(using: &random) ?? "a"
          model.insert(letter)
          session.type(String(letter))
        case 5, 6:
          if model.moveLeft() { session.type("\u{1B}[D") }
        case 7:
          if model.delete() { session.type("\u{7F}") }
        default:
          let text = String(repeating: "T", count: .random(in: 1..<columns, using: &random))
          model.above.append(text)
          session.editor.printAbove(text)
        }
        // Both sides settle after each step, so that a difference identifies its cause.
        try session.wait("seed \(seed), \(columns) columns:\n\(model)") { screen in
          screen.lines == model.lines && screen.row == model.cursor.row
            && screen.column == model.cursor.column
        }
      }
      session.type("\r")
      #expect(try session.answer() == .line(String(model.line)))
    }
  }
}

/// The expected screen, computed from the rules alone.
private struct LineModel: CustomStringConvertible {
  let columns: Int
  let prompt: String
  var above: [String] = []
  var line: [Character] = []
  var position = 0

  init(columns: Int, prompt: String) {
    self.columns = columns
    self.prompt = prompt
  }

  var lines: [String] {
    var rows = layout(Array(prompt) + line)
    while rows.last?.isEmpty == true { rows.removeLast() }
    return above + rows
  }

  var cursor: (row: Int, column: Int) {
    var before = Array(prompt) + line[..<position]
    // The cursor is on the next character, or where that would be.
    let next = position < line.count ? line[position] : "x"
    before.append(next)
    var (row, column) = (0, 0)
    for character in before {
      let width = TerminalText.width(of: String(character))
      if column + width > columns { (row, column) = (row + 1, 0) }
      column += width
    }
    return (above.count + row, column - TerminalText.width(of: String(next)))
  }

  var description: String { lines.joined(separator: "\n") + "\ncursor \(cursor)" }

  mutating func insert(_ character: Character) {
    line.insert(character, at: position)
    position += 1
  }

  mutating func moveLeft() -> Bool {
    guard position > 0 else { return false }
    position -= 1
    return true
  }

  mutating func delete() -> Bool {
    guard moveLeft() else { return false }
    line.remove(at: position)
    return true
  }

  private func layout(_ characters: [Character]) -> [String] {
    var rows = [""]
    var column = 0
    for character in characters {
      let width = TerminalText.width(of: String(character))
      if column + width > columns {
        rows.append("")
        column = 0
      }
      rows[rows.count - 1].append(character)
      column += width
    }
    return rows.map { row in
      var row = row[...]
      while row.last == " " { row.removeLast() }
      return String(row)
    }
  }
}
