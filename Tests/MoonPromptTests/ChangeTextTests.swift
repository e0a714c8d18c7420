import MoonTerminal
import Moonwire
import Testing

@testable import MoonPrompt

struct ChangeTextTests {
  private func lines(_ old: Value, _ new: Value, columns: Int = 60) -> [String] {
    ChangeText(style: .plain, columns: columns).lines(Diff.changes(from: old, to: new))
  }

  @Test func `a changed scalar shows both values`() {
    #expect(
      lines(["counter": ["count": 1]], ["counter": ["count": 3]]) == ["counter.count  1 → 3"])
  }

  @Test func `what came and what went have a sign`() {
    let old: Value = ["todo": ["items": [["id": 1]], "gone": [1, 2]]]
    let new: Value = ["todo": ["items": [["id": 1], ["id": 2, "title": "x"]]]]
    #expect(
      lines(old, new) == [
        "todo.gone  − [1, 2]", "todo.items[2]  + {id = 2, title = \"x\"}",
      ])
  }

  @Test func `no change is said`() {
    #expect(lines(["a": 1], ["a": 1]) == ["nothing changed"])
  }

  @Test func `many changes are cut with their number`() {
    let old = Value.list(List((0..<30).map { .int($0) }))
    let new = Value.list(List((0..<30).map { .int($0 + 1) }))
    let shown = lines(["l": old], ["l": new])
    #expect(shown.count == ChangeText.lineCountMax + 1)
    #expect(shown.first == "l[1]  0 → 1")
    #expect(shown.last == "… 18 more")
  }

  @Test(arguments: [20, 40, 60, 100])
  func `a large value stays on its line`(columns: Int) {
    let large = Value.map(
      Map((0..<100).map { (Key.string(Text("key\($0)")), Value.string("line\nbreak \u{1B}[2J")) }))
    for line in lines(["a": ["b": 1]], ["a": ["b": large, "c": large]], columns: columns) {
      #expect(!line.contains("\n") && !line.contains("\u{1B}"))
      #expect(TerminalText.width(of: line) <= max(columns, 40), "\(line)")
    }
  }

  @Test(
    arguments: [
      ["users": [.string(Text(String(repeating: "a", count: 24))), "b", "c", "d"]],
      ["a": ["b", ["c", "three"]], "d": ["e": 1.5]], [[], [:], ["x": [1, 2]]],
    ] as [Value])
  func `a line says it wherever something is left out`(value: Value) {
    let text = ValueText(style: .plain)
    let whole = text.line(value, columns: 200)
    #expect(!whole.contains("…"))
    for columns in 12..<whole.count {
      let line = text.line(value, columns: columns)
      #expect(line.contains("…") && line.count <= columns, "\(columns): \(line)")
    }
    #expect(text.line(value, columns: whole.count) == whole)
  }
}
