import CFaultyDisk
import Foundation
import MoonJournal
import MoonTestSupport
import Moonwire
import Testing

/// Faults of the disk below SQLite, at each call that a journal makes, one after another.
///
/// Invariant 17: what was acknowledged survives a fault at any call.
@Suite(.serialized) struct DiskFaultTests {
  private static let actionCount = 8
  /// Small, so that whole states are written and records removed.
  private static let limits = {
    var limits = JournalLimits()
    limits.bytesMax = 2_000
    return limits
  }()

  init() { #expect(faulty_install() == 0) }

  /// What a session on a failing disk has told.
  private struct Told {
    var isOpen = false
    /// The last action with an outcome.
    var acknowledged: Int64 = 0
  }

  private func tell(_ journal: String, _ host: Moonwire.Host, _ level: JournalFile.Durability) async
    -> Told
  {
    var told = Told()
    guard let file = try? JournalFile(journal, for: .beginning, durability: level) else {
      return told
    }
    if let session = try? await Journal(in: file, limits: Self.limits).openSession(on: host) {
      told.isOpen = true
      for number in 1...Self.actionCount {
        let outcome = try? await host.dispatch(Action("counter/add"), to: session)
        if outcome != nil { told.acknowledged = Int64(number) }
      }
      await host.closeSession(session)
    }
    file.close()
    return told
  }

  /// Returns the count that a journal leads to; nil if no session is in it.
  private func count(in journal: String, _ host: Moonwire.Host) async throws -> Int64? {
    let recovered: RecoveredJournal
    do throws(JournalError) {
      recovered = try RecoveredJournal(journal)
    } catch {
      return nil
    }
    defer { recovered.file.close() }
    if recovered.isEmpty { return nil }
    let session = try await Journal(in: recovered.file).resumeSession(on: host)
    let state = await host.state(of: session)
    await host.closeSession(session)
    return state?["counter"]?["count"]?.intValue
  }

  @Test(arguments: [
    (faulty_once, JournalFile.Durability.process), (faulty_half, .process), (faulty_full, .process),
    (faulty_once, .power),
  ])
  func `what was acknowledged survives a fault at any call`(
    mode: faulty_mode, level: JournalFile.Durability
  ) async throws {
    let bench = try JournalBench()
    let host = try await bench.host()
    var number: Int64 = 0
    var hasFailed = true
    while hasFailed {
      number += 1
      let journal = bench.folder.path("../faulty-\(number)")
      faulty_arm(number, mode)
      let told = await tell(journal, host, level)
      hasFailed = faulty_count() >= number
      faulty_arm(0, mode)
      let kept = try await count(in: journal, host)
      #expect(!told.isOpen || kept != nil, "call \(number): the session is lost")
      #expect(
        (told.acknowledged...Int64(Self.actionCount)).contains(kept ?? told.acknowledged),
        "call \(number): \(told.acknowledged) were acknowledged, \(kept ?? -1) are kept")
    }
    #expect(number > 20)
  }

  @Test(arguments: [faulty_once, faulty_half, faulty_full])
  func `a session that can't be resumed because of a fault is resumed after it`(
    mode: faulty_mode
  ) async throws {
    let bench = try JournalBench()
    let host = try await bench.host()
    let good = bench.folder.path("../good")
    faulty_arm(0, mode)
    #expect(await tell(good, host, .process).acknowledged == Int64(Self.actionCount))
    let bytes = try Data(contentsOf: URL(fileURLWithPath: good))
    var number: Int64 = 0
    var hasFailed = true
    while hasFailed {
      number += 1
      let journal = bench.folder.path("../faulty-\(number)")
      #expect(FileManager.default.createFile(atPath: journal, contents: bytes))
      faulty_arm(number, mode)
      let found = try? await count(in: journal, host)
      hasFailed = faulty_count() >= number
      faulty_arm(0, mode)
      #expect((found ?? nil) == nil || found == Int64(Self.actionCount), "call \(number)")
      #expect(try await count(in: journal, host) == Int64(Self.actionCount), "call \(number)")
    }
    #expect(number > 5)
  }

  @Test(arguments: [faulty_once, faulty_half, faulty_full])
  func `a damaged journal is kept whatever fails in its recovery`(mode: faulty_mode) async throws {
    let bench = try JournalBench()
    let host = try await bench.host()
    let good = bench.folder.path("../good")
    faulty_arm(0, mode)
    _ = await tell(good, host, .process)
    var bytes = try Data(contentsOf: URL(fileURLWithPath: good))
    let mark = Data(#""id":8"#.utf8)
    let offset = try #require(bytes.firstRange(of: mark)?.upperBound)
    bytes[offset] ^= 1
    var number: Int64 = 0
    var hasFailed = true
    var fullCount = 0
    while hasFailed {
      number += 1
      let journal = bench.folder.path("../faulty-\(number)")
      let original = URL(fileURLWithPath: journal + ".damaged")
      #expect(FileManager.default.createFile(atPath: journal, contents: bytes))
      faulty_arm(number, mode)
      let problem = failure { () throws(JournalError) in
        try RecoveredJournal(journal).file.close()
      }
      hasFailed = faulty_count() >= number
      faulty_arm(0, mode)
      if problem?.reason == .full { fullCount += 1 }
      let place =
        (try? Data(contentsOf: original)) == nil ? URL(fileURLWithPath: journal) : original
      #expect(try Data(contentsOf: place) == bytes, "call \(number)")
      #expect(access(journal + ".recovering", F_OK) != 0, "call \(number)")
      #expect(try await count(in: journal, host) != nil, "call \(number)")
    }
    #expect(number > 20)
    #expect(fullCount > 3 || mode == faulty_once)
  }

  @Test(arguments: [faulty_once, faulty_half, faulty_full])
  func `announced records are kept once or not at all after a fault at any call`(
    mode: faulty_mode
  ) throws {
    let bench = try JournalBench()
    // Larger than SQLite's cache, so that some of it is written before it is committed.
    let text = ",\"x\":\"" + String(repeating: "x", count: 30_000) + "\""
    let records = (1...100).map { AnnouncementTests.record($0, $0 <= 80 ? text : "") }
    var number: Int64 = 0
    var hasFailed = true
    var hasRefused = false
    while hasFailed {
      // The writes of pages are many, and alike.
      number += number < 12 ? 1 : 300
      let path = bench.folder.path("../faulty-announced-\(number)")
      let file = try JournalFile(path, for: .beginning, durability: .power)
      faulty_arm(number, mode)
      file.announce(Array(records.prefix(50)))
      file.announce(Array(records.prefix(90)))
      let failure = failure { () throws(JournalError) in try file.append(records) }
      hasFailed = faulty_count() >= number
      faulty_arm(0, mode)
      if failure != nil {
        hasRefused = true
        #expect(try AnnouncementTests.recordsFound(at: path).isEmpty, "call \(number)")
        file.announce(records)
        try file.append(records)
      }
      #expect(try AnnouncementTests.recordsFound(at: path) == records, "call \(number)")
      file.close()
      for suffix in ["", "-wal", "-shm"] {
        try? FileManager.default.removeItem(atPath: path + suffix)
      }
    }
    #expect(hasRefused)
  }
}
