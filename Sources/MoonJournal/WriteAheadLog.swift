import Glibc
import Moonwire

/// The file beside a journal that SQLite writes first, its write-ahead log.
///
/// It consists of a header and frames. A frame holds a page; the last one of a transaction also
/// holds the size of the database. SQLite takes the frames up to the first invalid one, and
/// silently drops the rest. That is right for what was being written when the program ended, and
/// for remains of an earlier use of the file, but not for acknowledged transactions. So the file is
/// read before SQLite uses it, which takes about as long as SQLite's own reading.
struct WriteAheadLog: ~Copyable {
  /// The ends of the names of the files that SQLite makes beside a database.
  static let suffixes = ["-wal", "-shm"]

  private static let headerByteCount = 32
  private static let frameHeaderByteCount = 24
  /// The first word, whose last bit says that the sums are those of big-endian words.
  private static let magics: ClosedRange<UInt32> = 0x377f_0682...0x377f_0683
  private static let pageByteCountMax = 65_536

  private let descriptor: Int32
  private let size: Int
  /// The latest part that was read, a frame at most.
  private var buffer = [UInt8](repeating: 0, count: frameHeaderByteCount + pageByteCountMax)

  private init?(beside path: String) throws(JournalError.Reason) {
    let descriptor = open(path + Self.suffixes[0], O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
    guard descriptor >= 0 else {
      if errno == ENOENT { return nil }
      throw JournalError.Reason(reading: errno)
    }
    self.descriptor = descriptor
    size = (try? FileStatus(descriptor: descriptor))?.size ?? 0
  }

  deinit { close(descriptor) }

  /// Whether there may be frames in the file beside a journal.
  static func holdsFrames(beside path: String) -> Bool {
    let status = try? FileStatus(following: PathBytes(path + suffixes[0]))
    return status.map { $0.size > headerByteCount } ?? false
  }

  /// Returns what is damaged in the file beside a journal; nil if everything acknowledged is whole.
  ///
  /// No program may write the file meanwhile.
  ///
  /// - Throws: ``JournalError/Reason`` if the file can't be opened.
  /// - Complexity: O(size of the file), with one frame in memory.
  static func damage(beside path: String) throws(JournalError.Reason) -> String? {
    guard var log = try WriteAheadLog(beside: path) else { return nil }
    return log.damage()
  }

  private mutating func damage() -> String? {
    // Nothing has been written yet.
    guard size > Self.headerByteCount else { return nil }
    guard read(Self.headerByteCount, at: 0), Self.magics.contains(word(at: 0)),
      case let sums = Sums().adding(buffer[..<24], isBigEndian: word(at: 0) & 1 == 1),
      sums == Sums(word(at: 24), word(at: 28)),
      let pageByteCount = Int(exactly: word(at: 8)), pageByteCount <= Self.pageByteCountMax
    else { return "the header of the -wal file beside it isn't what was written" }
    let frames = Frames(
      pageByteCount: pageByteCount, isBigEndian: word(at: 0) & 1 == 1,
      salts: [word(at: 16), word(at: 20)])
    return damage(in: frames, after: sums)
  }

  /// The properties of all frames, from the header.
  private struct Frames {
    let pageByteCount: Int
    let isBigEndian: Bool
    /// Frames of an earlier use of the file have others.
    let salts: [UInt32]

    var byteCount: Int { WriteAheadLog.frameHeaderByteCount + pageByteCount }

    func offset(of number: Int) -> Int { WriteAheadLog.headerByteCount + number * byteCount }
  }

  private mutating func damage(in frames: Frames, after sums: Sums) -> String? {
    let count = (size - Self.headerByteCount) / frames.byteCount
    var (number, sums) = (0, sums)
    while number < count, read(frames.byteCount, at: frames.offset(of: number)),
      [word(at: 8), word(at: 12)] == frames.salts
    {
      sums = sums.adding(buffer[..<8], isBigEndian: frames.isBigEndian)
        .adding(
          buffer[Self.frameHeaderByteCount..<frames.byteCount], isBigEndian: frames.isBigEndian)
      guard sums == Sums(word(at: 16), word(at: 20)) else { break }
      number += 1
    }
    let bad = number
    // A transaction after this frame was written when this frame was still whole.
    var (last, transactionCount) = (bad, 0)
    while number < count, read(Self.frameHeaderByteCount, at: frames.offset(of: number)) {
      if [word(at: 8), word(at: 12)] == frames.salts {
        last = number
        if number > bad, word(at: 4) != 0 { transactionCount += 1 }
      }
      number += 1
    }
    guard transactionCount > 0 else { return nil }
    return """
      frame \(bad + 1) of \(last + 1) in the -wal file beside it isn't what was written, so \
      \(transactionCount) \(transactionCount == 1 ? "write" : "writes") after it can't be used
      """
  }

  /// Reads bytes into the buffer; returns whether there are that many.
  private mutating func read(_ count: Int, at offset: Int) -> Bool {
    var done = 0
    while done < count {
      let result = buffer.withUnsafeMutableBytes {
        pread(descriptor, $0.baseAddress.map { $0 + done }, count - done, off_t(offset + done))
      }
      if result < 0, errno == EINTR { continue }
      guard result > 0 else { return false }
      done += result
    }
    return true
  }

  /// The big-endian word at an offset in the buffer.
  private func word(at offset: Int) -> UInt32 {
    buffer[offset..<(offset + 4)].reduce(0) { $0 << 8 | UInt32($1) }
  }
}

/// The two sums of all bytes up to a place, as SQLite computes them.
private struct Sums: Equatable {
  private var first: UInt32 = 0
  private var second: UInt32 = 0

  init() {}

  init(_ first: UInt32, _ second: UInt32) { (self.first, self.second) = (first, second) }

  /// Returns the sums with bytes added, whose count is a multiple of 8.
  func adding(_ bytes: ArraySlice<UInt8>, isBigEndian: Bool) -> Self {
    var sums = self
    bytes.withUnsafeBytes { bytes in
      for offset in stride(from: 0, to: bytes.count - 7, by: 8) {
        let one = bytes.loadUnaligned(fromByteOffset: offset, as: UInt32.self)
        let other = bytes.loadUnaligned(fromByteOffset: offset + 4, as: UInt32.self)
        sums.first &+= (isBigEndian ? one.bigEndian : one.littleEndian) &+ sums.second
        sums.second &+= (isBigEndian ? other.bigEndian : other.littleEndian) &+ sums.first
      }
    }
    return sums
  }
}
