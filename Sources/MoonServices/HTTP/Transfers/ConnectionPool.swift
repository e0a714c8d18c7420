import CCurl
import CMoonCurl
import Glibc
import Moonwire
import Synchronization

/// The connections of one module, and the transfers over them.
///
/// Modules don't share connections, so none can exhaust another's or receive its data.
final class ConnectionPool: SocketWatcher {
  /// The maximum number of connections of a module to one address; more requests wait.
  static let hostConnectionCountMax = 32
  /// The maximum number of connections of a module to all addresses.
  static let connectionCountMax = 256
  /// The seconds for which an unused connection is kept.
  static let idleSeconds = 30
  /// The number of handles kept for later transfers.
  private static let spareCountMax = hostConnectionCountMax

  let module: ModuleName?
  /// The time at which the pool last began a transfer.
  private(set) var lastUse = ContinuousClock.now
  private let trust: CertificateTrust
  private let multi: UnsafeMutableRawPointer
  private unowned let loop: NetworkLoop
  private var running: [ObjectIdentifier: RunningTransfer] = [:] { didSet { noteCount() } }
  private var webSockets: [ObjectIdentifier: WebSocketConnection] = [:] { didSet { noteCount() } }
  /// The number of connections in use that ``ConnectionCounts`` knows of.
  private var knownCount = 0
  private var spares: [TransferHandle] = []
  /// The time at which libcurl wants its turn.
  private var wake: ContinuousClock.Instant?
  /// The time at which a transfer may have been silent for too long.
  private var silence: ContinuousClock.Instant?

  /// Whether the library is ready for use.
  private static let isInitialized = curl_global_init(Int(CURL_GLOBAL_DEFAULT)) == CURLE_OK

  /// Makes a pool without connections; nil if the system has no memory or descriptor left.
  init?(of module: ModuleName?, trusting trust: CertificateTrust, in loop: NetworkLoop) {
    guard Self.isInitialized, let multi = curl_multi_init() else { return nil }
    self.module = module
    self.trust = trust
    self.multi = multi
    self.loop = loop
    _ = mcurl_multi_set_number(
      multi, CURLMOPT_MAX_HOST_CONNECTIONS, Self.hostConnectionCountMax)
    _ = mcurl_multi_set_number(multi, CURLMOPT_MAX_TOTAL_CONNECTIONS, Self.connectionCountMax)
    let context = Unmanaged.passUnretained(self).toOpaque()
    _ = mcurl_multi_set_callbacks(
      multi,
      { _, socket, action, context, _ in
        guard let context else { return 0 }
        Unmanaged<ConnectionPool>.fromOpaque(context).takeUnretainedValue()
          .watch(socket, action)
        return 0
      },
      { _, milliseconds, context in
        guard let context else { return 0 }
        Unmanaged<ConnectionPool>.fromOpaque(context).takeUnretainedValue().wake =
          milliseconds < 0 ? nil : ContinuousClock.now + .milliseconds(milliseconds)
        return 0
      }, context)
  }

  private func noteCount() {
    let count = running.count + webSockets.count
    ConnectionCounts.note(count - knownCount, of: module)
    knownCount = count
  }

  /// Whether no transfer is in progress.
  var isIdle: Bool { running.isEmpty && webSockets.isEmpty }

  /// The time at which ``fire(_:)`` must be called.
  var nextTime: ContinuousClock.Instant? {
    if isIdle { return lastUse + .seconds(Self.idleSeconds) }
    guard let wake, let silence else { return wake ?? silence }
    return min(wake, silence)
  }

  /// Begins a transfer, whose receiver learns how it ends.
  func start(_ transfer: Transfer, to receiver: Transfer.Receiver) {
    lastUse = .now
    guard ConnectionCounts.mayBegin(module),
      let handle = spares.popLast() ?? TransferHandle(trusting: trust)
    else {
      receiver.fail(.failed(.noResources(transfer.request.address.place)))
      return
    }
    let transferring = RunningTransfer(transfer, to: receiver, over: handle)
    guard transferring.prepare(), curl_multi_add_handle(multi, handle.easy) == CURLM_OK
    else {
      receiver.fail(.failed(.noResources(transfer.request.address.place)))
      return
    }
    running[ObjectIdentifier(transfer)] = transferring
    if let end = transferring.silenceEnd { silence = silence.map { min($0, end) } ?? end }
  }

  /// Ends a transfer that is still in progress, and the connection that it uses.
  func cancel(_ transfer: Transfer) {
    webSockets[ObjectIdentifier(transfer)]?.cancel()
    guard let transferring = running.removeValue(forKey: ObjectIdentifier(transfer)) else { return }
    curl_multi_remove_handle(multi, transferring.handle.easy)
    transferring.fail(.cancelled)
  }

  /// Resumes a transfer whose receiver had no room.
  func resume(_ transfer: Transfer) {
    guard let transferring = running[ObjectIdentifier(transfer)] else { return }
    transferring.noteBytes()
    curl_easy_pause(transferring.handle.easy, CURLPAUSE_CONT)
    collect()
  }

  /// Returns the WebSocket that a transfer has opened; nil after its end.
  func webSocket(of transfer: Transfer) -> WebSocketConnection? {
    webSockets[ObjectIdentifier(transfer)]
  }

  /// Does everything that is due.
  func fire(_ now: ContinuousClock.Instant) {
    if isIdle { return loop.remove(self) }
    if let wake, wake <= now {
      self.wake = nil
      act(on: CURL_SOCKET_BAD, [])
    }
    if let silence, silence <= now { endSilent(now) }
  }

  func socket(_ socket: Int32, isReady readiness: Readiness) { act(on: socket, readiness) }

  /// Ends all transfers and connections.
  func close() {
    for transferring in running.values {
      curl_multi_remove_handle(multi, transferring.handle.easy)
      transferring.fail(.cancelled)
    }
    running = [:]
    for connection in webSockets.values { connection.lose() }
    webSockets = [:]
    spares = []
    curl_multi_cleanup(multi)
  }

  private func watch(_ socket: Int32, _ action: Int32) {
    switch action {
    case CURL_POLL_IN: loop.watch(socket, .reading, for: self)
    case CURL_POLL_OUT: loop.watch(socket, .writing, for: self)
    case CURL_POLL_INOUT: loop.watch(socket, [.reading, .writing], for: self)
    default: loop.unwatch(socket)
    }
  }

  private func act(on socket: Int32, _ readiness: Readiness) {
    var action: Int32 = 0
    if readiness.contains(.reading) { action |= CURL_CSELECT_IN }
    if readiness.contains(.writing) { action |= CURL_CSELECT_OUT }
    if !readiness.isDisjoint(with: .failing) { action |= CURL_CSELECT_ERR }
    var count: Int32 = 0
    curl_multi_socket_action(multi, socket, action, &count)
    collect()
  }

  /// Passes the results of ended transfers to their receivers.
  private func collect() {
    var left: Int32 = 0
    while let message = curl_multi_info_read(multi, &left) {
      var code = CURLE_OK
      guard let easy = mcurl_ended(message, &code), let context = mcurl_private(easy) else {
        continue
      }
      let transferring = Unmanaged<RunningTransfer>.fromOpaque(context).takeUnretainedValue()
      guard running.removeValue(forKey: ObjectIdentifier(transferring.transfer)) != nil else {
        continue
      }
      lastUse = .now
      if code == CURLE_OK, transferring.isWebSocket {
        open(transferring)
        continue
      }
      transferring.end(code)
      curl_multi_remove_handle(multi, easy)
      transferring.handle.release()
      if spares.count < Self.spareCountMax { spares.append(transferring.handle) }
    }
  }

  /// Begins the handshake of a WebSocket; its connection stays with the handle that made it.
  private func open(_ transferring: RunningTransfer) {
    let (id, handle) = (ObjectIdentifier(transferring.transfer), transferring.handle)
    let connection = transferring.webSocket(in: loop) { [unowned self] in
      lastUse = .now
      webSockets[id] = nil
      curl_multi_remove_handle(multi, handle.easy)
    }
    guard let connection else {
      curl_multi_remove_handle(multi, handle.easy)
      return
    }
    webSockets[id] = connection
    connection.begin()
  }

  /// Ends the transfers that have received nothing for too long.
  private func endSilent(_ now: ContinuousClock.Instant) {
    silence = nil
    for transferring in running.values {
      guard let end = transferring.silenceEnd else { continue }
      if end > now {
        silence = silence.map { min($0, end) } ?? end
      } else {
        running[ObjectIdentifier(transferring.transfer)] = nil
        curl_multi_remove_handle(multi, transferring.handle.easy)
        transferring.fail(.failed(.timedOut(transferring.transfer.request.address.place, .reading)))
      }
    }
  }
}
