import Dispatch
import Glibc
import MoonProtocol
import Synchronization

/// The one client of a host that speaks the protocol on standard input and output.
final class StandardStreams: ClientOutput {
  /// The number of bytes that wait to be written, above which subscriptions hold back.
  private static let congestionBytesMax = 1 << 20
  private static let readBytesMax = 64 << 10

  // Writing blocks its thread, as does reading.
  private let writing = DispatchQueue(label: "moonwire.replies")
  private let waitingBytes = Atomic(0)
  private let hasEnded = Atomic(false)
  private let drained: Mutex<(@Sendable () -> Void)?> = Mutex(nil)

  /// Serves the client until the end of standard input, or until nobody reads the answers.
  static func serve(_ server: ProtocolServer) async {
    let streams = StandardStreams()
    let connection = ClientConnection(to: server, streams)
    streams.drained.withLock { $0 = { [weak connection] in connection?.outputDrained() } }
    await withCheckedContinuation { continuation in
      DispatchQueue(label: "moonwire.requests").async {
        streams.read { connection.receive($0) }
        continuation.resume()
      }
    }
    await connection.finish()
    await withCheckedContinuation { continuation in
      streams.writing.async { continuation.resume() }
    }
  }

  private func read(_ receive: ([UInt8]) -> Void) {
    var bytes = [UInt8](repeating: 0, count: Self.readBytesMax)
    while !hasEnded.load(ordering: .relaxed) {
      let count = Glibc.read(STDIN_FILENO, &bytes, bytes.count)
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { return }
      receive(Array(bytes[..<count]))
    }
  }

  func send(_ line: [UInt8]) {
    waitingBytes.add(line.count + 1, ordering: .relaxed)
    writing.async { [self] in
      write(line + [UInt8(ascii: "\n")])
      let (before, after) = waitingBytes.subtract(line.count + 1, ordering: .relaxed)
      if before > Self.congestionBytesMax, after <= Self.congestionBytesMax {
        drained.withLock { $0 }?()
      }
    }
  }

  func post(_ line: [UInt8]) { send(line) }

  var isCongested: Bool { waitingBytes.load(ordering: .relaxed) > Self.congestionBytesMax }

  func end() { hasEnded.store(true, ordering: .relaxed) }

  private func write(_ bytes: [UInt8]) {
    var rest = bytes[...]
    while !rest.isEmpty, !hasEnded.load(ordering: .relaxed) {
      let count = rest.withUnsafeBytes { Glibc.write(STDOUT_FILENO, $0.baseAddress, $0.count) }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { return end() }
      rest = rest.dropFirst(count)
    }
  }
}
