import Testing

@testable import MoonTerminal

/// Guides as a terminal shows them.
struct MarkdownTextTests {
  private func lines(_ text: String, columns: Int = 40, colored: Bool = false) -> [String] {
    let style = colored ? Style(.always, target: .other, environment: [:]) : .plain
    return MarkdownText(style, columns: columns) { "help \($0)" }.lines(text)
  }

  @Test(arguments: [
    ("# Title\n\n## Part", ["Title", "", "Part"]),
    ("one\ntwo", ["one two"]),
    ("a `code` and **bold** and *slanted*", ["a code and bold and slanted"]),
    ("2 * 3 * 4 and a*b", ["2 * 3 * 4 and a*b"]),
    ("see <doc:Types>, ``Host/call(_:_:)`` and", ["see help Types, Host.call and"]),
    ("[a page](../x.md), [a site](https://a.org)", ["a page, a site (https://a.org)"]),
    ("@Metadata {\n}\ntext\n<!-- hidden -->", ["", "text"]),
    ("```lua\nlocal x = `1`\n\n  * y\n```", ["    local x = `1`", "", "      * y"]),
    ("- one\n  goes on\n- two", ["• one goes on", "• two"]),
    ("1. one\n2. two", ["1. one", "2. two"]),
    ("| a | b |\n|---|---|\n| `x` | y\\|z |", ["a  b", "x  y|z"]),
    ("an open ` mark and [a] bracket", ["an open ` mark and [a] bracket"]),
    ("a \u{1B}[2J b", ["a \\u{1B}[2J b"]),
  ])
  func `marks become what they mean`(text: String, shown: [String]) {
    #expect(lines(text) == shown.drop { $0.isEmpty }.map(\.self) || lines(text) == shown)
  }

  @Test func `lines are as long as the terminal, and wide tables become paragraphs`() {
    let long = "| key | " + String(repeating: "word ", count: 20) + "|"
    let shown = lines("| a | b |\n|---|---|\n\(long)\n\n- " + String(repeating: "x ", count: 40))
    #expect(shown.allSatisfy { TerminalText.width(of: $0) <= 40 })
    #expect(shown.first == "key" && shown[1].hasPrefix("    word"))
    #expect(shown.contains { $0.hasPrefix("  x x") })
  }

  @Test func `headings are bold, and code has a colour on each of its words`() {
    #expect(
      lines("# A\nb `c d`", colored: true) == [
        "\u{1B}[1mA\u{1B}[0m", "b \u{1B}[36mc\u{1B}[0m \u{1B}[36md\u{1B}[0m",
      ])
  }
}
