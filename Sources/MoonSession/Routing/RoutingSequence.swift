import MoonNavigation
import MoonRouting
import MoonStore
import MoonValues

/// The steps from a URL to a screen: find routes, choose options, ask observers, make the screen.
struct RoutingSequence {
  /// The maximum number of redirects, more than any app needs.
  static let redirectsMax = 8

  /// The purpose of a routing.
  enum Purpose: Equatable {
    /// To navigate: handlers are called, screens are presented.
    case navigation
    /// To get a screen.
    case screen
    /// To remake the screen that has this id. Observers aren't asked.
    case remaking(Text)
  }

  /// The destination of a routing.
  enum Destination {
    case screen(Screen, RouteResult, Bound<ModuleRoute>)
    /// A handler took the URL; the result is nil if that was an unmatched handler.
    case handled(RouteResult?)
  }

  private enum Step {
    case done(Destination)
    case redirected(Redirect)
  }

  let session: Session
  let purpose: Purpose
  /// The guards asked so far, and their answers.
  let guards: RoutingGuards
  /// The source of ids for new screens.
  var ids: ScreenIDs

  var router: Router { session.modules.registry.router }

  /// Follows redirects until a route or an unmatched handler takes the URL.
  ///
  /// - Throws: ``RoutingError``
  mutating func destination(
    of first: Redirect
  ) throws(RoutingError) -> Destination {
    var next = first
    var visited: [Text] = []
    while true {
      guard !visited.contains(next.url) else {
        throw RoutingError(next.url, .redirectLoop(visited + [next.url]))
      }
      guard visited.count <= Self.redirectsMax else {
        throw RoutingError(
          next.url, .tooManyRedirects(visited + [next.url], max: Self.redirectsMax))
      }
      switch try step(next, visited) {
      case .done(let destination): return destination
      case .redirected(let redirect):
        visited.append(next.url)
        next = redirect.carrying(next.parameters)
      }
    }
  }

  /// Tries the routes that match a URL, in their order.
  private mutating func step(
    _ target: Redirect, _ visited: [Text]
  ) throws(RoutingError) -> Step {
    let request: RouteRequest
    do throws(RouteRequestError) {
      request = try RouteRequest(parsing: target.url, options: router.routing.urls)
    } catch {
      throw RoutingError(target.url, .malformed(error))
    }
    var declined: [Text] = []
    var handlers: [Text] = []
    var unwilling: [(RouteResult, Bound<ModuleRoute>)] = []
    var faults: [RoutingError] = []
    defer { noteRest(of: faults) }
    for match in router.table.matches(request) {
      let route = router.routes[match.id]
      if purpose != .navigation, case .handler = route.part.target {
        handlers.append(route.part.pattern.text)
        continue
      }
      let result = RouteResult(
        match, of: route.owner, route.part.pattern, name: route.part.name,
        passing: target.parameters,
        option: target.option ?? route.part.option, redirectedFrom: visited)
      if !isWilling(result, route, &faults) {
        unwilling.append((result, route))
      } else if let step = try take(result, route) {
        return step
      }
      declined.append(route.part.pattern.text)
    }
    // The screen exists, so its route takes it even if its condition has changed.
    if case .remaking = purpose, let (result, route) = unwilling.first,
      let step = try take(result, route)
    {
      return step
    }
    if purpose == .navigation, let step = try askUnmatched(target) { return step }
    if !faults.isEmpty { throw faults.removeFirst() }
    if !declined.isEmpty { throw RoutingError(target.url, .declined(declined)) }
    guard handlers.isEmpty else { throw RoutingError(target.url, .handlersOnly(handlers)) }
    if let module = session.modules.suspendedOwner(of: request) {
      throw RoutingError(target.url, .suspended(module))
    }
    throw RoutingError(target.url, absence(of: request))
  }

  /// Returns whether a route takes a URL that its pattern matches.
  ///
  /// A condition that fails counts as false, since the URL may belong to another route.
  private func isWilling(
    _ result: RouteResult, _ route: Bound<ModuleRoute>, _ faults: inout [RoutingError]
  ) -> Bool {
    guard let condition = route.part.condition else { return true }
    do throws(RoutingError) {
      return try call(route, result, route) { try condition(result, $0) }
    } catch {
      faults.append(error)
      return false
    }
  }

  /// Records the faults that aren't thrown.
  private func noteRest(of faults: [RoutingError]) {
    for error in faults {
      if case .fault(let fault) = error.reason { session.caller.note(fault) }
    }
  }

  /// Tries one route; nil if it declines.
  private mutating func take(
    _ match: RouteResult, _ route: Bound<ModuleRoute>
  ) throws(RoutingError) -> Step? {
    var result = match
    if purpose == .navigation {
      if hasDeclined(result, route) { return nil }
      try chooseOption(&result, route)
    }
    if case .remaking = purpose {
      // The screen is there already, so no observer is asked.
    } else if let redirect = try ask(result, route) {
      return .redirected(redirect)
    }
    switch route.part.target {
    case .handler(let handler):
      let answer = try call(route, result, route) { try handler(result, $0) }
      if answer == .declined { noteDeclined(result, route) }
      return Self.step(answer, result)
    case .screen(let provider):
      guard let screen = try screen(provider, result, route) else { return nil }
      return .done(.screen(screen, result, route))
    }
  }

  private static func step(_ answer: HandlerAnswer, _ result: RouteResult?) -> Step? {
    switch answer {
    case .handled: .done(.handled(result))
    case .declined: nil
    case .redirected(let redirect): .redirected(redirect)
    }
  }

  private func chooseOption(
    _ result: inout RouteResult, _ route: Bound<ModuleRoute>
  ) throws(RoutingError) {
    for provider in router.optionProviders where provider.part.concerns(result) {
      let current = result
      let opinion = try Self.callOptional(of: provider, result, route, in: session) {
        try provider.part.body(current, current.option, $0)
      }
      if let opinion = opinion ?? nil { result.option = opinion }
    }
  }

  /// Makes a screen and lets presenters enrich it; nil if its provider declines.
  private mutating func screen(
    _ provider: ModuleRoute.ScreenProvider, _ result: RouteResult, _ route: Bound<ModuleRoute>
  ) throws(RoutingError) -> Screen? {
    guard var screen = try call(route, result, route, { try provider(result, $0) })
    else { return nil }
    if screen.kind.isEmpty { screen.kind = route.kind }
    if case .remaking(let id) = purpose {
      screen.id = id
      ids.take(id)
    } else if screen.id.isEmpty {
      screen.id = ids.fresh(for: screen.kind)
    } else {
      ids.take(screen.id)
    }
    screen.url = result.url
    screen.parameters = .map(result.parameters)
    screen.owner = ScreenOwner(module: route.ownerText)
    screen.isPlaceholder = false
    // Without capturing the sequence, which would be copied.
    return try Presenting(session: session).enriched(screen, result) {
      [session] presenter, body throws(RoutingError) in
      try Self.callOptional(of: presenter, result, route, in: session, body)
    }
  }

  /// Asks the unmatched handlers.
  ///
  /// The failure of one counts only if no other takes the URL.
  private func askUnmatched(_ target: Redirect) throws(RoutingError) -> Step? {
    var faults: [Fault] = []
    defer { faults.forEach(session.caller.note) }
    for handler in router.unmatched {
      do throws(Fault) {
        let answer = try session.caller.call(handler) {
          try handler.part.body(target.url, target.parameters, $0)
        }
        if let step = Self.step(answer, nil) { return step }
      } catch {
        faults.append(error)
      }
    }
    guard !faults.isEmpty else { return nil }
    throw RoutingError(target.url, .fault(faults.removeFirst()))
  }

  /// Calls a registration that may influence a routing.
  ///
  /// Returns nil if the registration belongs to another module and fails; the fault is noted, and
  /// only that registration's influence is lost.
  private static func callOptional<Result>(
    of registration: BoundRegistration, _ result: RouteResult, _ route: Bound<ModuleRoute>,
    in session: Session, _ body: (SessionContext) throws -> Result
  ) throws(RoutingError) -> Result? {
    guard registration.owner != route.owner else {
      return try call(registration, result.url, route, in: session, body)
    }
    return session.caller.attempt(registration, body)
  }

  /// Calls a registration that takes part in a routing.
  func call<Result>(
    _ registration: BoundRegistration, _ result: RouteResult, _ route: Bound<ModuleRoute>,
    _ body: (SessionContext) throws -> Result
  ) throws(RoutingError) -> Result {
    try Self.call(registration, result.url, route, in: session, body)
  }

  /// Calls a registration that takes part in the routing of a URL.
  static func call<Result>(
    _ registration: BoundRegistration, _ url: Text, _ route: Bound<ModuleRoute>,
    in session: Session, _ body: (SessionContext) throws -> Result
  ) throws(RoutingError) -> Result {
    do throws(Fault) {
      return try session.caller.call(registration, body)
    } catch {
      throw RoutingError(url, .fault(error), route: route)
    }
  }

  /// Returns why no pattern takes a URL.
  private func absence(of request: RouteRequest) -> RoutingError.Reason {
    // Looking through more takes too long for an answer to a mistake.
    guard router.routes.count <= Spelling.candidateCountMax else { return .noRoute(nearest: nil) }
    let mistyped = router.table.explain(request).candidates.first { candidate in
      if case .typeMismatch = candidate.verdict { true } else { false }
    }
    guard let mistyped else { return .noRoute(nearest: nearest(to: request)) }
    return .wrongParameter(pattern: mistyped.route.pattern.text, mistyped.verdict)
  }

  /// Returns the pattern with the most similar spelling to a URL without a route.
  private func nearest(to request: RouteRequest) -> Text? {
    let path = "/" + request.components.map(\.string).joined(separator: "/")
    let texts = router.routes.map(\.part.pattern.text.string)
    return Spelling.nearest(to: path, in: texts).map { Text($0) }
  }
}
