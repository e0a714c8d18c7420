import CCurl
import Glibc

/// Names a message that is to be sent.
final class OutgoingMessage: Sendable {}

/// The connection of a WebSocket, on the thread of its network: its handshake, then its frames.
final class WebSocketConnection: SocketWatcher {
  /// The reason of an end without a closing handshake.
  static let lossReason = "the connection was lost"
  /// The most bytes that are read before other sockets have their turn.
  private static let turnBytesMax = 256 << 10

  let handle: TransferHandle
  private let transfer: Transfer
  private let opening: WebSocketOpening
  private unowned let loop: NetworkLoop
  private unowned let pool: ConnectionPool
  private let socket: Int32
  private let frames: WebSocketFrames
  /// What waits for the server's part of the handshake; nil once that is done.
  private var opened: CheckedContinuation<WebSocketAgreement, any Error>?
  private var reader = AnswerHeadReader()
  private var line: [UInt8] = []
  private var output: [Output] = []
  /// The bytes of the first output that the system has taken.
  private var sentCount = 0
  /// The content of the last ping that isn't answered yet (RFC 6455 §5.5.3).
  private var ping: [UInt8]?
  private var hasSentClose = false
  /// Whether the connection ends when all output is sent.
  private var isLeaving = false
  private var isPaused = false
  private var readiness = Readiness.reading
  private var closing: [CheckedContinuation<Void, Never>] = []
  private var hasEnded = false

  private struct Output {
    let bytes: [UInt8]
    var message: OutgoingMessage?
    var sent: CheckedContinuation<Bool, Never>?
  }

  /// Begins the handshake over a connection; nil if the system has nothing left for it.
  init?(
    _ transfer: Transfer, _ opening: WebSocketOpening, over handle: TransferHandle,
    in pool: ConnectionPool, of loop: NetworkLoop,
    opened: CheckedContinuation<WebSocketAgreement, any Error>
  ) {
    guard let socket = handle.socket, let frames = WebSocketFrames(bytesMax: opening.bytesMax)
    else { return nil }
    self.transfer = transfer
    self.opening = opening
    self.handle = handle
    self.pool = pool
    self.loop = loop
    self.socket = socket
    self.frames = frames
    self.opened = opened
  }

  /// Sends the client's part of the handshake.
  func begin() {
    guard loop.watch(socket, readiness, for: self) else {
      return end(.failed(opening.address.place, reason: "the system has no descriptor left"))
    }
    put(opening.requestBytes)
  }

  /// Sends a message and tells whether the system has taken it.
  func send(
    _ bytes: [UInt8], as opcode: WebSocketFrames.Opcode, _ message: OutgoingMessage,
    _ sent: CheckedContinuation<Bool, Never>
  ) {
    do throws(WebSocketFrames.Fault) {
      guard !hasSentClose, !hasEnded else { return sent.resume(returning: false) }
      let frame = try frames.encoded(opcode, bytes)
      output.append(Output(bytes: frame, message: message, sent: sent))
      flush()
    } catch {
      sent.resume(returning: false)
    }
  }

  /// Forgets a message of which nothing is sent yet; nobody waits for it any more.
  func abandon(_ message: OutgoingMessage) {
    guard let index = output.firstIndex(where: { $0.message === message }) else { return }
    output[index].sent?.resume(returning: false)
    output[index].sent = nil
    if index > 0 || sentCount == 0 { output.remove(at: index) }
  }

  /// Begins the closing handshake, and tells when the connection has ended.
  func close(_ done: CheckedContinuation<Void, Never>) {
    guard !hasEnded else { return done.resume() }
    closing.append(done)
    sendClose(1000)
    let end = ContinuousClock.now + .seconds(WebSocket.closeSecondsMax)
    loop.schedule(at: end) { [weak self] _ in self?.lose() }
    read()
  }

  /// Ends the connection at once.
  func lose() {
    if opened != nil { return end(.connectionLost(opening.address.place)) }
    end(hasSentClose ? nil : .socketClosed(code: 1006, reason: Self.lossReason))
  }

  /// Ends the connection, which nobody uses any more.
  func cancel() {
    opened?.resume(throwing: Transfer.Failure.cancelled)
    opened = nil
    end(nil)
  }

  func socket(_ socket: Int32, isReady readiness: Readiness) {
    if readiness.contains(.writing) { flush() }
    if readiness.contains(.reading) || !readiness.isDisjoint(with: .failing) { read() }
  }

  /// Reads while there is room for messages.
  func read() {
    guard !hasEnded else { return }
    isPaused = false
    var buffer = [UInt8](repeating: 0, count: 16 << 10)
    var left = Self.turnBytesMax
    // What was read before may hold more messages than there was room for.
    guard handOver() else { return }
    while left > 0 {
      switch handle.receive(into: &buffer) {
      case .bytes(let count):
        left -= count
        guard take(buffer[..<count]), handOver() else { return }
      case .nothing: return
      case .end: return lose()
      }
    }
    // libcurl may hold bytes that the system doesn't tell of any more.
    loop.schedule(at: .now) { [weak self] _ in self?.read() }
  }

  /// Takes bytes of the handshake or of frames; returns false if the connection has ended.
  private func take(_ bytes: ArraySlice<UInt8>) -> Bool {
    var rest = bytes
    while opened != nil, let byte = rest.popFirst() {
      line.append(byte)
      guard line.count <= AnswerHeadReader.bytesMax else { return fail(.tooLong) }
      guard byte == UInt8(ascii: "\n") else { continue }
      defer { line = [] }
      do throws(AnswerHeadFault) {
        guard let head = try readLine() else { continue }
        guard agree(head) else { return false }
      } catch {
        return fail(error)
      }
    }
    frames.add(rest)
    return true
  }

  private func readLine() throws(AnswerHeadFault) -> AnswerHead? {
    try line.withUnsafeBufferPointer { (bytes) throws(AnswerHeadFault) in
      try reader.read(UnsafeRawBufferPointer(bytes))
    }
  }

  private func fail(_ fault: AnswerHeadFault) -> Bool {
    end(.malformedAnswer(opening.address.place, reason: "\(fault)"))
    return false
  }

  private func agree(_ head: AnswerHead) -> Bool {
    do throws(HTTPFailure) {
      let agreement = try opening.agreement(in: head)
      opened?.resume(returning: agreement)
      opened = nil
      return true
    } catch {
      end(error)
      return false
    }
  }

  /// Puts the messages that have arrived into the mailbox; returns false if no more is to be read.
  private func handOver() -> Bool {
    do throws(WebSocketFrames.Fault) {
      while true {
        guard opening.mailbox.askForRoom() else {
          pause()
          return false
        }
        guard let unit = try frames.next() else { break }
        guard handle(unit) else { return false }
      }
    } catch {
      fail(error)
      return false
    }
    flush()
    if !hasEnded { watch() }
    return !hasEnded
  }

  private func handle(_ unit: WebSocketFrames.Unit) -> Bool {
    switch unit.opcode {
    case .text, .binary:
      let isBinary = unit.opcode == .binary
      guard isBinary || String(validating: unit.bytes, as: UTF8.self) != nil else {
        leave(1007, .socketClosed(code: 1007, reason: "the server sent a text that isn't UTF-8"))
        return false
      }
      opening.mailbox.add(
        WebSocket.Message(bytes: unit.bytes, isBinary: isBinary), size: unit.bytes.count)
    case .ping: ping = unit.bytes
    case .close:
      answerClose(unit.bytes)
      return false
    case .pong, .continuation: break
    }
    return true
  }

  private func answerClose(_ content: [UInt8]) {
    guard content.count != 1 else { return fail(.misplaced) }
    let code = content.count < 2 ? nil : Int(content[0]) << 8 | Int(content[1])
    let reason = String(decoding: content.dropFirst(2), as: UTF8.self)
    let isExpected = code == nil || code == 1000 || code == 1001
    leave(code ?? 1000, isExpected ? nil : .socketClosed(code: code, reason: reason))
  }

  private func fail(_ fault: WebSocketFrames.Fault) {
    switch fault {
    case .tooLarge:
      leave(1009, .socketClosed(code: 1009, reason: "a message is larger than max_bytes"))
    case .masked, .reservedBit, .unknownOpcode, .misplaced, .noMemory:
      leave(1002, .socketClosed(code: 1002, reason: "the server broke the protocol: \(fault)"))
    }
  }

  /// Tells the end, sends the own part of the closing handshake, and ends the connection after it.
  private func leave(_ code: Int, _ failure: HTTPFailure?) {
    opening.mailbox.end(failure)
    sendClose(code)
    isLeaving = true
    let end = ContinuousClock.now + .seconds(WebSocket.closeSecondsMax)
    loop.schedule(at: end) { [weak self] _ in self?.lose() }
    flush()
  }

  private func sendClose(_ code: Int) {
    guard !hasSentClose, opened == nil else { return }
    hasSentClose = true
    if let frame = try? frames.encoded(.close, [UInt8(code >> 8 & 255), UInt8(code & 255)]) {
      put(frame)
    }
  }

  private func put(_ bytes: [UInt8]) {
    output.append(Output(bytes: bytes))
    flush()
  }

  /// Sends what the system takes.
  private func flush() {
    guard !hasEnded else { return }
    while true {
      if output.isEmpty, let content = ping, !hasSentClose {
        ping = nil
        guard let frame = try? frames.encoded(.pong, content) else { return }
        output.append(Output(bytes: frame))
      }
      guard let first = output.first else { break }
      switch handle.send(first.bytes[sentCount...]) {
      case .bytes(let count):
        sentCount += count
        guard sentCount == first.bytes.count else { continue }
        sentCount = 0
        output.removeFirst()
        first.sent?.resume(returning: true)
      case .nothing: return watch()
      case .end: return lose()
      }
    }
    if isLeaving { return end(nil) }
    watch()
  }

  private func pause() {
    isPaused = true
    watch()
  }

  /// Watches the socket for what is to be done.
  private func watch() {
    var wanted: Readiness = isPaused || isLeaving ? [] : .reading
    if !output.isEmpty { wanted.insert(.writing) }
    guard wanted != readiness else { return }
    readiness = wanted
    loop.watch(socket, wanted, for: self)
  }

  /// Ends the connection, and tells all that wait for it.
  func end(_ failure: HTTPFailure?) {
    guard !hasEnded else { return }
    hasEnded = true
    loop.unwatch(socket)
    opening.mailbox.end(failure)
    opened?.resume(
      throwing: Transfer.Failure.failed(failure ?? .connectionLost(opening.address.place)))
    opened = nil
    for one in output { one.sent?.resume(returning: false) }
    output = []
    pool.release(self, of: transfer)
    for one in closing { one.resume() }
    closing = []
  }
}
