import Glibc
import MoonFiles
package import MoonProtocol
import MoonServices
package import Moonwire
import Synchronization

/// A client's connection to a host, at a socket or in this program.
package final class HostLink: Sendable {
  /// The maximum number of bytes of a line of a host: states may be large.
  private static let lineBytesMax = 512 << 20
  private static let readBytesMax = 64 << 10
  private static let stackBytes = 2 << 20
  /// The maximum time in which a host that isn't stopped says what it is.
  package static let descriptionTimeMax: Duration = .seconds(5)

  private struct Contents {
    var calls: [Int64: CheckedContinuation<Result<Value, LinkError>, Never>] = [:]
    var lastID: Int64 = 0
    var hasEnded = false
    /// The error of the host that isn't about one call, such as that it has too many clients.
    var refusal: LinkError?
  }

  /// What the bytes go through.
  private enum Channel {
    case socket(UnixSocket)
    /// The host is in this program.
    case server(ClientConnection)
  }

  private let channel: Channel
  private let contents = Mutex(Contents())
  /// Held while a line is written, so that lines don't mix.
  private let writing = Mutex(())
  private let notify: @Sendable (_ method: String, _ parameters: Value) -> Void
  private let finish: @Sendable () -> Void

  /// Connects to the host at a path.
  ///
  /// `notify` is called with each notification, and `finish` when the connection has ended, both on
  /// the connection's thread.
  ///
  /// - Throws: ``LinkError``
  package init(
    to path: String,
    notify: @escaping @Sendable (_ method: String, _ parameters: Value) -> Void = { _, _ in },
    finish: @escaping @Sendable () -> Void = {}
  ) throws(LinkError) {
    let socket = try UnixSocket.connected(to: path)
    channel = .socket(socket)
    (self.notify, self.finish) = (notify, finish)
    do throws(SystemError) {
      try SystemThread(stackBytes: Self.stackBytes) { [self] in
        read(from: socket) { take($0) }
        endCalls()
      }.detach()
    } catch {
      throw .system("a thread", code: error.code)
    }
  }

  /// Connects to a host in this program, which is used as any other.
  package init(
    to server: ProtocolServer,
    notify: @escaping @Sendable (_ method: String, _ parameters: Value) -> Void = { _, _ in },
    finish: @escaping @Sendable () -> Void = {}
  ) {
    let output = OwnOutput()
    channel = .server(ClientConnection(to: server, output))
    (self.notify, self.finish) = (notify, finish)
    output.link.withLock { $0.link = self }
  }

  // The thread of a socket holds the object, so it has ended.
  deinit {
    switch channel {
    case .socket(let socket): socket.close()
    case .server(let connection): connection.close()
    }
  }

  /// Whether the host is there.
  package var isOpen: Bool { contents.withLock { !$0.hasEnded } }

  /// Ends the connection; it is kept until then.
  package func close() {
    switch channel {
    case .socket(let socket): shutdown(socket.descriptor, Int32(SHUT_RDWR))
    case .server(let connection):
      connection.close()
      endCalls()
    }
  }

  /// Calls a method; returns its result.
  ///
  /// Cancelling the task doesn't cancel the call; see ``send(_:_:)`` and `$/cancel`.
  ///
  /// - Throws: ``LinkError/refused(code:message:data:)`` or ``LinkError/ended``
  package func call(_ method: String, _ parameters: Map = Map()) async throws(LinkError) -> Value {
    let result = await withCheckedContinuation { continuation in
      let (id, reason) = contents.withLock { contents -> (Int64?, LinkError) in
        guard !contents.hasEnded else { return (nil, contents.refusal ?? .ended) }
        contents.lastID += 1
        contents.calls[contents.lastID] = continuation
        return (contents.lastID, .ended)
      }
      guard let id else { return continuation.resume(returning: .failure(reason)) }
      write([
        "jsonrpc": "2.0", "id": .int(id), "method": .string(Text(method)),
        "params": .map(parameters),
      ])
    }
    return try result.get()
  }

  /// Calls a method whose answer needs no work; ends the connection if there is none in time.
  ///
  /// - Throws: as ``call(_:_:)``, or ``LinkError/silent``
  package func call(
    _ method: String, within time: Duration
  ) async throws(LinkError) -> Value {
    let clock = Task { [weak self] in
      try await Task.sleep(for: time)
      self?.contents.withLock { $0.refusal = .silent }
      self?.close()
    }
    defer { clock.cancel() }
    return try await call(method)
  }

  /// The id of the process of a host at a socket; nil if it isn't known.
  package var processID: Int32? {
    if case .socket(let socket) = channel { socket.processID } else { nil }
  }

  /// Cancels the call that waits for its answer.
  package func cancelCalls() {
    for id in contents.withLock({ Array($0.calls.keys) }) {
      write(["jsonrpc": "2.0", "method": "$/cancel", "params": ["id": .int(id)]])
    }
  }

  private func write(_ message: Value) {
    var bytes = Array(message.canonicalText.utf8)
    bytes.append(UInt8(ascii: "\n"))
    switch channel {
    case .socket(let socket): writing.withLock { _ in write(bytes[...], to: socket) }
    case .server(let connection): writing.withLock { _ in connection.receive(bytes) }
    }
  }

  private func write(_ bytes: ArraySlice<UInt8>, to socket: UnixSocket) {
    var rest = bytes
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes {
        send(socket.descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
      }
      if count < 0, errno == EINTR { continue }
      // The thread that reads notices the end, and ends the calls.
      guard count > 0 else { return close() }
      rest = rest.dropFirst(count)
    }
  }

  private func read(from socket: UnixSocket, _ take: ([UInt8]) -> Void) {
    var splitter = LineSplitter(bytesMax: Self.lineBytesMax)
    var bytes = [UInt8](repeating: 0, count: Self.readBytesMax)
    while true {
      let count = recv(socket.descriptor, &bytes, bytes.count, 0)
      if count < 0, errno == EINTR { continue }
      guard count > 0, let lines = splitter.lines(adding: Array(bytes[..<count])) else { return }
      for line in lines { take(line) }
    }
  }

  fileprivate func take(_ line: [UInt8]) {
    let limits = ParseLimits(
      depthMax: Value.wrappedDepthMax + 8, nodeCountMax: .max, byteCountMax: .max)
    guard let message = try? Value(parsing: line, limits: limits) else { return }
    if let method = message["method"]?.stringValue {
      return notify(method, message["params"] ?? .null)
    }
    let error = message["error"]
    let refusal = LinkError.refused(
      code: error?["code"]?.intValue ?? 0, message: error?["message"]?.stringValue ?? "",
      data: error?["data"])
    guard let id = message["id"]?.intValue else {
      return contents.withLock { $0.refusal = refusal }
    }
    guard let call = contents.withLock({ $0.calls.removeValue(forKey: id) }) else { return }
    call.resume(returning: message["result"].map { .success($0) } ?? .failure(refusal))
  }

  fileprivate func endCalls() {
    let (calls, reason) = contents.withLock { contents in
      contents.hasEnded = true
      defer { contents.calls = [:] }
      return (Array(contents.calls.values), contents.refusal ?? .ended)
    }
    for call in calls { call.resume(returning: .failure(reason)) }
    finish()
  }
}

/// The output of a host to a client in the same program, which takes lines as they come.
private final class OwnOutput: ClientOutput {
  struct Client {
    weak var link: HostLink?
  }

  let link = Mutex(Client())

  func send(_ line: [UInt8]) { link.withLock { $0.link }?.take(line) }
  func post(_ line: [UInt8]) { send(line) }
  var isCongested: Bool { false }
  func end() { link.withLock { $0.link }?.endCalls() }
}
