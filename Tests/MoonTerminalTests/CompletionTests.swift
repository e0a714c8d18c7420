import Testing

@testable import MoonTerminal

struct CompletionTests {
  private func choice(
    _ line: String, from: Int, _ names: [String], cursor: Int? = nil,
    after: CompletionChoice.Ambiguity? = nil
  ) -> CompletionChoice {
    let candidates = names.map { Completion.Candidate($0) }
    return CompletionChoice(
      of: Completion(replaceFrom: from, candidates: candidates), line: line,
      cursor: cursor ?? line.utf8.count, after: after)
  }

  @Test(arguments: [
    ("re", 0, ["reload"], "reload", 2),
    ("a.gr", 2, ["grün"], "grün", 2),
    ("日re", 3, ["reload"], "reload", 2),
    ("RE", 0, ["reload"], "reload", 2),
    ("d", 0, ["dispatch", "display"], "disp", 1),
    ("x", 1, ["ab", "ac"], "a", 0),
    ("x", 99, ["ab"], "ab", 0),
    ("x", -1, ["ab"], "ab", 0),
    ("é", 1, ["ab"], "ab", 0),
  ])
  func `a candidate takes the place of the word`(
    line: String, from: Int, names: [String], text: String, count: Int
  ) {
    #expect(choice(line, from: from, names).action == .insert(text, replacedCount: count))
  }

  @Test(arguments: [
    ("a", ["ab", "ac"]), ("abc", ["ab", "ac"]), ("x", [String]()), ("a", ["ab", "xy"]),
  ])
  func `what would take something away is refused`(line: String, names: [String]) {
    #expect(choice(line, from: 0, names).action == .refuse)
  }

  @Test func `asking twice in the same place lists`() {
    let first = choice("d", from: 0, ["dispatch", "display"])
    #expect(first.ambiguity == .init(line: "disp", cursor: 4))
    let second = choice("disp", from: 0, ["dispatch", "display"], after: first.ambiguity)
    #expect(second.action == .list([.init("dispatch"), .init("display")]))
    let elsewhere = choice(
      "disp ", from: 0, ["disp a", "disp b"], cursor: 5, after: first.ambiguity)
    #expect(elsewhere.action != .list([.init("disp a"), .init("disp b")]))
  }
}

struct CandidateListTests {
  private func list(_ names: [String], note: String? = nil, columns: Int) -> [Substring] {
    CandidateList(
      names.map { .init($0, note: note) }, columns: columns, style: .plain
    ).text.split(separator: "\n")
  }

  @Test func `columns run from top to bottom`() {
    #expect(list(["a", "b", "c", "d", "e"], columns: 8) == ["a  c  e", "b  d"])
    #expect(list(["a", "b", "c"], columns: 3) == ["a", "b", "c"])
    #expect(list(["日本", "ab"], columns: 11) == ["日本  ab"])
  }

  @Test(arguments: 1...40)
  func `no row is wider than the terminal`(columns: Int) {
    let names = ["a", "日本語", "long candidate name", "x"]
    for row in list(names, note: "and a note", columns: columns) {
      #expect(TerminalText.width(of: String(row)) <= max(1, columns - 1))
    }
  }

  @Test func `a list has an end`() {
    let max = CandidateList.candidateCountMax
    let rows = list((0..<(max + 23)).map { "c\($0)" }, columns: 4)
    #expect(rows.count == max + 1)
    #expect(rows.last == "… 23 more")
  }

  @Test func `a candidate cannot steer the terminal`() {
    #expect(list(["a\u{1B}[2Jb\nc"], columns: 40) == ["a\\u{1B}[2Jb c"])
  }

  @Test func `notes are dimmed`() {
    let style = Style(.always, target: .other, environment: [:])
    let list = CandidateList([.init("a", note: "n")], columns: 40, style: style)
    #expect(list.text == "a \u{1B}[2mn\u{1B}[0m\n")
  }
}
