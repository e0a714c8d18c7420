import Moonwire

/// The connection of a WebSocket, on its network's thread: first its handshake, then its frames.
final class WebSocketConnection: SocketWatcher {
  /// The reason of an end without a closing handshake.
  static let lossReason = "the connection was lost"
  /// The number of seconds that the server has for its part of the closing handshake.
  static let closeSecondsMax = 2
  /// The maximum number of bytes read before other sockets have their turn.
  private static let turnBytesMax = 256 << 10

  private let handle: TransferHandle
  private let socket: Int32
  private let opening: WebSocketOpening
  private unowned let loop: NetworkLoop
  private let frames: WebSocketFrames
  /// Closes the connection.
  private let ended: () -> Void
  /// The continuation that waits for the server's part of the handshake; nil once that is done.
  private var opened: CheckedContinuation<WebSocketAgreement, any Error>?
  private var handshake = AnswerLineReader()
  private var output = WebSocketOutput()
  /// The content of the last unanswered ping (RFC 6455 §5.5.3).
  private var ping: [UInt8]?
  private var phase = Phase.open
  private var isPaused = false
  private var readiness = Readiness.reading
  private var closing: [CheckedContinuation<Void, Never>] = []

  private enum Phase {
    case open
    /// The client's part of the closing handshake has been sent, and the server's may come.
    case closing
    /// The connection ends once all output has been sent.
    case leaving
    case ended
  }

  /// Makes a WebSocket of a connection over which nothing has been sent; nil if the system lacks
  /// resources.
  init?(
    _ opening: WebSocketOpening, over handle: TransferHandle, in loop: NetworkLoop,
    opened: CheckedContinuation<WebSocketAgreement, any Error>, ended: @escaping () -> Void
  ) {
    guard let socket = handle.socket,
      let frames = WebSocketFrames(bytesMax: opening.bytesMax, through: opening.inlet)
    else { return nil }
    self.opening = opening
    self.handle = handle
    self.loop = loop
    self.socket = socket
    self.frames = frames
    self.opened = opened
    self.ended = ended
  }

  /// Sends the client's part of the handshake.
  func begin() {
    guard loop.watch(socket, readiness, for: self) else {
      return end(.failed(opening.address.place, reason: "the system has no descriptor left"))
    }
    put(opening.requestBytes)
  }

  /// Sends a message, and reports whether the system has taken it.
  func send(
    _ bytes: [UInt8], as opcode: WebSocketFrames.Opcode, _ message: OutgoingMessage,
    holding share: HeldMemory.Share?, _ sent: CheckedContinuation<Bool, Never>
  ) {
    do throws(WebSocketFrames.Fault) {
      guard phase == .open else { return sent.resume(returning: false) }
      output.add(
        try frames.encoded(opcode, bytes), of: message, holding: share, sent: sent)
      flush()
    } catch {
      sent.resume(returning: false)
    }
  }

  /// Forgets an unsent message that nobody waits for any more.
  func abandon(_ message: OutgoingMessage) { output.abandon(message) }

  /// Begins the closing handshake, and reports when the connection has ended.
  func close(_ done: CheckedContinuation<Void, Never>) {
    guard phase != .ended else { return done.resume() }
    closing.append(done)
    sendClose(1000)
    endLater()
    read()
  }

  /// Ends the connection at once.
  func lose() {
    if opened != nil { return end(.connectionLost(opening.address.place)) }
    end(phase != .open ? nil : .socketClosed(code: 1006, reason: Self.lossReason))
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
    guard phase != .ended else { return }
    isPaused = false
    var buffer = [UInt8](repeating: 0, count: 16 << 10)
    var left = Self.turnBytesMax
    // Bytes read before may hold more messages than there was room for.
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
    // libcurl may hold bytes that the system no longer reports.
    loop.schedule(at: .now) { [weak self] _ in self?.read() }
  }

  /// Takes bytes of the handshake or of frames; returns false if the connection has ended.
  private func take(_ bytes: ArraySlice<UInt8>) -> Bool {
    var rest = bytes
    do throws(AnswerHeadFault) {
      if opened != nil {
        guard let head = try handshake.read(&rest) else { return true }
        guard agree(head) else { return false }
      }
    } catch {
      end(.malformedAnswer(opening.address.place, reason: "\(error)"))
      return false
    }
    frames.add(rest)
    return true
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

  /// Puts the messages that have arrived into the mailbox; returns false if reading must stop.
  private func handOver() -> Bool {
    do throws(WebSocketFrames.Fault) {
      while true {
        guard opening.mailbox.askForRoom() else {
          pause()
          return false
        }
        guard let unit = try frames.next() else {
          guard frames.wantsRoom else { break }
          try frames.askForRoom(then: opening.goOn)
          pause()
          return false
        }
        guard handle(unit) else { return false }
      }
    } catch {
      fail(error)
      return false
    }
    flush()
    if phase != .ended { watch() }
    return phase != .ended
  }

  /// Reads the message that has waited for room.
  func goOn(holding share: HeldMemory.Share?) {
    frames.admit(share)
    read()
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
        WebSocketMessage(bytes: unit.bytes, isBinary: isBinary, share: unit.share),
        size: unit.bytes.count)
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
    guard code.map(Self.isSendable) ?? true else { return fail(.unknownCode) }
    let reason = String(decoding: content.dropFirst(2), as: UTF8.self)
    let isExpected = code == nil || code == 1000 || code == 1001
    leave(code ?? 1000, isExpected ? nil : .socketClosed(code: code, reason: reason))
  }

  /// Returns whether a close frame may have a code (RFC 6455 §7.4).
  private static func isSendable(_ code: Int) -> Bool {
    switch code {
    case 1000...1003, 1007...1014, 3000...4999: true
    default: false
    }
  }

  private func fail(_ fault: WebSocketFrames.Fault) {
    switch fault {
    case .tooLarge:
      leave(1009, .socketClosed(code: 1009, reason: "a message is larger than max_bytes"))
    case .noRoom:
      leave(
        1009,
        .socketClosed(code: 1009, reason: "the host has no room for a message of the server"))
    case .masked, .reservedBit, .unknownOpcode, .unknownCode, .misplaced, .noMemory:
      leave(1002, .socketClosed(code: 1002, reason: "the server broke the protocol: \(fault)"))
    }
  }

  /// Reports the end, sends the client's part of the closing handshake, and then ends the
  /// connection.
  private func leave(_ code: Int, _ failure: HTTPFailure?) {
    opening.mailbox.end(failure)
    sendClose(code)
    phase = .leaving
    endLater()
    flush()
  }

  /// Ends the connection when the server's time has passed.
  private func endLater() {
    let end = ContinuousClock.now + .seconds(Self.closeSecondsMax)
    loop.schedule(at: end) { [weak self] _ in self?.lose() }
  }

  private func sendClose(_ code: Int) {
    guard phase == .open, opened == nil else { return }
    phase = .closing
    if let frame = try? frames.encoded(.close, [UInt8(code >> 8 & 255), UInt8(code & 255)]) {
      put(frame)
    }
  }

  private func put(_ bytes: [UInt8]) {
    output.add(bytes)
    flush()
  }

  /// Sends as much as the system takes.
  private func flush() {
    guard phase != .ended else { return }
    while true {
      if output.isEmpty, phase == .open, let content = ping {
        ping = nil
        guard let frame = try? frames.encoded(.pong, content) else { return }
        output.add(frame)
      }
      guard let next = output.next else { break }
      switch handle.send(next) {
      case .bytes(let count): output.note(sent: count)
      case .nothing: return watch()
      case .end: return lose()
      }
    }
    if phase == .leaving { return end(nil) }
    watch()
  }

  private func pause() {
    isPaused = true
    watch()
  }

  /// Watches the socket for whatever has to be done.
  ///
  /// If there is nothing to do, it isn't watched at all; otherwise the system would report a broken
  /// connection repeatedly.
  private func watch() {
    var wanted: Readiness = isPaused || phase == .leaving ? [] : .reading
    if !output.isEmpty { wanted.insert(.writing) }
    guard wanted != readiness else { return }
    readiness = wanted
    if wanted.isEmpty { loop.unwatch(socket) } else { loop.watch(socket, wanted, for: self) }
  }

  /// Ends the connection, and tells everyone who waits for it.
  func end(_ failure: HTTPFailure?) {
    guard phase != .ended else { return }
    phase = .ended
    loop.unwatch(socket)
    frames.withdraw()
    opening.mailbox.end(failure)
    opened?.resume(
      throwing: Transfer.Failure.failed(failure ?? .connectionLost(opening.address.place)))
    opened = nil
    output.removeAll()
    ended()
    for one in closing { one.resume() }
    closing = []
  }
}
