import GRDB
import MoonJournal
import MoonTestSupport
import Moonwire
import Testing

/// Journals with right sums that no program of ours has written.
///
/// Invariant 19: what a journal says is checked before it is used.
struct ForgedJournalTests {
  /// The record of a whole state with tasks in its header.
  private static func state(_ tasks: String) -> String {
    """
    {"moonwire":{"after":0,"format":2,"grants":[],"last_id":0,"modules":{},"settings":{},\
    "tasks":\(tasks),"time":1.0},"state":{"moonwire":1,"slices":{},"versions":{}}}
    """
  }

  @Test(arguments: [
    #"{"durable":{"again":[1,9223372036854775807],"task":1}}"#,
    #"{"durable":{"again":[1],"task":1}}"#,
    #"{"durable":{"asked":1,"id":9223372036854775807,"task":1}}"#,
    #"{"durable":{"asked":-1,"id":1,"task":1}}"#,
    #"{"durable":{"settled":0,"task":1}}"#,
    #"{"durable":{"answer":9223372036854775807,"task":1}}"#,
    #"{"durable":{"calls":[],"task":1,"turn":1,"until":1e308}}"#,
    #"{"durable":{"calls":[["f","","",null,1,9000000000]],"task":1,"turn":1}}"#,
    #"{"durable":{"calls":[["f","","",null,5,1]],"task":1,"turn":1}}"#,
    #"{"durable":{"begin":{},"task":9223372036854775807}}"#, #"{"durable":{"begin":{}}}"#,
    state(#"{"last":9223372036854775807}"#), state(#"{"last":-1}"#),
    state(#"{"entries":[{"again":[1,9223372036854775807],"task":1}],"last":1}"#),
    state(#"{"last":1,"unsettled":[[1,1,9223372036854775807]]}"#),
    state(#"{"asked":[[1,1,9223372036854775807]],"last":1}"#),
  ])
  func `a number that a durable task can't have is damage`(record: String) {
    do throws(JournalError.Reason) {
      _ = try JournalEntry(Array(record.utf8))
      Issue.record("it was read")
    } catch {
      guard case .damaged(let what) = error else {
        Issue.record("\(error)")
        return
      }
      #expect(what.contains("durable task"))
    }
  }

  private static let beginning: Map = [
    "action": ["cause": "native", "id": 1, "time": 1.5, "type": "a/d"], "effect": "d",
    "file": "a.lua", "files": [:], "generation": 1, "key": "k", "module": "a", "seed": -5,
    "since": 1.5,
  ]

  @Test func `a beginning of a durable task that lacks a part, or has another, is damage`() {
    func isRead(_ beginning: Map) -> Bool {
      let entry: Value = ["begin": .map(beginning), "task": 1]
      let state = Self.state(#"{"entries":[\#(entry.canonicalText)],"last":1}"#)
      let records = [JournalEntry.task(entry).bytes, Array(state.utf8)]
      let reads = records.map { (try? JournalEntry($0)) != nil }
      #expect(reads[0] == reads[1])
      return reads[0]
    }
    #expect(isRead(Self.beginning))
    for key in Self.beginning.keys {
      var other = Self.beginning
      other[key] = nil
      #expect(!isRead(other), "without \(key)")
      other[key] = true
      #expect(!isRead(other), "\(key) is another")
    }
  }

  @Test(arguments: [
    "CREATE TRIGGER t AFTER INSERT ON records BEGIN DELETE FROM records; END",
    "CREATE VIEW more AS SELECT * FROM records", "CREATE TABLE more (x)",
    "CREATE INDEX more ON records (sum)", "DROP INDEX states",
    """
    DROP TABLE records;
    CREATE VIEW records AS WITH RECURSIVE r(number) AS
      (SELECT 1 UNION ALL SELECT number + 1 FROM r)
      SELECT number, 1 AS kind, x'7b7d' AS text, 0 AS sum FROM r
    """,
  ])
  func `a file with other tables than a journal's isn't a journal`(change: String) async throws {
    let bench = try JournalBench()
    let file = try JournalFile(bench.path, for: .beginning)
    _ = try await bench.run(on: file) { host, session in
      try await host.dispatch(Action("counter/add"), to: session)
    }
    file.close()
    let database = try DatabaseQueue(path: bench.path)
    try await database.write { try $0.execute(sql: change) }
    try database.close()
    for use in [JournalFile.Use.resuming, .reading] {
      do throws(JournalError) {
        try JournalFile(bench.path, for: use).close()
        Issue.record("it was opened")
      } catch {
        #expect(error.reason == .foreign)
      }
    }
    #expect(throws: JournalError(bench.path, .foreign)) { try RecoveredJournal(bench.path) }
  }

  @Test func `a state that can't be read isn't taken along when a journal is recovered`()
    async throws
  {
    let bench = try JournalBench()
    let file = try JournalFile(bench.path, for: .beginning)
    _ = try await bench.run(on: file) { host, session in
      try await host.dispatch(Action("counter/add"), to: session)
    }
    var records: [JournalRecord] = []
    try file.read(from: 1) { record in
      records.append(record)
      return true
    }
    let last = Int64(records.count)
    let state = String(decoding: records[0].bytes, as: UTF8.self)
    // The second state says that it needs what comes before a record that can't be read.
    let texts = ["{}", state.replacing(#""after":0"#, with: #""after":\#(last + 1)"#), state]
    try file.append(
      texts.enumerated().map { place, text in
        JournalRecord(
          number: last + Int64(place) + 1, kind: place == 0 ? .change : .state,
          bytes: Array(text.utf8))
      })
    file.close()
    let recovered = try RecoveredJournal(bench.path)
    defer { recovered.file.close() }
    #expect(recovered.damage?.lastNumber == last + 2)
    #expect(try KeptSession(in: recovered.file).lastNumber == last + 2)
  }
}
