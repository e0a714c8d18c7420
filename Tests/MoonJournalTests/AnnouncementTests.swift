import MoonJournal
import MoonTestSupport
import Moonwire
import Testing

/// Records that a store learns of before they are appended.
struct AnnouncementTests {
  static func record(_ number: Int, _ text: String = "") -> JournalRecord {
    JournalRecord(
      number: Int64(number), kind: .change, bytes: Array("{\"n\":\(number)\(text)}".utf8))
  }

  private static func records(of file: JournalFile) throws -> [JournalRecord] {
    var records: [JournalRecord] = []
    try file.read(from: 1) { record in
      records.append(record)
      return true
    }
    return records
  }

  /// Returns the records that another program finds.
  static func recordsFound(at path: String) throws -> [JournalRecord] {
    let reader = try JournalFile(path, for: .reading)
    defer { reader.close() }
    return try records(of: reader)
  }

  @Test(arguments: [1, 2, 3, 4, 5, 6, 7, 8])
  func `a file holds what was appended, whatever was announced and done in between`(
    seed: UInt64
  ) throws {
    let bench = try JournalBench()
    let file = try JournalFile(bench.path, for: .beginning, durability: .power)
    var random = SplitMix64(seed: seed)
    var kept: [JournalRecord] = []
    var pending: [JournalRecord] = []
    var number = 0
    for _ in 0..<300 {
      switch random.below(8) {
      case 0..<4:
        for _ in 0..<random.below(40) {
          number += 1
          pending.append(Self.record(number, ",\"x\":\(random.below(1000))"))
        }
        file.announce(pending)
      case 4:
        file.announce(Array(pending.prefix(random.below(pending.count + 1))))
      case 5, 6:
        guard !pending.isEmpty else { continue }
        try file.append(pending)
        kept += pending
        pending = []
      default:
        guard let first = kept.first, let last = kept.last else { continue }
        let base = first.number + Int64(random.below(Int(last.number - first.number) + 1))
        try file.removeRecords(before: base)
        kept.removeAll { $0.number < base }
      }
      #expect(try Self.recordsFound(at: bench.path) == kept)
      if random.once(in: 10) { #expect(try Self.records(of: file) == kept) }
    }
    try file.append(pending + [Self.record(number + 1)])
    file.close()
    #expect(
      try Self.recordsFound(at: bench.path) == kept + pending + [Self.record(number + 1)])
  }

  @Test func `what is only announced is gone when the file is closed`() throws {
    let bench = try JournalBench()
    let file = try JournalFile(bench.path, for: .beginning, durability: .power)
    try file.append([Self.record(1)])
    file.announce((2...100).map { Self.record($0) })
    file.close()
    #expect(try Self.recordsFound(at: bench.path) == [Self.record(1)])
  }

  @Test(arguments: [JournalFile.Durability.process, .power])
  func `a store whose writes take long learns of the records of many dispatchers before the write`(
    durability: JournalFile.Durability
  ) async throws {
    let bench = try JournalBench()
    let store = CountingStore(try JournalFile(bench.path, for: .beginning, durability: durability))
    let count = try await bench.run(on: store) { host, session in
      var count: Int64 = 0
      // It depends on the threads how many dispatchers come in one turn.
      for _ in 0..<20 where store.announcedCount == 0 {
        try await withThrowingTaskGroup { group in
          for _ in 0..<200 {
            group.addTask {
              for _ in 0..<5 {
                try await host.dispatch(Action("counter/add"), to: session)
              }
            }
          }
          try await group.waitForAll()
        }
        count += 1_000
      }
      return count
    }
    #expect((store.announcedCount > 0) == (durability == .power))
    store.close()
    #expect(try await bench.resumedState()?["counter"]?["count"] == .int(count))
  }
}
