import Moonwire

/// Lines about URLs and screens.
extension Operator {
  /// Does what such a line says.
  ///
  /// - Throws: ``OperatorError``
  func navigate(_ line: PromptLine) async throws(OperatorError) -> Reply {
    let (session, cause) = (session, cause)
    switch line {
    case .screen(let id): return .screen(try await sight(of: id))
    case .tap(let control):
      return .did(
        .tap,
        try await screened { (host) throws(ScreenError) in try host.use(control, in: session) })
    case .input(let texts):
      return .filled(
        try await screened { (host) throws(ScreenError) in
          try host.fill(texts.map { (input: $0.name, text: $0.text) }, in: session)
          return host.shownScreen(in: session)?.inputs ?? Map()
        })
    case .back:
      return .did(
        .back,
        try await dispatched { (host) throws(DispatchError) in
          try host.back(in: session, cause: cause)
        })
    case .open(let url, let parameters):
      return .did(
        .open,
        try await dispatched { (host) throws(DispatchError) in
          try host.route(url, passing: parameters, in: session, cause: cause)
        })
    case .nav: return .navigation(await host.navigationTree(of: session) ?? NavigationTree())
    case .routes(nil):
      return await host.perform { .routes($0.routeInfos(), $0.routeConflicts()) }
    case .routes(let url?):
      do throws(RouteRequestError) {
        return .explained(url, try await host.explain(url))
      } catch {
        throw .malformed(url.string, error)
      }
    default: return .nothing
    }
  }

  /// The screen to show beneath a reply: when somebody used one, or another is on top.
  func sight(after reply: Reply) async -> ScreenSight? {
    switch reply {
    case .did: break
    case .dispatched(_, let outcome): guard StateStep(outcome).hasNewTop else { return nil }
    case .evaluated(_, let step): guard step.hasNewTop else { return nil }
    default: return nil
    }
    return await topSight()
  }

  /// The screen on top; nil if there is none.
  func topSight() async -> ScreenSight? {
    let session = session
    return await host.perform { host in
      guard let shown = host.shownScreen(in: session), let tree = host.navigationTree(of: session)
      else { return nil }
      return ScreenSight(shown: shown, tree: tree)
    }
  }

  private func sight(of id: String?) async throws(OperatorError) -> ScreenSight? {
    guard let id else { return await topSight() }
    let session = session
    return try await host.perform { (host) throws(OperatorError) in
      let tree = host.navigationTree(of: session) ?? NavigationTree()
      guard let shown = host.shownScreen(Text(id), in: session) else {
        throw .noScreen(id, known: tree.screens.map(\.id.string))
      }
      return ScreenSight(shown: shown, tree: tree)
    }
  }

  private func screened<R: Sendable>(
    _ body: @Sendable (isolated Host) throws(ScreenError) -> R
  ) async throws(OperatorError) -> R {
    do throws(ScreenError) {
      return try await host.perform(body)
    } catch {
      throw .screen(error)
    }
  }

  private func dispatched<R: Sendable>(
    _ body: @Sendable (isolated Host) throws(DispatchError) -> R
  ) async throws(OperatorError) -> R {
    do throws(DispatchError) {
      return try await host.perform(body)
    } catch {
      throw .dispatch(error)
    }
  }
}
