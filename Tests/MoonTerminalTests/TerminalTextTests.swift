import Testing

@testable import MoonTerminal

struct TerminalTextTests {
  @Test(arguments: [
    ("", 0), ("abc", 3), ("grün", 4), ("日本", 4), ("e\u{301}", 1), ("🙂", 2), ("a\tb", 2),
    ("\u{1B}[1;31mred\u{1B}[0m", 3), ("\u{1B}[38;5;7mx\u{1B}[m", 1), ("\u{1B}[2J", 3),
  ])
  func `width counts columns`(text: String, width: Int) {
    #expect(TerminalText.width(of: text) == width)
  }

  @Test(arguments: [
    ("plain\n\ttext", "plain\n\ttext"),
    ("grün 日本 🙂", "grün 日本 🙂"),
    ("\u{1B}]0;title\u{7}", "\\u{1B}]0;title\\u{7}"),
    ("a\rb", "a\\rb"),
    ("a\r\nb", "a\\r\nb"),
    ("\u{9B}31m\u{7F}\u{0}", "\\u{9B}31m\\u{7F}\\u{0}"),
    ("a\u{202E}b\u{2066}c\u{200F}", "a\\u{202E}b\\u{2066}c\\u{200F}"),
    ("a\u{2028}b", "a\\u{2028}b"),
    ("👩\u{200D}🚀", "👩\u{200D}🚀"),
  ])
  func `text of unknown origin cannot steer the terminal`(text: String, safe: String) {
    #expect(TerminalText.sanitized(text) == safe)
  }

  @Test(arguments: [
    ("plain", "plain"), ("a\nb\tc", "a b c"), ("a\r\nerror: b", "a\\r error: b"),
    ("\u{1B}[2J\n", "\\u{1B}[2J "), ("a\u{2028}b", "a\\u{2028}b"), ("👩\u{200D}🚀", "👩\u{200D}🚀"),
  ])
  func `text within a line stays within it`(text: String, line: String) {
    #expect(TerminalText.singleLine(text) == line)
  }

  @Test(arguments: [
    ("net:example.com", "net:example.com"), ("grün 日本", "grün 日本"),
    ("a\u{200B}b\u{FEFF}\nc", "a\\u{200B}b\\u{FEFF} c"), ("a\u{202E}b", "a\\u{202E}b"),
    ("a\u{AD}\u{3164}\u{E0041}", "a\\u{AD}\\u{3164}\\u{E0041}"), ("e\u{301}", "e\u{301}"),
  ])
  func `what isn't seen is shown where a person decides`(text: String, shown: String) {
    #expect(TerminalText.exposed(text) == shown)
  }

  @Test func `text on several lines is indented`() {
    #expect(TerminalText.indented("a\n\u{7}b\n", by: 2) == "a\n  \\u{7}b\n  ")
  }

  @Test func `every control is escaped but newline and tab`() {
    for value in [UInt32](0...0x9F) {
      guard let scalar = Unicode.Scalar(value) else { continue }
      let safe = TerminalText.sanitized(String(scalar))
      let isKept = (0x20..<0x7F).contains(value) || scalar == "\n" || scalar == "\t"
      #expect((safe == String(scalar)) == isKept)
      #expect(!safe.unicodeScalars.contains { $0 != "\n" && $0 != "\t" && $0.value < 0x20 })
    }
  }

  @Test(arguments: [
    ("abc", 3, "abc"), ("abcd", 3, "ab…"), ("日本語", 5, "日本…"), ("日本語", 4, "日…"), ("abc", 1, "…"),
    ("abc", 0, ""),
  ])
  func `clipped text fits and says that it was clipped`(text: String, columns: Int, clipped: String)
  {
    #expect(TerminalText.clipped(text, to: columns) == clipped)
  }

  @Test(arguments: [
    ("plain> ", "plain> "),
    ("\u{1B}[1mm\u{1B}[0m> ", "\u{1}\u{1B}[1m\u{1}m\u{1}\u{1B}[0m\u{1}> "),
    ("m\u{1B}[0m\u{1B}[2m> ", "m\u{1}\u{1B}[0m\u{1B}[2m\u{1}> "),
    ("\u{1B}[2mm> \u{1B}[0m", "\u{1}\u{1B}[2m\u{1}m>\u{1}\u{1B}[0m\u{1} "),
    ("\u{1B}[0m", ""),
    ("a\nb\u{1}\u{1B}[2Jc", "a b  [2Jc"),
  ])
  func `escapes of a prompt are set apart from what is seen`(prompt: String, marked: String) {
    #expect(PromptText(prompt).marked == marked)
  }

  @Test func `the terminal's width comes first, then COLUMNS, then a guess`() throws {
    let terminal = try PseudoTerminal(columns: 33, rows: 5)
    let environment = ["COLUMNS": "44"]
    #expect(TerminalSize.columns(of: terminal.slave, environment: environment) == 33)
    #expect(TerminalSize.columns(of: -1, environment: environment) == 44)
    #expect(TerminalSize.columns(of: -1, environment: ["COLUMNS": "no"]) == 80)
    #expect(TerminalSize.columns(of: -1, environment: ["COLUMNS": "-1"]) == 80)
  }
}
