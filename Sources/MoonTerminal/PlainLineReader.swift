import Glibc

/// A reader of lines without editing, from a pipe, a file, or a terminal that can't move its
/// cursor.
package struct PlainLineReader {
  /// The maximum length of a line in bytes.
  ///
  /// A line is a piece of a script. Without a limit, an endless one would take all memory.
  package static let lineByteCountMax = 1 << 20

  private static let chunkByteCount = 1 << 16
  /// U+FEFF in UTF-8, which some editors write at the beginning of a file.
  private static let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]

  private let input: Int32
  private let prompting: Int32?
  private var buffer: [UInt8] = []
  private var consumedCount = 0
  private var hasEnded = false
  private var isAtStart = true

  /// Reads from `input`.
  ///
  /// Prompts are written to `output`, but only if `input` is a terminal.
  package init(input: Int32, output: Int32) {
    self.input = input
    prompting = isatty(input) == 1 ? output : nil
  }

  /// Reads one line, blocking until it is complete.
  ///
  /// The newline and a carriage return before it are removed; the last line may lack them. A byte
  /// order mark at the beginning of the input is removed as well. Bytes that aren't UTF-8 become
  /// U+FFFD. The result is never ``ReadResult/interrupted`` or ``ReadResult/quit``.
  ///
  /// - Parameter prompt: Written first if the input is a terminal.
  /// - Returns: The line, or that the input has ended.
  /// - Throws: ``LineReadError``. After ``LineReadError/lineTooLong(byteCountMax:)`` the next call
  ///   reads the next line.
  /// - Complexity: O(length of the line).
  package mutating func readLine(prompt: String = "") throws(LineReadError) -> ReadResult {
    if let prompting { _ = Descriptor.write(prompt, to: prompting) }
    var searchedCount = 0
    while true {
      let unsearched = buffer[(consumedCount + searchedCount)...]
      if let end = unsearched.firstIndex(of: UInt8(ascii: "\n")) {
        return try takeLine(upTo: end)
      }
      searchedCount = buffer.count - consumedCount
      if hasEnded {
        guard searchedCount > 0 else { return .endOfInput }
        return try takeLine(upTo: buffer.count)
      }
      if searchedCount > Self.lineByteCountMax {
        try skipLine()
        throw .lineTooLong(byteCountMax: Self.lineByteCountMax)
      }
      try fill()
    }
  }
}

extension PlainLineReader {
  private mutating func takeLine(upTo end: Int) throws(LineReadError) -> ReadResult {
    var line = buffer[consumedCount..<end]
    if isAtStart, line.starts(with: Self.byteOrderMark) {
      line.removeFirst(Self.byteOrderMark.count)
    }
    isAtStart = false
    consumedCount = min(end + 1, buffer.count)
    if line.count > Self.lineByteCountMax {
      throw .lineTooLong(byteCountMax: Self.lineByteCountMax)
    }
    if line.last == UInt8(ascii: "\r") { line.removeLast() }
    return .line(String(decoding: line, as: UTF8.self))
  }

  /// Drops the rest of the current line, one chunk at a time.
  private mutating func skipLine() throws(LineReadError) {
    while true {
      if let end = buffer[consumedCount...].firstIndex(of: UInt8(ascii: "\n")) {
        consumedCount = end + 1
        return
      }
      consumedCount = buffer.count
      if hasEnded { return }
      try fill()
    }
  }

  private mutating func fill() throws(LineReadError) {
    buffer.removeFirst(consumedCount)
    consumedCount = 0
    let chunk = UnsafeMutableRawBufferPointer.allocate(
      byteCount: Self.chunkByteCount, alignment: 1)
    defer { chunk.deallocate() }
    while true {
      let count = read(input, chunk.baseAddress, chunk.count)
      if count > 0 {
        buffer.append(contentsOf: chunk[..<count])
        return
      }
      if count == 0 {
        hasEnded = true
        return
      }
      switch errno {
      case EINTR: continue
      case EAGAIN:
        var source = pollfd(fd: input, events: Int16(POLLIN), revents: 0)
        _ = poll(&source, 1, -1)
      default: throw .unreadable(code: errno)
      }
    }
  }
}

/// The reason that a line couldn't be read.
package enum LineReadError: Error, Sendable, Equatable {
  /// The line has more bytes than ``PlainLineReader/lineByteCountMax``; it was skipped.
  case lineTooLong(byteCountMax: Int)
  /// Reading failed; `code` is the system's `errno`.
  case unreadable(code: Int32)
}

extension LineReadError: CustomStringConvertible {
  /// One sentence.
  package var description: String {
    switch self {
    case .lineTooLong(let max): "a line is longer than \(max) bytes, and was left out"
    case .unreadable(let code): "standard input can't be read: \(SystemText.error(code))"
    }
  }
}
