import Foundation
import Glibc
import MoonJournal
import MoonTestSupport
import Moonwire
import Testing

/// What is found in the file beside a journal whose program was killed.
struct WriteAheadLogTests {
  /// A journal as it was when its program was killed, and the states that it had.
  private struct Killed {
    let bench: JournalBench
    let states: [Value?]
    let main: [UInt8]
    let log: Log
    /// The journal after an orderly end, with everything in one file.
    let whole: [UInt8]

    init() async throws {
      bench = try JournalBench()
      let path = bench.path
      let file = try JournalFile(path, for: .beginning)
      (states, main, log) = try await bench.run(on: file) { host, session in
        var states: [Value?] = [await host.state(of: session)]
        for _ in 1...40 {
          let text = Text(String(repeating: "x", count: 300))
          try await host.dispatch(
            Action("counter/put", ["at": 1, "text": .string(text)]), to: session)
          states.append(await host.state(of: session))
        }
        return (states, try Self.bytes(path), Log(bytes: try Self.bytes(path + "-wal")))
      }
      file.close()
      whole = try Self.bytes(path)
    }

    static func bytes(_ path: String) throws -> [UInt8] {
      Array(try Data(contentsOf: URL(filePath: path)))
    }

    /// Writes the journal with a file beside it, and nothing else.
    func lay(_ main: [UInt8], _ log: [UInt8]) throws {
      for suffix in ["", "-wal", "-shm"] { unlink(bench.path + suffix) }
      try Data(main).write(to: URL(filePath: bench.path))
      try Data(log).write(to: URL(filePath: bench.path + "-wal"))
    }

    /// The error that reading the journal ends with; nil if it is whole.
    func problem() -> JournalError? {
      failure { () throws(JournalError) in
        try RecordedRun(bench.path).read { _, _ in true }
      }
    }

    /// Recovers a journal that is damaged, and expects both files of the original to be kept.
    ///
    /// Returns the state that it leads to; nil if none can be read.
    func recovered(_ main: [UInt8], _ log: [UInt8]) async throws -> Value? {
      let recovered: RecoveredJournal
      do throws(JournalError) {
        recovered = try RecoveredJournal(bench.path)
      } catch {
        guard case .damaged = error.reason else { throw error }
        #expect(try Self.bytes(bench.path) == main)
        #expect(try Self.bytes(bench.path + "-wal") == log)
        return nil
      }
      recovered.file.close()
      let original = try #require(recovered.damage).original
      #expect(try Self.bytes(original) == main)
      #expect(try Self.bytes(original + "-wal") == log)
      for suffix in ["", "-wal", "-shm"] { unlink(original + suffix) }
      #expect(problem() == nil)
      return try await bench.resumedState()
    }
  }

  /// The bytes of a write-ahead log with pages of 4 KB.
  private struct Log {
    var bytes: [UInt8]

    static let frameByteCount = 24 + 4096

    var count: Int { (bytes.count - 32) / Self.frameByteCount }

    func offset(of frame: Int) -> Int { 32 + frame * Self.frameByteCount }

    func word(_ offset: Int) -> UInt32 {
      bytes[offset..<(offset + 4)].reduce(0) { $0 << 8 | UInt32($1) }
    }

    mutating func put(_ word: UInt32, at offset: Int) {
      bytes.replaceSubrange(
        offset..<(offset + 4), with: (0..<4).map { UInt8(word >> (24 - $0 * 8) & 255) })
    }

    /// The numbers of the frames that end a transaction.
    var commits: [Int] { (0..<count).filter { word(offset(of: $0) + 4) != 0 } }

    /// Writes the sums of big-endian words, as on other machines.
    mutating func sumBigEndian() {
      put(0x377f_0683, at: 0)
      var (one, two): (UInt32, UInt32) = (0, 0)
      func add(_ range: Range<Int>) {
        for offset in stride(from: range.lowerBound, to: range.upperBound, by: 8) {
          one &+= word(offset) &+ two
          two &+= word(offset + 4) &+ one
        }
      }
      add(0..<24)
      put(one, at: 24)
      put(two, at: 28)
      for start in (0..<count).map(offset) {
        add(start..<(start + 8))
        add((start + 24)..<(start + Self.frameByteCount))
        put(one, at: start + 16)
        put(two, at: start + 20)
      }
    }
  }

  @Test func `a flipped bit before the last write is told, and the originals are kept`()
    async throws
  {
    let killed = try await Killed()
    let log = killed.log
    let last = log.offset(of: try #require(log.commits.dropLast().last) + 1)
    var random = SplitMix64(seed: 11)
    let offsets =
      Array(stride(from: 1, to: 32, by: 4))
      + (0..<12).map { _ in Int.random(in: 32..<last, using: &random) }
    var readCount = 0
    for offset in offsets {
      var bytes = log.bytes
      bytes[offset] ^= 1 << UInt8.random(in: 0..<8, using: &random)
      try killed.lay(killed.main, bytes)
      let text = try #require(killed.problem(), "byte \(offset)").description
      #expect(
        text.contains("-wal file beside it isn't what was written"), "byte \(offset): \(text)")
      if let state = try await killed.recovered(killed.main, bytes) {
        #expect(killed.states.contains(state), "byte \(offset)")
        readCount += 1
      }
    }
    #expect(readCount > 5)
  }

  @Test func `damage says where it is and how many writes follow`() async throws {
    let killed = try await Killed()
    let log = killed.log
    let commit = log.commits[20]
    var bytes = log.bytes
    bytes[log.offset(of: commit) + 1_000] ^= 1
    try killed.lay(killed.main, bytes)
    let count = log.commits.count - 21
    let reason = JournalError.Reason.damaged(
      "frame \(commit + 1) of \(log.count) in the -wal file beside it isn't what was written, "
        + "so \(count) writes after it can't be used")
    #expect(killed.problem() == JournalError(killed.bench.path, reason))
    let recovered = try RecoveredJournal(killed.bench.path)
    recovered.file.close()
    #expect(recovered.damage?.reason == reason)
    #expect(recovered.damage?.original == killed.bench.path + ".damaged")
    #expect(try await killed.bench.resumedState() == killed.states[killed.states.count - count - 2])
  }

  @Test func `what was being written at the end is no damage`() async throws {
    let killed = try await Killed()
    let log = killed.log
    var endings = stride(from: 0, to: log.bytes.count, by: 29_989).map { Array(log.bytes[..<$0]) }
    // Half of the last frame, with the frames of an earlier use after it.
    var torn = log
    for offset in (torn.bytes.count - 2_000)..<torn.bytes.count { torn.bytes[offset] = 0 }
    for frame in 0..<10 {
      let start = torn.bytes.count
      torn.bytes += log.bytes[log.offset(of: frame)..<log.offset(of: frame + 1)]
      torn.put(torn.word(start + 8) &- 1, at: start + 8)
    }
    endings.append(torn.bytes)
    for bytes in endings {
      try killed.lay(killed.main, bytes)
      do throws(JournalError) {
        let recovered = try RecoveredJournal(killed.bench.path)
        recovered.file.close()
        #expect(recovered.damage == nil, "\(bytes.count) bytes")
        if recovered.isEmpty { continue }
      } catch {
        #expect(error.reason == .empty, "\(bytes.count) bytes")
        continue
      }
      #expect(killed.states.contains(try await killed.bench.resumedState()))
    }
    #expect(try await killed.bench.resumedState() == killed.states[killed.states.count - 2])
  }

  @Test func `a file of a big-endian machine is checked as well`() async throws {
    let killed = try await Killed()
    var log = killed.log
    log.sumBigEndian()
    try killed.lay(killed.main, log.bytes)
    #expect(killed.problem() == nil)
    log.bytes[log.offset(of: 10) + 500] ^= 4
    try killed.lay(killed.main, log.bytes)
    #expect(killed.problem() != nil)
    try killed.lay(killed.main, killed.log.bytes)
    #expect(try await killed.bench.resumedState() == killed.states.last)
  }

  @Test func `what is in the journal already isn't lost by damage beside it`() async throws {
    let killed = try await Killed()
    for offset in [5, killed.log.offset(of: killed.log.count / 2) + 100] {
      var bytes = killed.log.bytes
      bytes[offset] ^= 1
      try killed.lay(killed.whole, bytes)
      #expect(try await killed.recovered(killed.whole, bytes) == killed.states.last)
    }
  }

  @Test func `a journal in use isn't taken for damaged by those who read it`() async throws {
    let bench = try JournalBench()
    let file = try JournalFile(bench.path, for: .beginning)
    try await bench.run(on: file) { host, session in
      for _ in 1...3 { try await host.dispatch(Action("counter/add"), to: session) }
      // Its program uses the frames without looking at their salts again.
      var log = Log(bytes: try Killed.bytes(bench.path + "-wal"))
      log.put(0, at: log.offset(of: 0) + 8)
      let descriptor = open(bench.path + "-wal", O_WRONLY)
      defer { close(descriptor) }
      #expect(pwrite(descriptor, log.bytes, log.bytes.count, 0) == log.bytes.count)
      var count = 0
      try RecordedRun(bench.path).read { _, _ in
        count += 1
        return true
      }
      #expect(count == 4)
    }
    file.close()
  }

  @Test func `a journal isn't begun beside what is left of another`() async throws {
    let killed = try await Killed()
    let path = killed.bench.path
    try killed.lay([], killed.log.bytes)
    for _ in 1...2 {
      #expect(throws: JournalError(path + "-wal", .exists)) {
        try JournalFile(path, for: .beginning)
      }
      #expect(try Killed.bytes(path + "-wal") == killed.log.bytes)
      unlink(path)
    }
    // Its journal may come back.
    try killed.lay(killed.main, killed.log.bytes)
    #expect(try await killed.bench.resumedState() == killed.states.last)
  }
}
