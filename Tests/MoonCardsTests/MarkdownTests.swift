import MoonTestSupport
import MoonValues
import Testing

@testable import MoonCards

/// The Markdown and the dates in texts of cards.
struct MarkdownTests {
  /// Returns the pieces of a text: `*bold*`, `/italic/`, `<link>`.
  private func pieces(_ text: String) -> String {
    MarkdownRuns.runs(text).map { run in
      var piece = run.text
      if run.isBold { piece = "<b>\(piece)</b>" }
      if run.isItalic { piece = "<i>\(piece)</i>" }
      return run.isLink ? "<a>\(piece)</a>" : piece
    }.joined()
  }

  @Test(arguments: [
    ("plain", "plain"), ("**a b** c", "<b>a b</b> c"), ("a *b* _c_", "a <i>b</i> <i>c</i>"),
    ("***a***", "<i><b>a</b></i>"), ("**a _b_ c**", "<b>a </b><i><b>b</b></i><b> c</b>"),
    ("snake_case_name", "snake_case_name"), ("2 * 3 * 4", "2 * 3 * 4"), ("**a", "**a"),
    ("a** b", "a** b"), ("*a **b*", "*a *<i>b</i>"), (#"\*a\*"#, "*a*"), (#"C:\dir"#, #"C:\dir"#),
    ("- one\n- two", "• one\n• two"), ("  * deep", "  • deep"), ("1. one", "1. one"),
    ("a - b", "a - b"), ("see [us](https://a.b/c).", "see <a>us</a> (https://a.b/c)."),
    ("[a] (b)", "[a] (b)"), ("[a](b c)", "[a](b c)"), ("[](x)", "[](x)"), ("[", "["),
    ("**日本**語", "<b>日本</b>語"), ("*", "*"), ("_", "_"), ("# no heading", "# no heading"),
  ])
  func `emphasis, links and lists are marked as in CommonMark`(text: String, shown: String) {
    #expect(pieces(text) == shown)
  }

  @Test(arguments: ["*", "_", "**a", "*a*", "[", "[](", "\\", "- ", "*_"])
  func `marks without end cost little`(piece: String) {
    let text = String(repeating: piece, count: Card.textBytesMax / piece.utf8.count)
    let shown = MarkdownRuns.runs(text).map(\.text).joined()
    if ["*", "_", "[", "[]("].contains(piece) { #expect(shown == text) }
    #expect(shown.utf8.count <= 2 * text.utf8.count)
  }

  @Test func `a card shows emphasis by role, unless the text has a color`() throws {
    let card = try Card([text("a **b** _c_"), text("a **b**", ("color", "good"))])
    let roles = card.lines(width: 40).map { $0.spans.map { "\($0.text)=\($0.role)" } }
    #expect(roles == [["a =plain", "b=strong", " =plain", "c=emphasis"], ["a b=good"]])
    #expect(
      try lines([["type": "FactSet", "facts": [["title": "a", "value": "**b**"]]]]) == ["a  b"])
  }

  @Test(arguments: [
    ("{{DATE(2026-01-31T09:30:00Z, SHORT)}}", "2026-01-31"),
    ("on {{DATE(2026-02-29T09:30:00Z)}}", "on {{DATE(2026-02-29T09:30:00Z)}}"),
    ("{{TIME(2024-02-29T23:30:00-01:00)}}", "00:30 UTC"),
    ("{{DATE(2024-02-29T23:30:00-01:00,LONG)}}!", "2024-03-01!"),
    ("{{DATE(1969-12-31T23:59:59Z)}}", "1969-12-31"),
    ("{{DATE(0001-01-01T00:00:00Z)}}", "0001-01-01"),
    ("{{DATE(9999-12-31T23:59:59-23:59)}}", "10000-01-01"),
    ("{{DATE(2026-01-31T09:30:00Z, TIME)}}", "{{DATE(2026-01-31T09:30:00Z, TIME)}}"),
    ("{{DATE(now)}} {{", "{{DATE(now)}} {{"), ("{{{{TIME(2026-01-31T09:30:00Z)}}", "{{09:30 UTC"),
  ])
  func `dates are shown, and what is none stays`(text: String, shown: String) throws {
    #expect(CardDate.shown(in: text, \.universal) == shown)
    #expect(try lines([.string(Text(text))]) == [shown])
  }
}
