import Glibc

/// Why a connection ends.
enum ConnectionEnd: Error {
  /// One of the two sides leaves.
  case closed
  /// The client broke the protocol, or a limit of the server.
  case malformed
}

/// An accepted connection, whose calls wait until bytes have come or gone.
///
/// It belongs to one thread. The server closes the descriptor afterwards.
final class Connection {
  /// The maximum number of bytes that are read at once.
  private static let readBytesMax = 1 << 14
  /// The maximum number of bytes of a client that are thrown away at the end.
  private static let discardBytesMax = 1 << 26

  /// `POLLRDHUP` of Linux.
  private static let leaving: Int16 = 0x2000

  private let descriptor: Int32
  private let tls: TLSStream?
  /// What is read into at once.
  private var room = [UInt8](repeating: 0, count: readBytesMax)
  /// What was read and, from the position on, wasn't taken.
  private var buffer: [UInt8] = []
  private var position = 0
  private var isReset = false

  /// - Throws: ``ConnectionEnd`` if the client doesn't agree on TLS.
  init(_ descriptor: Int32, tls: ServerTLS?) throws(ConnectionEnd) {
    self.descriptor = descriptor
    // So that bytes written one by one also arrive so.
    var one: Int32 = 1
    setsockopt(
      descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, &one, socklen_t(MemoryLayout<Int32>.size))
    self.tls = try tls?.accept(descriptor)
  }

  /// Returns the next byte without taking it; nil if the client has left.
  func peek() throws(ConnectionEnd) -> UInt8? {
    if position == buffer.count, try !fill() { return nil }
    return buffer[position]
  }

  /// Takes a number of bytes.
  func take(_ count: Int) throws(ConnectionEnd) -> [UInt8] {
    while buffer.count - position < count {
      guard try fill() else { throw .closed }
    }
    defer { position += count }
    return Array(buffer[position..<position + count])
  }

  /// Takes a line of text and leaves its end out.
  func takeLine(bytesMax: Int) throws(ConnectionEnd) -> String {
    var line: [UInt8] = []
    while true {
      guard let byte = try peek() else { throw .closed }
      position += 1
      if byte == UInt8(ascii: "\n") { break }
      // What isn't HTTP, such as TLS, may never end its line.
      let isText = byte >= 0x20 || byte == UInt8(ascii: "\r") || byte == UInt8(ascii: "\t")
      guard isText, line.count < bytesMax else { throw .malformed }
      line.append(byte)
    }
    if line.last == UInt8(ascii: "\r") { line.removeLast() }
    return String(decoding: line, as: UTF8.self)
  }

  func write(_ bytes: [UInt8]) throws(ConnectionEnd) {
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { bytes in
        tls?.write(bytes) ?? Glibc.write(descriptor, bytes.baseAddress, bytes.count)
      }
      if count <= 0 {
        guard tls == nil, errno == EINTR else { throw .closed }
      } else {
        rest = rest.dropFirst(count)
      }
    }
  }

  /// Lets a time pass, unless the client leaves in it.
  func pause(for duration: Duration) throws(ConnectionEnd) {
    let (seconds, attoseconds) = duration.components
    let milliseconds = Int32(clamping: seconds * 1_000 + attoseconds / 1_000_000_000_000_000)
    // Input isn't waited for: the client may have sent more than was taken.
    var source = pollfd(fd: descriptor, events: Self.leaving, revents: 0)
    if poll(&source, 1, milliseconds) > 0 { throw .closed }
  }

  /// Says that no more is coming, unless the connection was reset.
  func finish() {
    if isReset { return }
    tls?.shutDown()
    _ = shutdown(descriptor, Int32(SHUT_WR))
  }

  /// Throws away what the client sends until it leaves.
  func discard() throws(ConnectionEnd) {
    var count = 0
    while count < Self.discardBytesMax {
      position = buffer.count
      guard try fill() else { return }
      count += buffer.count
    }
  }

  /// Lets the client see an error of its system instead of the end.
  func reset() {
    isReset = true
    var lingering = linger(l_onoff: 1, l_linger: 0)
    setsockopt(
      descriptor, SOL_SOCKET, SO_LINGER, &lingering, socklen_t(MemoryLayout<linger>.size))
  }

  /// Reads more; returns whether there was more.
  private func fill() throws(ConnectionEnd) -> Bool {
    var count = 0
    repeat {
      count = room.withUnsafeMutableBytes {
        tls?.read($0) ?? Glibc.read(descriptor, $0.baseAddress, $0.count)
      }
    } while count < 0 && tls == nil && errno == EINTR
    if count < 0 { throw .closed }
    buffer.removeFirst(position)
    buffer += room[..<count]
    position = 0
    return count > 0
  }
}
