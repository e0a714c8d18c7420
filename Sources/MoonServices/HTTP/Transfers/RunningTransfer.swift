import CCurl
import CMoonCurl
import Glibc
import Moonwire

/// A transfer that libcurl carries out, and what has arrived of its answer.
final class RunningTransfer {
  /// The maximum number of bytes of a redirect's body that are read to reuse its connection.
  private static let droppedBytesMax = 64 << 10

  let transfer: Transfer
  let handle: TransferHandle
  private let receiver: Transfer.Receiver
  private var reader = AnswerHeadReader()
  private var head: AnswerHead?
  private var body: [UInt8] = []
  /// What holds the body for the module.
  private var share: HeldMemory.Share?
  private var bodyCount = 0
  /// The reason that the callbacks ended the transfer.
  private var failure: Transfer.Failure?
  /// The reason for not connecting to an address.
  private var refusal: GrantRefusal?
  private var hasOpenedSocket = false
  private var hasSent = false
  private var lastBytes = ContinuousClock.now

  init(_ transfer: Transfer, to receiver: Transfer.Receiver, over handle: TransferHandle) {
    self.transfer = transfer
    self.receiver = receiver
    self.handle = handle
  }

  private var place: String { transfer.request.address.place }
  private var limits: OutgoingRequest.Limits { transfer.request.limits }

  private var purpose: TransferHandle.Purpose {
    switch receiver {
    case .whole: .wholeAnswer
    case .parts: .partsOfAnswer
    case .webSocket: .webSocket
    }
  }

  /// Whether only a connection is wanted.
  var isWebSocket: Bool { purpose == .webSocket }

  /// Prepares the handle; returns false if memory has run out.
  func prepare() -> Bool {
    handle.prepare(
      for: transfer, purpose, Self.callbacks, Unmanaged.passUnretained(self).toOpaque())
  }

  /// The time at which the server's silence becomes too long; nil if there is no limit.
  var silenceEnd: ContinuousClock.Instant? {
    guard purpose == .wholeAnswer, let seconds = limits.readWithinWhole else { return nil }
    // The server can't be silent before it has been asked.
    return (hasSent ? lastBytes : .now) + .seconds(seconds)
  }

  /// Makes a WebSocket of the connection; nil if the transfer isn't for one.
  ///
  /// If resources have run out, the receiver is told.
  func webSocket(
    in loop: NetworkLoop, ended: @escaping () -> Void
  ) -> WebSocketConnection? {
    guard case .webSocket(let opening, let opened) = receiver else { return nil }
    if let connection = WebSocketConnection(
      opening, over: handle, in: loop, opened: opened, ended: ended)
    {
      return connection
    }
    fail(.failed(.noResources(place)))
    return nil
  }

  /// Tells the receiver about the end that libcurl found.
  func end(_ code: CURLcode) {
    if let failure { return fail(failure) }
    // A redirect is followed even if its body hasn't ended.
    if code == CURLE_OK || (head.map(isFollowed) ?? false) {
      guard let head else { return fail(.failed(.connectionLost(place))) }
      switch receiver {
      case .whole(let continuation):
        continuation.resume(returning: (head, WholeBody(bytes: body, share: share)))
      case .parts(_, let mailbox): mailbox.end(nil)
      case .webSocket: break
      }
      return
    }
    if let refusal, !hasOpenedSocket { return fail(.refused(refusal)) }
    // libcurl reports its own limits for lines as a lack of memory.
    if code == CURLE_OUT_OF_MEMORY, hasSent, head == nil {
      return fail(.failed(.malformedAnswer(place, reason: "\(AnswerHeadFault.tooLong)")))
    }
    let failure = HTTPFailure(code, of: handle, at: place)
    let isUnanswered = hasSent && !hasOpenedSocket && !reader.hasBegun
    if isUnanswered, case .connectionLost = failure { return fail(.unanswered(failure)) }
    fail(.failed(failure))
  }

  /// Tells the receiver that there is no answer, or nothing more of its body.
  func fail(_ failure: Transfer.Failure) {
    if head != nil, case .parts(_, let mailbox) = receiver {
      return mailbox.end(failure.reason ?? .connectionLost(place))
    }
    receiver.fail(failure)
  }

  /// Notes that the server isn't silent.
  func noteBytes() {
    if limits.readWithinWhole != nil { lastBytes = .now }
  }

  private func isFollowed(_ head: AnswerHead) -> Bool {
    limits.redirectCountMax > 0 && head.isRedirect
  }
}

/// The callbacks of libcurl.
extension RunningTransfer {
  /// Takes a line of the head, or of the fields after the body; returns false to end the transfer.
  fileprivate func take(line: UnsafeRawBufferPointer) -> Bool {
    noteBytes()
    do throws(AnswerHeadFault) {
      guard let head = try reader.read(line) else { return true }
      return begin(head)
    } catch {
      return stop(.malformedAnswer(place, reason: "\(error)"))
    }
  }

  private func begin(_ head: AnswerHead) -> Bool {
    guard head.status != 101 else {
      return stop(
        .malformedAnswer(place, reason: "it changes the protocol, which nobody asked for"))
    }
    let hasBody = purpose == .wholeAnswer && !isFollowed(head) && transfer.request.method != .head
    if hasBody, let announced = head.headers.first("content-length").flatMap({ Int($0) }) {
      guard announced <= limits.bytesMax else { return stop(tooLarge) }
    }
    self.head = head
    if case .parts(let continuation, _) = receiver { continuation.resume(returning: head) }
    return true
  }

  /// The result of taking a part of the body.
  fileprivate enum Taken {
    case all, later, never
  }

  fileprivate func take(part: UnsafeRawBufferPointer) -> Taken {
    noteBytes()
    guard let head else { return .never }
    let max = isFollowed(head) ? Self.droppedBytesMax : limits.bytesMax
    guard part.count <= max - bodyCount else {
      _ = isFollowed(head) || stop(tooLarge)
      return .never
    }
    if case .parts(_, let mailbox) = receiver {
      guard mailbox.askForRoom() else { return .later }
      mailbox.add(Array(part), size: part.count)
    } else if !isFollowed(head) {
      guard hold(part.count) else { return .never }
      body.append(contentsOf: part)
    }
    bodyCount += part.count
    return .all
  }

  /// Holds more bytes of the body; ends the transfer if there is no room.
  private func hold(_ count: Int) -> Bool {
    do throws(ServiceRefusal) {
      try transfer.call.memory.hold(body.count + count, growingBy: count, in: &share)
      return true
    } catch {
      return stop(.memoryFull(place, error))
    }
  }

  private var tooLarge: HTTPFailure {
    .answerTooLarge(
      place, max: limits.bytesMax, canBeRaised: limits.canBeRaised)
  }

  private func stop(_ failure: HTTPFailure) -> Bool {
    self.failure = .failed(failure)
    return false
  }

  /// Opens a socket for an address if the module may reach it; -1 otherwise.
  ///
  /// libcurl connects it to exactly this address, whatever names resolve to.
  fileprivate func openSocket(_ info: UnsafeMutablePointer<curl_sockaddr>) -> Int32 {
    guard let address = SocketAddress(mcurl_address(info)), isPermitted(address) else {
      return CURL_SOCKET_BAD
    }
    // libcurl reads addresses without a scope.
    if let known = transfer.addresses.first(where: { $0.isSame(as: address) }), known.scope != 0 {
      mcurl_set_scope(info, known.scope)
    }
    let socket = Glibc.socket(
      info.pointee.family, info.pointee.socktype | Int32(SOCK_CLOEXEC.rawValue),
      info.pointee.protocol)
    if socket >= 0 { hasOpenedSocket = true }
    return socket
  }

  /// Returns whether the request may be sent over the connection that libcurl chose.
  ///
  /// A connection opened earlier is checked as well, since grants change. A second call means that
  /// libcurl would send the request again after losing the connection; the decision is made
  /// elsewhere, where it is known whether that can do harm.
  fileprivate func maySend(to address: SocketAddress?) -> Bool {
    if hasSent {
      failure = .unanswered(.connectionLost(place))
      return false
    }
    hasSent = true
    noteBytes()
    if hasOpenedSocket { return true }
    guard let address, isPermitted(address) else {
      failure = refusal.map { .refused($0) } ?? .failed(.nameNotFound(place))
      return false
    }
    return true
  }

  private func isPermitted(_ address: SocketAddress) -> Bool {
    do throws(GrantRefusal) {
      try transfer.call.require(address: address.text, port: address.port)
      return true
    } catch {
      refusal = refusal ?? error
      return false
    }
  }

  /// The functions for libcurl, whose context is a running transfer.
  private static let callbacks = mcurl_callbacks(
    head: { bytes, size, count, context in
      guard let bytes, let context else { return 0 }
      let line = UnsafeRawBufferPointer(start: bytes, count: size * count)
      let isTaken = Unmanaged<RunningTransfer>.fromOpaque(context).takeUnretainedValue()
        .take(line: line)
      return isTaken ? size * count : 0
    },
    body: { bytes, size, count, context in
      guard let bytes, let context else { return 0 }
      let part = UnsafeRawBufferPointer(start: bytes, count: size * count)
      return
        switch Unmanaged<RunningTransfer>.fromOpaque(context).takeUnretainedValue()
        .take(part: part)
      {
      case .all: size * count
      case .later: Int(CURL_WRITEFUNC_PAUSE)
      // This also stops an empty part, of which no byte can be refused.
      case .never: size * count + 1
      }
    },
    open_socket: { context, _, info in
      guard let info, let context else { return CURL_SOCKET_BAD }
      return Unmanaged<RunningTransfer>.fromOpaque(context).takeUnretainedValue().openSocket(info)
    },
    before_request: { context, address, _, port, _ in
      guard let context, let address else { return Int32(CURL_PREREQFUNC_ABORT) }
      let known = SocketAddress(String(cString: address), port: Int(port))
      let maySend = Unmanaged<RunningTransfer>.fromOpaque(context).takeUnretainedValue()
        .maySend(to: known)
      return Int32(maySend ? CURL_PREREQFUNC_OK : CURL_PREREQFUNC_ABORT)
    })
}
