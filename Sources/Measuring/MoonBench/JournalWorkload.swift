import Foundation
import GRDB
import MoonJournal
import Moonwire

/// Work with a session that a journal keeps, beside SQLite alone with rows of the same size.
enum JournalWorkload: String {
  /// Dispatches workload A's action, one after another.
  case alone
  /// Dispatches it from 100 tasks at once, each of which waits for the outcome.
  case shared
  /// Inserts rows, each in a transaction of its own.
  case insert
  /// Inserts rows, 100 in each transaction.
  case group
  /// Resumes a session that has carried out the actions.
  case resume
  /// Replays the actions, and compares each state.
  case replay

  private static let action = Action("counter/increment", ["by": 1])
  private static let taskCount = 100

  /// Does the work `count` times; without a durability, without a journal.
  ///
  /// `rowBytes` is the size of the rows of ``insert`` and ``group``.
  func run(_ durability: JournalFile.Durability?, count: Int, rowBytes: Int) async throws {
    let folder = ScriptFolder([:])
    let path = folder.path + "/journal"
    // The folder removes its contents once the files are closed.
    defer { withExtendedLifetime(folder) {} }
    let seconds: Double
    var bytes = rowBytes
    switch self {
    case .insert: seconds = try Self.insert(count, in: 1, rowBytes, path, durability)
    case .group: seconds = try Self.insert(count, in: Self.taskCount, rowBytes, path, durability)
    case .alone, .shared:
      (seconds, bytes) = try await dispatch(count, path, durability)
    case .resume:
      _ = try await Self.shared.dispatch(count, path, durability ?? .process)
      seconds = try await Self.resume(path, count)
    case .replay:
      _ = try await Self.alone.dispatch(count, path, durability ?? .process)
      seconds = try await Self.replay(path, count)
    }
    print(
      "{\"workload\":\"\(self)\",\"level\":\"\(durability?.rawValue ?? "none")\",\"n\":\(count),"
        + "\"wall_s\":\(seconds),\"row_bytes\":\(bytes)}")
  }

  /// Returns the seconds, and the mean size of a record.
  private func dispatch(
    _ count: Int, _ path: String, _ durability: JournalFile.Durability?
  ) async throws -> (Double, Int) {
    let scripts = ScriptFolder(Workload.a.files)
    let host = try Host(directory: scripts.path, options: .unlimited)
    try await host.load()
    let file = try durability.map { try JournalFile(path, for: .beginning, durability: $0) }
    let session = try await host.perform { host in
      try file.map { try Journal(in: $0).openSession(on: host) } ?? host.openSession()
    }
    let start = Usage.wallTime
    if self == .alone {
      try await host.perform { host in
        for _ in 0..<count { try host.dispatch(Self.action, to: session) }
      }
    } else {
      try await withThrowingTaskGroup { group in
        for _ in 0..<Self.taskCount {
          group.addTask {
            for _ in 0..<(count / Self.taskCount) {
              try await host.dispatch(Self.action, to: session)
            }
          }
        }
        try await group.waitForAll()
      }
    }
    let seconds = Usage.wallTime - start
    let bytes = (file?.byteCount ?? 0) / max(count, 1)
    await host.close()
    file?.close()
    return (seconds, bytes)
  }

  /// Returns the seconds that rows take, with the settings of a journal.
  private static func insert(
    _ count: Int, in groupSize: Int, _ rowBytes: Int, _ path: String,
    _ durability: JournalFile.Durability?
  ) throws -> Double {
    let database = try DatabaseQueue(path: path)
    try database.inDatabase { database in
      try database.execute(
        sql: """
          PRAGMA journal_mode = WAL;
          PRAGMA synchronous = \(durability == .power ? "FULL" : "NORMAL");
          CREATE TABLE records (number INTEGER PRIMARY KEY, kind INTEGER, bytes BLOB, sum INTEGER)
          """)
    }
    let bytes = Data(repeating: UInt8(ascii: "x"), count: rowBytes)
    let start = Usage.wallTime
    for first in stride(from: 0, to: count, by: groupSize) {
      try database.writeWithoutTransaction { database in
        let insert = try database.cachedStatement(sql: "INSERT INTO records VALUES (?, ?, ?, ?)")
        try database.inTransaction(.immediate) {
          for number in first..<min(first + groupSize, count) {
            insert.setUncheckedArguments([number, 2, bytes, number])
            try insert.execute()
          }
          return .commit
        }
      }
    }
    return Usage.wallTime - start
  }

  private static func resume(_ path: String, _ count: Int) async throws -> Double {
    let scripts = ScriptFolder(Workload.a.files)
    let host = try Host(directory: scripts.path, options: .unlimited)
    try await host.load()
    let start = Usage.wallTime
    let file = try JournalFile(path, for: .resuming)
    let session = try await host.perform { host in
      try Journal(in: file).resumeSession(on: host)
    }
    let seconds = Usage.wallTime - start
    let state = await host.state(of: session) ?? .null
    precondition(Workload.a.checksum(of: state) == count, "a resumed session lacks actions")
    await host.close()
    file.close()
    return seconds
  }

  private static func replay(_ path: String, _ count: Int) async throws -> Double {
    let scripts = ScriptFolder(Workload.a.files)
    let host = try Host(directory: scripts.path, options: .unlimited)
    try await host.load()
    let start = Usage.wallTime
    let run = try RecordedRun(path)
    let replay = try await host.perform { host in try run.replay(on: host) }
    let seconds = Usage.wallTime - start
    precondition(replay.difference == nil && replay.count == count, "a replay differs")
    await host.close()
    return seconds
  }
}

/// Prints the memory that the last states of workload C take in addition to the current one.
func keepStates(_ count: Int) async throws {
  let folder = ScriptFolder(Workload.c.files)
  var options = HostOptions.unlimited
  options.trial.isWatched = false
  let host = try Host(directory: folder.path, options: options)
  try await host.load()
  let session = await host.openSession()
  try await host.perform { host in try Workload.c.run(100, on: host, session) }
  Usage.giveBackFreedMemory()
  let before = Usage.residentBytes
  let states = try await host.perform { host in
    var states: [Value] = []
    states.reserveCapacity(count)
    var random = MinimalStandard()
    for _ in 0..<count {
      let x = random.next()
      let key = Value.string(Text(Scripts.key(Int(x % 10_000))))
      try host.dispatch(Action("m050/score", ["key": key, "score": .int(x)]), to: session)
      if let state = host.state(of: session) { states.append(state) }
    }
    return states
  }
  Usage.giveBackFreedMemory()
  let bytes = Usage.residentBytes - before
  print("{\"workload\":\"states\",\"n\":\(states.count),\"bytes\":\(bytes)}")
  await host.close()
}
