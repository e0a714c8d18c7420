import Foundation
import Glibc
import MoonJournal
import MoonTestSupport
import Moonwire
import Testing

/// Journals that aren't as they were written.
///
/// Invariant 17: what was kept is found again.
struct DamageTests {
  /// Makes a journal of 200 actions in its main file; returns the state after each.
  private func make(_ bench: JournalBench) async throws -> [Value?] {
    let file = try JournalFile(bench.path, for: .beginning)
    let states = try await bench.run(on: file) { host, session in
      var states: [Value?] = [await host.state(of: session)]
      for number in 1...200 {
        let text = Text("entry \(number) " + String(repeating: "x", count: 100))
        try await host.dispatch(
          Action("counter/put", ["at": 1, "text": .string(text)]), to: session)
        states.append(await host.state(of: session))
      }
      return states
    }
    file.close()
    return states
  }

  private func bytes(_ path: String) throws -> [UInt8] {
    Array(try Data(contentsOf: URL(filePath: path)))
  }

  private func write(_ bytes: [UInt8], _ path: String) throws {
    try Data(bytes).write(to: URL(filePath: path))
  }

  /// Opens a journal; the result is a state that the session had, or a clear error that leaves the
  /// file as it was.
  private func check(_ bench: JournalBench, _ states: [Value?]) async throws {
    let damaged = try bytes(bench.path)
    let damage: RecoveredJournal.Damage?
    do throws(JournalError) {
      let recovered = try RecoveredJournal(bench.path)
      recovered.file.close()
      damage = recovered.damage
    } catch {
      switch error.reason {
      case .damaged, .foreign, .empty, .laterFormat: break
      default: Issue.record("\(error)")
      }
      #expect(try bytes(bench.path) == damaged)
      return
    }
    if let damage {
      #expect(try bytes(damage.original) == damaged)
      unlink(damage.original)
    }
    let state = try await bench.resumedState()
    #expect(states.contains(state))
  }

  @Test func `a flipped bit anywhere leads to a state that was, or to a clear error`() async throws
  {
    let bench = try JournalBench()
    let states = try await make(bench)
    let whole = try bytes(bench.path)
    var random = SplitMix64(seed: 7)
    for _ in 0..<60 {
      var flipped = whole
      let offset = Int.random(in: 0..<whole.count, using: &random)
      flipped[offset] ^= 1 << UInt8.random(in: 0..<8, using: &random)
      try write(flipped, bench.path)
      try await check(bench, states)
    }
  }

  @Test func `a file cut off anywhere leads to a state that was, or to a clear error`() async throws
  {
    let bench = try JournalBench()
    let states = try await make(bench)
    let whole = try bytes(bench.path)
    for part in 0..<30 {
      // Also in the middle of a page.
      try write(Array(whole[..<(whole.count * part / 30 + part)]), bench.path)
      try await check(bench, states)
    }
  }

  @Test func `a damaged record in the middle is where the session goes on`() async throws {
    let bench = try JournalBench()
    let states = try await make(bench)
    var damaged = try bytes(bench.path)
    let mark = Array("entry 150 ".utf8)
    let offset = try #require(damaged.firstRange(of: mark)?.lowerBound)
    damaged[offset] ^= 0x20
    try write(damaged, bench.path)
    let recovered = try RecoveredJournal(bench.path)
    recovered.file.close()
    let damage = try #require(recovered.damage)
    #expect("\(damage.reason)".contains("isn't what was written"))
    #expect(try bytes(damage.original) == damaged)
    #expect(try await bench.resumedState() == states[149])
  }

  @Test func `what is left of a journal that was cut off is read`() async throws {
    let bench = try JournalBench()
    let states = try await make(bench)
    let whole = try bytes(bench.path)
    for part in [2, 3, 4] {
      let cut = Array(whole[..<(whole.count / 4096 * part / 5 * 4096)])
      try write(cut, bench.path)
      var actions = -1
      let problem = failure { () throws(JournalError) in
        try RecordedRun(bench.path).read { _, _ in
          actions += 1
          return true
        }
      }
      guard case .damaged = problem?.reason else {
        Issue.record("\(String(describing: problem))")
        continue
      }
      #expect(actions > 10 * part)
      let recovered = try RecoveredJournal(bench.path)
      recovered.file.close()
      let damage = try #require(recovered.damage)
      #expect(damage.lastNumber == Int64(actions) + 1)
      #expect(try bytes(damage.original) == cut)
      #expect(try await bench.resumedState() == states[actions])
      unlink(damage.original)
    }
  }

  @Test func `a journal is read where no file can be made beside it`() async throws {
    let bench = try JournalBench()
    _ = try await make(bench)
    let path = bench.folder.path("../50% of a #?")
    #expect(rename(bench.path, path) == 0)
    // SQLite follows no link there.
    #expect(symlink("elsewhere", path + "-shm") == 0)
    var count = 0
    try RecordedRun(path).read { _, _ in
      count += 1
      return true
    }
    #expect(count == 201)
    try write(Array(repeating: 0, count: 100), path + "-wal")
    let problem = failure { () throws(JournalError) in try JournalFile(path, for: .reading) }
    #expect(problem?.description.contains("where files can be made") == true)
  }

  @Test func `files beside a journal that can't be written are no obstacle later`() async throws {
    let bench = try JournalBench()
    _ = try await make(bench)
    // SQLite itself makes empty ones writable.
    try write([], bench.path + "-wal")
    try write(Array(repeating: 0, count: 32_768), bench.path + "-shm")
    for suffix in ["-wal", "-shm"] { #expect(chmod(bench.path + suffix, 0o400) == 0) }
    let recovered = try RecoveredJournal(bench.path)
    for suffix in ["-wal", "-shm"] {
      var status = stat()
      #expect(stat(bench.path + suffix, &status) == 0 && status.st_mode & 0o777 == 0o600)
    }
    recovered.file.close()
  }

  @Test func `files that are no journals are refused and stay as they are`() async throws {
    let bench = try JournalBench()
    for text in [
      "", "{}\n", "SQLite format 3\0 but not really", String(repeating: "x", count: 5000),
    ] {
      try write(Array(text.utf8), bench.path)
      let reason: JournalError.Reason = text.isEmpty ? .empty : .foreign
      #expect(throws: JournalError(bench.path, reason)) { try RecoveredJournal(bench.path) }
      #expect(try bytes(bench.path) == Array(text.utf8))
    }
    unlink(bench.path)
    #expect(throws: JournalError(bench.path, .missing)) { try RecoveredJournal(bench.path) }
    #expect(access(bench.path, F_OK) != 0)
  }

  @Test func `a file that can't be created says why`() throws {
    let bench = try JournalBench()
    let lost = bench.folder.path("../nowhere/journal")
    #expect(throws: JournalError(lost, .noDirectory)) { try JournalFile(lost, for: .beginning) }
    #expect(throws: JournalError(lost, .missing)) { try JournalFile(lost, for: .resuming) }
    #expect(throws: JournalError(lost, .noDirectory)) { try RecordingFile(lost) }
    try RecordingFile(bench.path).close()
    #expect(throws: JournalError(bench.path, .exists)) { try RecordingFile(bench.path) }
  }

  /// Text of a state, and of an action, with numbers of somebody's choice.
  private static func record(_ number: String) -> [String] {
    let state = #"{"counter":{"count":1}}"#
    func head(_ after: String, _ last: String) -> String {
      #"{"moonwire":{"after":\#(after),"format":1,"last_id":\#(last),"time":1.5},"state":\#(state)}"#
    }
    return [
      head(number, "1"), head("0", number),
      #"{"action":{"cause":"native","id":\#(number),"time":1.5,"type":"a/b"},"changes":[]}"#,
    ]
  }

  @Test(arguments: [
    "9223372036854775807", "4611686018427387904", "-1", "-9223372036854775808", "1.5",
    "9223372036854775808",
  ])
  func `a number that nothing can count on from is damage`(number: String) {
    for text in Self.record(number) {
      #expect(throws: JournalError.Reason.self) { try JournalEntry(Array(text.utf8)) }
    }
    for text in Self.record("4611686018427387903") {
      #expect(throws: Never.self) { try JournalEntry(Array(text.utf8)) }
    }
  }

  @Test func `changes that nest a state deeper and deeper are damage`() throws {
    var following = ReplayedState()
    let state = #"{"moonwire":{"after":0,"format":1,"last_id":0,"time":1.5},"state":{"a":{}}}"#
    try following.take(1, try JournalEntry(Array(state.utf8)))
    let depth = 30
    let value =
      String(repeating: #"{"x":"#, count: depth) + "1" + String(repeating: "}", count: depth)
    var path = [#""a""#]
    #expect(throws: JournalError.Reason.self) {
      for number in 2...Int64(1_000) {
        let steps = (path + [#""x""#]).joined(separator: ",")
        let change = #"{"changes":[["+",[\#(steps)],\#(value)]]}"#
        try following.take(number, try JournalEntry(Array(change.utf8)))
        path += Array(repeating: #""x""#, count: depth)
      }
    }
  }

  @Test func `a journal of a later moonwire is refused`() async throws {
    let bench = try JournalBench()
    _ = try await make(bench)
    var later = try bytes(bench.path)
    later[63] = 9
    try write(later, bench.path)
    #expect(throws: JournalError(bench.path, .laterFormat(9))) { try RecoveredJournal(bench.path) }
    #expect(try bytes(bench.path) == later)
  }

  @Test func `one file serves one program, and only its owner reads it`() async throws {
    let bench = try JournalBench()
    let file = try JournalFile(bench.path, for: .beginning)
    try await bench.run(on: file) { host, session in
      try await host.dispatch(Action("counter/add"), to: session)
      #expect(throws: JournalError(bench.path, .inUse)) { try RecoveredJournal(bench.path) }
      for name in [bench.path, bench.path + "-wal"] {
        var status = stat()
        #expect(stat(name, &status) == 0 && status.st_mode & 0o777 == 0o600)
      }
    }
    file.close()
    #expect(throws: JournalError(bench.path, .taken)) {
      try JournalFile(bench.path, for: .beginning)
    }
  }

  @Test func `a journal that is moved meanwhile refuses actions until it is back`() async throws {
    let bench = try JournalBench()
    let file = try JournalFile(bench.path, for: .beginning)
    let gone = DispatchError.notKept(JournalError(bench.path, .gone))
    let state = try await bench.run(on: file) { host, session in
      try await host.dispatch(Action("counter/add"), to: session)
      #expect(rename(bench.path, bench.path + ".moved") == 0)
      await #expect(throws: gone) {
        try await host.dispatch(Action("counter/add"), to: session)
      }
      try write([], bench.path)
      await #expect(throws: gone) {
        try await host.dispatch(Action("counter/add"), to: session)
      }
      #expect(rename(bench.path + ".moved", bench.path) == 0)
      try await host.dispatch(Action("counter/add"), to: session)
      return await host.state(of: session)
    }
    file.close()
    // The first action that was refused had happened, and is kept then.
    #expect(state?["counter"]?["count"] == 3)
    #expect(try await bench.resumedState() == state)
  }

  @Test func `a journal that is deleted meanwhile refuses further actions`() async throws {
    let bench = try JournalBench()
    let file = try JournalFile(bench.path, for: .beginning)
    try await bench.run(on: file) { host, session in
      try await host.dispatch(Action("counter/add"), to: session)
      unlink(bench.path)
      await #expect(throws: DispatchError.notKept(JournalError(bench.path, .gone))) {
        try await host.dispatch(Action("counter/add"), to: session)
      }
    }
    file.close()
  }
}
