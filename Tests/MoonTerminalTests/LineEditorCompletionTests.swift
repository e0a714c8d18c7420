import MoonTerminal
import Testing

extension LineEditorTests {
  @Suite struct Completing {
    private func session(_ names: [String], columns: Int = 60) throws -> EditorSession {
      try EditorSession(columns: columns) { line, cursor in
        let head = String(decoding: Array(line.utf8)[..<cursor], as: UTF8.self)
        let word = head.split(separator: " ", omittingEmptySubsequences: false).last ?? ""
        let candidates = names.filter { $0.hasPrefix(word) }.map {
          Completion.Candidate($0, suffix: " ", note: "note \($0.count)")
        }
        return Completion(replaceFrom: cursor - word.utf8.count, candidates: candidates)
      }
    }

    @Test func `a single candidate is inserted with its suffix`() throws {
      let session = try session(["reload", "state"])
      #expect(try session.read("日 re\tcart\r") == .line("日 reload cart"))
      #expect(try session.read("re x\u{1B}[D\u{1B}[D\t\r") == .line("reload  x"))
    }

    @Test func `several candidates give what they have in common, then a list`() throws {
      let session = try session(["dispatch", "display", "disable"])
      try session.prompt()
      session.type("d\t")
      try session.expect(["> dis"])
      session.type("\t")
      try session.expect([
        "dispatch note 8  display note 7   disable note 7", "> dis",
      ])
      session.type("pl\t\r")
      #expect(try session.answer() == .line("display "))
    }

    @Test func `a list comes only when Tab is pressed again in the same place`() throws {
      let session = try session(["ab", "ac"])
      try session.prompt()
      session.type("a\t")
      try session.wait("a bell") { $0.bellCount == 1 }
      session.type("\u{7F}a\t")
      try session.wait("the list") { $0.lines == ["ab note 2  ac note 2", "> a"] }
      session.type(" a\t")
      try session.wait("another bell") {
        $0.bellCount == 2 && $0.lines == ["ab note 2  ac note 2", "> a a"]
      }
      session.type("\r")
      #expect(try session.answer() == .line("a a"))
    }

    @Test func `nothing to propose rings the bell`() throws {
      let session = try session([])
      try session.prompt()
      session.type("x\t")
      try session.wait("a bell") { $0.bellCount == 1 }
      session.type("\r")
      #expect(try session.answer() == .line("x"))
    }
  }
}
