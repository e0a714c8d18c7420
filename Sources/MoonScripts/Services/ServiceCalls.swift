import MoonActions
import MoonLua
import MoonModules
import MoonServiceKit
import MoonSession
import MoonTasks
import MoonValues

/// The calls of services.
extension ServiceDesk {
  /// Carries out a call of a service.
  ///
  /// The first result says whether the call succeeded. The task waits for a call that takes time.
  func call(_ call: HostCall) throws(HostRefusal) -> HostAnswer {
    let path = call.text(0)
    let activity = call.bindings.activity
    guard let entry = catalog[path] else { throw .refused("there is no moon.\(path)") }
    let secrets = Secrets(Self.settings(of: call.module, activity)?.secrets ?? [:])
    do {
      let given = call.arguments.dropFirst().map { $0.map(secrets.revealed) }
      let passed = try matched(given, entry, call.caller)
      let share =
        entry.function.kind.waits ? try hold(call.arguments, of: call.module) : nil
      return try run(entry, passed, for: call, holding: share, hiding: secrets.hidden)
    } catch let refusal as HostRefusal {
      throw refusal
    } catch {
      let shown = Self.withoutDetail(error, of: entry.function, call.arguments, secrets)
      let results = ServiceReport(shown, in: path, hiding: secrets.hidden).arguments
      // A wait that ends at once begins with true.
      return .results(entry.function.kind.waits ? [.value(.bool(true))] + results : results)
    }
  }

  private func hold(
    _ arguments: [Value?], of module: ModuleName?
  ) throws(ServiceRefusal) -> HeldMemory.Share? {
    try memory(of: module).hold(arguments.reduce(0) { $0 + ($1?.storageCost ?? 0) })
  }

  /// Returns an error that says nothing about the arguments, if one of them holds a secret and the
  /// function does no more than read them.
  private static func withoutDetail(
    _ error: any Error, of function: ServiceFunction, _ arguments: [Value?], _ secrets: Secrets
  ) -> any Error {
    guard function.kind == .pure, let failure = error as? any ServiceFailure,
      !(failure is ServiceRefusal || failure is ArgumentProblem),
      arguments.contains(where: { $0.map(secrets.areIn) ?? false })
    else { return error }
    return SecretFailure(code: failure.code)
  }

  /// Returns the idempotency key of a call: that of a durable task, or of a command that works for
  /// one.
  private static func key(of call: HostCall, _ entry: ServiceCatalog.Entry) -> Text? {
    guard call.key == nil, entry.function.kind.waits,
      let keys = call.bindings.activity.call?.session.tasks.current?.callKeys
    else { return call.key }
    return keys.next(for: TaskCall(ofService: call.arguments, at: ""))
  }

  private func matched(
    _ arguments: [Value?], _ entry: ServiceCatalog.Entry, _ run: LuaRun?
  ) throws(ArgumentProblem) -> ServiceArguments {
    guard entry.isMethod else {
      return try ServiceArguments(arguments, for: entry.function.parameters)
    }
    guard let id = (arguments.first ?? nil)?.intValue, let handle = run?.handle(id) else {
      throw .closed
    }
    return try ServiceArguments(
      Array(arguments.dropFirst()), for: entry.function.parameters, of: handle)
  }

  private func run(
    _ entry: ServiceCatalog.Entry, _ arguments: ServiceArguments, for call: HostCall,
    holding share: HeldMemory.Share?, hiding hide: @escaping @Sendable (String) -> String
  ) throws -> HostAnswer {
    let function = entry.function
    let path = call.text(0)
    if function.kind != .pure { try Self.refuseInCalculation(call.bindings.activity) }
    var made = serviceCall(call, Self.key(of: call, entry))
    made.hide = hide
    made.memory = memory(of: call.module)
    made.turns = turns(of: call.module)
    made.threads = threads(of: call.module)
    try arguments.handle?.used?.check(grants)
    made.used = arguments.handle?.used ?? used(by: call, function)
    let sizeMax = surroundings.answerBytesMax
    switch function.body {
    case .now(let body):
      let result = try call.openSpan(of: function).measure {
        try call.bindings.activity.run(path) { try body(made, arguments) }
      }
      return .results(try result.checked(max: sizeMax).arguments)
    case .script: throw HostRefusal.refused("there is no moon.\(path) in Swift")
    case .later(let prepare):
      let body = try prepare(arguments)
      guard call.canWait else {
        throw HostRefusal.refused("nothing can wait here: let an effect do it")
      }
      // A task closes what it has opened when it ends.
      if call.caller == nil, function.kind != .asynchronous {
        throw ServiceRefusal.notAtPrompt
      }
      let name = hide(Self.waitName(path, arguments.firstText(of: function.parameters)))
      let executor: (any TaskExecutor)? =
        entry.service.mayBlock ? threads(of: call.module) : entry.service.executor?(call.module)
      let span = call.openSpan(of: function)
      return .waits(
        .operation(
          Operation(name: name, on: executor) {
            [made] in
            // Held as long as this function is, since it keeps the arguments.
            defer { withExtendedLifetime(share) {} }
            do {
              let answer = try await span.measure { try await body(made) }.checked(max: sizeMax)
              return .service(.success(try answer.held(in: made.memory)))
            } catch {
              return .service(.failure(ServiceReport(error, in: path, hiding: hide)))
            }
          }))
    }
  }

  /// Returns what notes the scopes of a call that may open something.
  private func used(by call: HostCall, _ function: ServiceFunction) -> UsedScopes? {
    guard function.opened != nil, let module = call.module,
      let requested = call.bindings.activity.call?.session.modules[module]?.module.requested
    else { return nil }
    return usedScopes(of: module, requested)
  }

  private func serviceCall(_ call: HostCall, _ key: Text?) -> ServiceCall {
    let session = call.bindings.activity.call?.session
    let requested = call.module.flatMap { session?.modules[$0]?.module.requested }
    var made = ServiceCall(
      function: call.text(0), module: call.module, session: session?.id ?? SessionID(number: 0),
      time: session?.current.standingTime ?? surroundings.clock.now(),
      isRepeated: session?.current.standingTime != nil,
      Permissions(requested ?? RequestedScopes(), grants), surroundings)
    made.idempotencyKey = key
    return made
  }

  /// Throws in code whose result must depend on its arguments alone.
  ///
  /// C refuses the calls of reducers.
  private static func refuseInCalculation(_ activity: Activity) throws {
    if activity.isLoading { throw ServiceRefusal.notHere(caller: "a module's file") }
    switch activity.call?.registration?.registration.kind {
    case .view: throw ServiceRefusal.notHere(caller: "a view")
    case .viewExtension: throw ServiceRefusal.notHere(caller: "an extension of a view")
    case .moduleMapper, .navigationMapper: throw ServiceRefusal.notHere(caller: "a mapper")
    default: return
    }
  }

  /// The maximum number of characters of an argument in the name of a wait.
  private static let shownMax = 60

  private static func waitName(_ path: String, _ text: String?) -> String {
    guard let text else { return path }
    // Counting the characters takes 2,000 instructions.
    if text.utf8.count <= shownMax { return "\(path) \(text)" }
    return "\(path) \(text.prefix(shownMax))\(text.count > shownMax ? "…" : "")"
  }
}

extension ServiceFunction.Answer {
  fileprivate func checked(max: Int) throws(ServiceRefusal) -> Self {
    if case .result(let result) = self { _ = try result.checked(max: max) }
    return self
  }

  /// Holds the bytes of the answer until it is taken.
  fileprivate func held(in memory: HeldMemory) throws(ServiceRefusal) -> Self {
    guard case .result(let result) = self else { return self }
    if case .held = result { return self }
    return .result(result.held(by: try memory.hold(result.byteCount)))
  }
}
