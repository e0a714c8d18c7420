import Foundation
import GRDB
import MoonJournal
import MoonTestSupport
import Moonwire
import Testing

/// Journals without some of their records, and the files beside them.
struct IncompleteJournalTests {
  /// Makes a journal of some actions, and carries out a statement of SQL.
  private static func journal(_ statement: String) async throws -> JournalBench {
    let bench = try JournalBench()
    let file = try JournalFile(bench.path, for: .beginning)
    try await bench.run(on: file) { host, session in
      for _ in 1...6 { try await host.dispatch(Action("counter/add"), to: session) }
    }
    file.close()
    let database = try DatabaseQueue(path: bench.path)
    try await database.write { try $0.execute(sql: statement) }
    try database.close()
    return bench
  }

  @Test(arguments: ["number = 3", "number IN (3, 4)", "number = 6"])
  func `a record that is missing among others is damage`(rows: String) async throws {
    let bench = try await Self.journal("DELETE FROM records WHERE \(rows)")
    let run = try RecordedRun(bench.path)
    do throws(JournalError) {
      try run.read { _, _ in true }
      Issue.record("it was read to the end")
    } catch {
      guard case .damaged(let what) = error.reason else {
        Issue.record("\(error)")
        return
      }
      #expect(what.contains("missing"))
    }
  }

  @Test func `what was put beside an earlier original is never overwritten`() async throws {
    let bench = try await Self.journal("UPDATE records SET sum = sum + 1 WHERE number = 4")
    let earlier = bench.path + ".damaged-wal"
    try Data("earlier".utf8).write(to: URL(filePath: earlier))
    let recovered = try RecoveredJournal(bench.path)
    recovered.file.close()
    #expect(recovered.damage?.original == bench.path + ".damaged2")
    #expect(try String(contentsOfFile: earlier, encoding: .utf8) == "earlier")
  }

  @Test func `a header without rules keeps its tasks, and with rules has none of their values`()
    throws
  {
    let text = """
      {"moonwire":{"after":0,"format":2,"grants":[],"last_id":0,"modules":{},"settings":{},\
      "tasks":{"entries":[{"begin":{"payload":{"token":"secret1"}},"task":1}],"last":1},\
      "time":1.0},"state":{"moonwire":1,"slices":{},"versions":{}}}
      """
    func redacted(_ paths: [Path]) -> String {
      String(decoding: Redaction(paths).redacted(Array(text.utf8)), as: UTF8.self)
    }
    #expect(redacted([]).contains("secret1"))
    let path = Path([.key("auth"), .key("token")])
    #expect(!redacted([path]).contains("secret1"))
    #expect(!redacted([path]).contains("\"tasks\""))
  }
}
