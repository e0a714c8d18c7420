import MoonLua
import MoonSession
import MoonStore
import MoonValues

/// The services of a host: it carries out the calls of scripts.
///
/// Confined to the host.
final class ServiceDesk {
  let catalog: ServiceCatalog
  private let surroundings: ServiceSurroundings
  private let threads = BlockingThreads()
  private let held = HeldArguments()
  /// The permissions of modules.
  private(set) var grants: Grants

  /// - Throws: ``ServiceNameError``.
  init(
    _ services: [Service], _ surroundings: ServiceSurroundings, _ grants: Grants
  ) throws(ServiceNameError) {
    catalog = try ServiceCatalog(services)
    self.surroundings = surroundings
    self.grants = grants
  }

  /// Adds grants; returns false if there are no others.
  func add(_ rules: [Grants.Rule]) -> Bool {
    let others = rules.filter { !grants.allowed.contains($0) }
    grants.allowed += others
    return !others.isEmpty
  }

  /// Returns the parts of a service for Lua, or without a name the names of all services.
  func describe(_ arguments: [Value?]) -> [Argument] {
    guard let name = (arguments.first ?? nil)?.stringValue else {
      return [.value(.list(List(catalog.names.map { .string(Text($0)) })))]
    }
    guard let parts = catalog.description(of: name) else { return [.none] }
    return [.value(parts.functions), .value(parts.handles), .value(.bool(parts.isScripted))]
  }

  /// Returns the values of a module's settings by name, and the names of its secrets.
  func settings(of module: ModuleName, _ activity: Activity) -> [Argument] {
    let values = Self.settings(of: module, activity)
    let secrets = (values?.secrets.keys.sorted() ?? []).map { Value.string(Text($0)) }
    return [.value(.map(values?.open ?? Map())), .value(.list(List(secrets)))]
  }

  private static func settings(of module: ModuleName?, _ activity: Activity) -> SettingValues? {
    module.flatMap { activity.call?.session.modules[$0]?.module.settings?.values }
  }

  /// Carries out a call: of a module's code, or of text typed at the prompt if `module` is nil.
  ///
  /// The first result says whether the call succeeded. For a call that takes time, there is no
  /// result, and the running task waits.
  func call(
    _ arguments: [Value?], from module: ModuleName?, _ activity: Activity
  ) throws(Refusal) -> [Argument] {
    let path = arguments.text(0)
    guard let entry = catalog[path] else { throw .refused("there is no moon.\(path)") }
    let run = module == nil ? nil : activity.call?.session.tasks.current?.run as? LuaRun
    let secrets = Secrets(Self.settings(of: module, activity)?.secrets ?? [:])
    let key = run?.key
    run?.key = key ?? Self.nextKey(for: arguments, entry, activity)
    defer { run?.key = key }
    do {
      let passed = try matched(arguments.dropFirst().map { $0.map(secrets.revealed) }, entry, run)
      let share = entry.function.kind.waits ? try held.hold(arguments, of: module) : nil
      return try self.run(
        entry, path, passed, from: module, activity, run, holding: share, hiding: secrets.hidden)
    } catch let refusal as Refusal {
      throw refusal
    } catch {
      let shown = Self.withoutDetail(error, of: entry.function, arguments, secrets)
      let results = ServiceReport(shown, in: path, hiding: secrets.hidden).arguments
      // A wait that ends at once begins with true.
      return entry.function.kind.waits ? [.value(.bool(true))] + results : results
    }
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

  /// Returns the idempotency key of a call by a command that works for a durable task.
  private static func nextKey(
    for arguments: [Value?], _ entry: ServiceCatalog.Entry, _ activity: Activity
  ) -> Text? {
    guard entry.function.kind.waits,
      let keys = activity.call?.session.tasks.current?.callKeys
    else { return nil }
    return keys.next(for: TaskCall(.service, arguments, at: ""))
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
    _ entry: ServiceCatalog.Entry, _ path: String, _ arguments: ServiceArguments,
    from module: ModuleName?, _ activity: Activity, _ run: LuaRun?,
    holding share: HeldArguments.Share?, hiding hide: @escaping @Sendable (String) -> String
  ) throws -> [Argument] {
    let function = entry.function
    if function.kind != .pure { try Self.refuseInCalculation(activity) }
    var call = call(path, from: module, activity, run?.key)
    call.hide = hide
    let sizeMax = surroundings.answerBytesMax
    switch function.body {
    case .now(let body):
      return try body(call, arguments).checked(max: sizeMax).arguments
    case .script: throw Refusal.refused("there is no moon.\(path) in Swift")
    case .later(let prepare):
      let body = try prepare(arguments)
      guard let run else { throw Refusal.refused("nothing can wait here: let an effect do it") }
      let name = hide(Self.waitName(path, arguments.firstText(of: function.parameters)))
      run.wait = .operation(
        Operation(name: name, on: entry.service.mayBlock ? threads : entry.service.executor) {
          [call] in
          defer { share?.release() }
          do {
            let answer = try await body(call)
            return .service(.success(try answer.checked(max: sizeMax)))
          } catch {
            return .service(.failure(ServiceReport(error, in: path, hiding: hide)))
          }
        })
      return []
    }
  }

  private func call(
    _ path: String, from module: ModuleName?, _ activity: Activity, _ key: Text?
  ) -> ServiceCall {
    let session = activity.call?.session
    let requested = module.flatMap { session?.modules[$0]?.module.requested }
    var call = ServiceCall(
      function: path, module: module, session: session?.id ?? SessionID(number: 0),
      time: session?.work.standingTime ?? surroundings.clock.now(),
      isRepeated: session?.work.standingTime != nil,
      Permissions(requested ?? RequestedScopes(), grants), surroundings)
    call.idempotencyKey = key
    return call
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
}

extension ServiceResult {
  fileprivate func checked(max: Int) throws(ServiceRefusal) -> Self {
    let bytes = byteCount
    guard bytes <= max else { throw .answerTooLarge(bytes: bytes, max: max) }
    return self
  }
}
