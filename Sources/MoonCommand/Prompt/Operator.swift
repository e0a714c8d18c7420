import Moonwire

/// Carries out lines on a session of a host.
struct Operator: Sendable {
  let host: Host
  let session: SessionID
  let log: LogRing
  let cause: Cause

  /// Does what a line says.
  ///
  /// - Throws: ``OperatorError``
  func carryOut(_ line: PromptLine) async throws(OperatorError) -> Reply {
    switch line {
    case .nothing: return .nothing
    case .dispatch(let action):
      do throws(DispatchError) {
        return .dispatched(
          action.type.string, try await host.dispatch(action, to: session, cause: cause))
      } catch {
        throw .dispatch(error)
      }
    case .evaluate(let text): return try await evaluate(text)
    case .state(let path): return .state(path, try await state(at: path))
    case .modules:
      return await host.perform { host in
        .modules(host.moduleInfos(), strays: host.strayProblems())
      }
    case .actions(let name):
      let module = try await known(name)
      return .actions(await host.actionInfos(of: module))
    case .log(let count): return .log(log.last(count))
    case .history(let count):
      return .history(Array(await host.history(of: session).entries.suffix(count)))
    case .reload(let name):
      let module = try await known(name)
      return .reloaded(await host.reload(module))
    case .resume(let name): return .resumed(try await resume(try await known(name)))
    case .screen, .tap, .input, .back, .open, .nav, .routes: return try await navigate(line)
    case .help(let command): return .help(command)
    case .quit: return .leave
    }
  }

  private func evaluate(_ text: String) async throws(OperatorError) -> Reply {
    let session = session
    do throws(Fault) {
      return try await host.perform { (host) throws(Fault) in
        let before = host.state(of: session) ?? .null
        let values = try host.evaluate(text, in: session)
        let after = host.state(of: session) ?? .null
        return .evaluated(values, StateStep(from: before, to: after))
      }
    } catch {
      throw .evaluation(error)
    }
  }

  /// Resumes a module, or all that are suspended.
  private func resume(_ name: ModuleName?) async throws(OperatorError) -> [ModuleName] {
    let resumed = await host.perform { host in
      let names = name.map { [$0] } ?? host.moduleInfos().map(\.name)
      return names.filter { host.resume($0) }
    }
    if let name, resumed.isEmpty { throw .notSuspended(name) }
    return resumed
  }

  private func state(at path: Path) async throws(OperatorError) -> Value {
    let whole = await host.state(of: session) ?? .map(Map())
    if let value = whole.value(at: path) { return value }
    throw .noValue(at: path, nearest: Self.nearest(to: path, in: whole))
  }

  private func known(_ name: String?) async throws(OperatorError) -> ModuleName? {
    guard let name else { return nil }
    let names = await host.moduleInfos().map(\.name)
    if let module = names.first(where: { $0.text == name }) { return module }
    throw .noModule(name, nearest: Spelling.nearest(to: name, in: names.map(\.text)))
  }

  /// The path with the first step that leads nowhere put right, if it can be guessed.
  private static func nearest(to path: Path, in whole: Value) -> Path? {
    var sure = Path()
    var value = whole
    for component in path.components {
      let further = sure.appending(component)
      if let next = whole.value(at: further) {
        (sure, value) = (further, next)
        continue
      }
      guard let map = value.mapValue, case .key(let wanted) = component else { break }
      let names = map.keys.compactMap { key in
        if case .string(let text) = key { text.string } else { String?.none }
      }
      return Spelling.nearest(to: wanted.string, in: names).map {
        sure.appending(.key(Text($0)))
      }
    }
    return sure.components.isEmpty ? nil : sure
  }
}

/// Why a line wasn't carried out.
enum OperatorError: Error, Sendable {
  /// The action failed.
  case dispatch(DispatchError)
  /// The Lua failed.
  case evaluation(Fault)
  /// There is no such module.
  case noModule(String, nearest: String?)
  /// The module is called as it is.
  case notSuspended(ModuleName)
  /// Nothing is at that path.
  case noValue(at: Path, nearest: Path?)
  /// Nothing came of what was done to a screen.
  case screen(ScreenError)
  /// There is no screen with that id.
  case noScreen(String, known: [String])
  /// It isn't a URL.
  case malformed(String, RouteRequestError)

  /// Whether more text might make it good.
  var isIncomplete: Bool {
    if case .evaluation(let fault) = self, case .syntax(_, isIncomplete: true) = fault.reason {
      return true
    }
    return false
  }

  /// What to tell.
  var report: Report {
    switch self {
    case .dispatch(let error): Messages.dispatch(error)
    case .evaluation(let fault): Messages.fault(fault)
    case .noModule(let name, let nearest): Messages.noModule(name, nearest: nearest)
    case .notSuspended(let name): Messages.notSuspended(name)
    case .noValue(let path, let nearest):
      Messages.noValue(at: path.description, nearest: nearest?.description)
    case .screen(let error): Messages.screen(error)
    case .noScreen(let id, let known): Messages.noScreen(id, known: known)
    case .malformed(let url, let error): Messages.malformed(url, error)
    }
  }
}
