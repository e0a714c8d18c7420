import MoonPrompt
import MoonServices
import Moonwire
import Synchronization

/// The connection of a client: bytes in, lines out.
///
/// Requests are carried out one after another, in their order; `$/cancel` at once. Everything that
/// a client can send is answered, or ends this connection only.
package final class ClientConnection: Sendable {
  /// The maximum number of bytes of a line of a client.
  package static let lineBytesMax = 1 << 20

  let server: ProtocolServer
  let output: any ClientOutput
  private let splitter = Mutex<LineSplitter?>(LineSplitter(bytesMax: lineBytesMax))
  private let requests = RequestQueue()
  private let subscriptions = Subscriptions()
  /// The prompts of the client; nil once it has gone.
  private let prompts = Mutex<[SessionID: ConnectedPrompt]?>([:])
  /// The sessions that end with the connection; nil once it has.
  private let sessions = Mutex<Set<SessionID>?>([])
  private let work = Mutex<Task<Void, Never>?>(nil)

  package init(to server: ProtocolServer, _ output: any ClientOutput) {
    self.server = server
    self.output = output
    let task = Task { [weak self, messages = requests.messages] in
      for await message in messages { await self?.carryOut(message) }
    }
    work.withLock { $0 = task }
  }

  deinit { close() }

  /// Takes in bytes from the client.
  package func receive(_ bytes: [UInt8]) {
    let lines = splitter.withLock { splitter -> [[UInt8]]? in
      guard splitter != nil else { return [] }
      let lines = splitter?.lines(adding: bytes)
      if lines == nil { splitter = nil }
      return lines
    }
    guard let lines else {
      refuse(ProtocolError(.tooMuch, "a line has at most \(Self.lineBytesMax) bytes"))
      return output.end()
    }
    for line in lines where !line.allSatisfy({ $0 == 0x20 || $0 == 0x09 }) { take(line) }
  }

  /// Takes in nothing more, and waits until what came before is answered.
  package func finish() async {
    requests.finish()
    await work.withLock { $0 }?.value
    close()
  }

  /// Ends everything that the client has begun; a dispatch that runs is finished.
  package func close() {
    requests.close()
    work.withLock { $0 }?.cancel()
    subscriptions.endAll()
    for session in sessions.withLock({ $0.take() }) ?? [] { end(session) }
    for prompt in (prompts.withLock { $0.take() } ?? [:]).values { prompt.end() }
  }

  /// Sends what subscriptions have held back.
  package func outputDrained() { subscriptions.wake() }

  // MARK: Requests

  private func take(_ line: [UInt8]) {
    do throws(ProtocolError) {
      let message: Message
      do throws(ProtocolError) {
        message = try Message(line)
      } catch {
        // Answered after what came before it.
        let message = Message.single(.failure(error), id: .null)
        try requests.register(message)
        return requests.add(message)
      }
      if case .single(.success(let request), _) = message, request.method == Self.cancelling {
        return reply(.success(cancellation(request)), to: request.id)
      }
      try requests.register(message)
      requests.add(
        message.map { $0.method == Self.cancelling ? cancellation($0) : Value?.none })
    } catch {
      let id = (try? Value(parsing: line)).map(Request.id(of:))
      refuse(error, id ?? .null)
    }
  }

  private func refuse(_ error: ProtocolError, _ id: Value = .null) {
    output.send(Reply.line(Reply.value(.failure(error), to: id)))
  }

  private func reply(_ result: Result<Value, ProtocolError>, to id: Value?) {
    if let id { output.send(Reply.line(Reply.value(result, to: id))) }
  }

  private func carryOut(_ message: Message) async {
    requests.take(message)
    switch message {
    case .single(let request, let id):
      let (value, then) = await answer(request, id)
      if let value { output.send(Reply.line(value)) }
      then?()
    case .batch(let batch):
      var replies: [Value] = []
      var next: [@Sendable () -> Void] = []
      for entry in batch {
        let (value, then) = await answer(entry.request, entry.id, entry.answer)
        if let value { replies.append(value) }
        if let then { next.append(then) }
      }
      if !replies.isEmpty { output.send(Reply.line(.list(List(replies)))) }
      for then in next { then() }
    }
  }

  /// Carries out a request, unless it has its answer; returns the reply, or nil for a notification,
  /// and what follows it.
  private func answer(
    _ request: Result<Request, ProtocolError>, _ id: Value, _ given: Value? = nil
  ) async -> (Value?, then: (@Sendable () -> Void)?) {
    do throws(ProtocolError) {
      let request = try request.get()
      defer { requests.end(request) }
      guard requests.begin(request) else { throw ProtocolError(.cancelled) }
      if let given { return (request.id.map { Reply.value(.success(given), to: $0) }, nil) }
      let method = try server.method(named: request.method)
      try method.check(request.parameters)
      // An optional parameter may be null.
      let parameters = method.schema.withoutNulls(.map(request.parameters)).mapValue
      let call = MethodCall(connection: self, parameters: parameters ?? Map())
      let answer = try await method.body(call)
      return (request.id.map { Reply.value(.success(answer.value), to: $0) }, answer.then)
    } catch {
      if case .success(let request) = request, request.id == nil { return (nil, nil) }
      return (Reply.value(.failure(error), to: id), nil)
    }
  }

  /// The method that is carried out at once.
  private static let cancelling = "$/cancel"

  private func cancellation(_ request: Request) -> Value {
    ["cancelled": .bool(cancel(request.parameters["id"] ?? .null))]
  }

  // MARK: What methods use

  /// Cancels the request with an id; returns false if none waits or runs.
  func cancel(_ id: Value) -> Bool { requests.cancel(id.canonicalText) }

  /// Carries out what ends if its task is cancelled, which the client can do.
  func cancellable<R: Sendable>(_ body: @escaping @Sendable () async -> R) async -> R {
    await requests.cancellable(body)
  }

  /// Carries out what may take long, so that the client can cancel it.
  func interruptible<R: Sendable, E: Error>(
    _ line: PromptLine, in prompt: PromptSession, _ body: () async throws(E) -> R
  ) async throws(E) -> R {
    try await requests.interruptible(LineInterruption(of: line, in: prompt), body)
  }

  /// Lets a session end with the connection.
  func own(_ session: SessionID) {
    let isOpen = sessions.withLock { $0?.insert(session) != nil }
    if !isOpen { end(session) }
  }

  /// Notes that a session has ended.
  func disown(_ session: SessionID) { sessions.withLock { _ = $0?.remove(session) } }

  private func end(_ session: SessionID) {
    Task { [host = server.host] in _ = await host.closeSession(session) }
  }

  /// Returns a number for a subscription.
  ///
  /// - Throws: ``ProtocolError`` with ``ProtocolError/Code/tooMuch``
  func reserveSubscription() throws(ProtocolError) -> Int64 { try subscriptions.reserve() }

  func keep(
    _ number: Int64, wake: (@Sendable () -> Void)? = nil,
    settle: (@Sendable () async -> Void)? = nil, end: @escaping @Sendable () -> Void
  ) {
    subscriptions.keep(number, wake: wake, settle: settle, end: end)
  }

  func settleSubscriptions() async { await subscriptions.settle() }

  func endSubscription(_ number: Int64) -> Bool { subscriptions.end(number) }

  /// The prompt that the client has in a session, on the terminal that the parameters describe.
  func prompt(for call: MethodCall) async throws(ProtocolError) -> ConnectedPrompt {
    let id = try await call.session()
    let found = prompts.withLock { prompts in
      if let prompt = prompts?[id] { return prompt as ConnectedPrompt? }
      prompts?[id] = ConnectedPrompt(of: id, server, requests, to: output)
      return prompts?[id]
    }
    guard let prompt = found else { throw ProtocolError(.cancelled) }
    prompt.use(ConnectedPrompt.Terminal(call.parameters))
    return prompt
  }

  /// The prompt that the client has used in a session; nil if it has used none.
  func openPrompt(of id: SessionID) -> ConnectedPrompt? { prompts.withLock { $0?[id] } }
}
