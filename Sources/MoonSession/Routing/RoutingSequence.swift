import MoonActions
import MoonModules
import MoonNavigation
import MoonRouting
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
    case screen(Screen, RouteResult, Bound<Route>)
    /// A handler took the URL; the result is nil if that was an unmatched handler.
    case handled(RouteResult?)
  }

  /// The result of trying the routes of one URL.
  enum Step {
    case done(Destination)
    case redirected(Redirect)
  }

  /// What is known of a URL when its first routes don't take it.
  private final class Misses {
    /// The patterns whose targets declined.
    var declined: [Text] = []
    /// The patterns of handlers that weren't asked for a screen.
    var handlers: [Text] = []
    /// The routes whose conditions didn't hold.
    var unwilling: [(RouteResult, Bound<Route>)] = []
    /// The errors of conditions.
    var faults: [RoutingError] = []
  }

  let session: Session
  let purpose: Purpose
  /// The guards asked so far, and their answers.
  let guards: RoutingGuards

  var router: Router { session.modules.registry.router }

  /// Follows redirects until a route or an unmatched handler takes the URL.
  ///
  /// `ids` is the source of ids for new screens.
  ///
  /// - Throws: ``RoutingError``
  func destination(
    of first: RoutedURL, _ ids: inout ScreenIDs
  ) throws(RoutingError) -> Destination {
    switch try step(first, [], &ids) {
    case .done(let destination): destination
    case .redirected(let redirect): try follow(redirect, from: first, &ids)
    }
  }

  private func follow(
    _ redirect: Redirect, from first: RoutedURL, _ ids: inout ScreenIDs
  ) throws(RoutingError) -> Destination {
    var visited = [first.url]
    var next = redirect.routedURL(passing: first.parameters)
    while true {
      guard !visited.contains(next.url) else {
        throw RoutingError(next.url, .redirectLoop(visited + [next.url]))
      }
      guard visited.count <= Self.redirectsMax else {
        throw RoutingError(
          next.url, .tooManyRedirects(visited + [next.url], max: Self.redirectsMax))
      }
      switch try step(next, visited, &ids) {
      case .done(let destination): return destination
      case .redirected(let redirect):
        visited.append(next.url)
        next = redirect.routedURL(passing: next.parameters)
      }
    }
  }

  /// Tries the routes that match a URL, in their order.
  private func step(
    _ routed: RoutedURL, _ visited: [Text], _ ids: inout ScreenIDs
  ) throws(RoutingError) -> Step {
    guards.beginURL()
    let router = router
    let request: RouteRequest
    do throws(RouteRequestError) {
      request = try RouteRequest(parsing: routed.url, options: router.routing.urls)
    } catch {
      throw RoutingError(routed.url, .malformed(error))
    }
    // Nothing is noted before a route misses, since the first one usually takes the URL.
    var misses: Misses?
    if let match = router.table.firstMatch(request),
      let step = try take(match, in: router, routed, visited, &misses, &ids)
    {
      return step
    }
    return try others(request, in: router, routed, visited, misses, &ids)
  }

  /// Tries the routes after the first one that matches a URL, if there is any.
  private func others(
    _ request: RouteRequest, in router: Router, _ routed: RoutedURL, _ visited: [Text],
    _ known: Misses?, _ ids: inout ScreenIDs
  ) throws(RoutingError) -> Step {
    var misses = known
    defer { if let misses { noteRest(of: misses.faults) } }
    var matches = router.table.matches(request)
    _ = matches.next()
    while let match = matches.next() {
      if let step = try take(match, in: router, routed, visited, &misses, &ids) { return step }
    }
    return try rest(of: request, routed, misses, &ids)
  }

  /// Tries one route that matches a URL; nil if it doesn't take the URL.
  private func take(
    _ match: RouteMatch, in router: Router, _ routed: RoutedURL, _ visited: [Text],
    _ misses: inout Misses?, _ ids: inout ScreenIDs
  ) throws(RoutingError) -> Step? {
    let route = router.routes[match.id]
    if !isNavigation, case .handler = route.part.target {
      noted(&misses).handlers.append(route.part.pattern.text)
      return nil
    }
    // Field by field, since a copy of the part retains all that it holds.
    let pattern = route.part.pattern.text
    func result(passing parameters: Map) -> RouteResult {
      RouteResult(
        match, of: (route.owner, route.ownerText),
        (
          pattern,
          route.part.hasGroups ? match.expandedPatternText(of: route.part.pattern) : pattern
        ),
        name: route.part.name, passing: parameters,
        option: routed.option ?? route.part.option, redirectedFrom: visited)
    }
    var found = result(passing: routed.parameters)
    if route.part.isConditional {
      guard let added = parametersAdded(found, route, &misses) else {
        noted(&misses).unwilling.append((found, route))
        noted(&misses).declined.append(route.part.pattern.text)
        return nil
      }
      if !added.isEmpty { found = result(passing: routed.parameters.overridden(by: added)) }
    }
    if let step = try session.spans.measure(self, found, route, &ids) { return step }
    noted(&misses).declined.append(route.part.pattern.text)
    return nil
  }

  /// Returns what is noted of a URL that a route hasn't taken.
  private func noted(_ misses: inout Misses?) -> Misses {
    if let misses { return misses }
    let made = Misses()
    misses = made
    return made
  }

  private var isNavigation: Bool { if case .navigation = purpose { true } else { false } }

  /// Handles a URL that no route takes.
  private func rest(
    of request: RouteRequest, _ routed: RoutedURL, _ misses: Misses?, _ ids: inout ScreenIDs
  ) throws(RoutingError) -> Step {
    // The screen exists, so its route takes it even if its condition has changed.
    if case .remaking = purpose, let (result, route) = misses?.unwilling.first,
      let step = try take(result, route, &ids)
    {
      return step
    }
    if isNavigation, let step = try askUnmatched(routed) { return step }
    if let misses, !misses.faults.isEmpty { throw misses.faults.removeFirst() }
    if let declined = misses?.declined, !declined.isEmpty {
      throw RoutingError(routed.url, .declined(declined))
    }
    if let handlers = misses?.handlers, !handlers.isEmpty {
      throw RoutingError(routed.url, .handlersOnly(handlers))
    }
    if let module = session.modules.suspendedOwner(of: request) {
      throw RoutingError(routed.url, .suspended(module))
    }
    throw RoutingError(routed.url, absence(of: request))
  }

  /// Returns the parameters that a conditional route adds; nil if it leaves the URL to others.
  ///
  /// So does a condition that fails, since the URL may belong to another route.
  private func parametersAdded(
    _ result: RouteResult, _ route: Bound<Route>, _ misses: inout Misses?
  ) -> Map? {
    guard let condition = route.part.condition else { return Map() }
    do throws(RoutingError) {
      return try call(route, result, route) { try condition(result, $0) }
    } catch {
      noted(&misses).faults.append(error)
      return nil
    }
  }

  /// Records the faults that aren't thrown.
  private func noteRest(of faults: [RoutingError]) {
    for error in faults {
      if case .fault(let fault) = error.reason { session.caller.note(fault) }
    }
  }

  /// Tries one route; nil if it declines.
  func take(
    _ match: consuming RouteResult, _ route: Bound<Route>, _ ids: inout ScreenIDs
  ) throws(RoutingError) -> Step? {
    var result = match
    switch purpose {
    case .navigation:
      if hasDeclined(result, route) { return nil }
      try chooseOption(&result, route)
      if let step = try ask(result, route) { return step }
    case .screen: if let step = try ask(result, route) { return step }
    // The screen is there already, so no observer is asked.
    case .remaking: break
    }
    switch route.part.target {
    case .handler(let handler):
      let answer = try call(route, result, route) { try handler(result, $0) }
      if answer == .declined { noteDeclined(result, route) }
      return step(answer, of: route, result)
    case .screen(let provider):
      guard let screen = try screen(provider, result, route, &ids) else { return nil }
      return .done(.screen(screen, result, route))
    }
  }

  private func step(
    _ answer: HandlerAnswer, of handler: BoundRegistration, _ result: RouteResult?
  ) -> Step? {
    if case .redirected = answer { session.current.noteHand(of: handler.owner) }
    return switch answer {
    case .handled: .done(.handled(result))
    case .declined: nil
    case .redirected(let redirect): .redirected(redirect)
    }
  }

  private func chooseOption(
    _ result: inout RouteResult, _ route: Bound<Route>
  ) throws(RoutingError) {
    for provider in router.optionProviders where provider.part.concerns(result) {
      do throws(Fault) {
        let opinion = try session.caller.call(provider) {
          try provider.part.body(result, result.option, $0)
        }
        guard let opinion else { continue }
        session.current.noteHand(of: provider.owner)
        result.option = opinion
      } catch {
        try lose(provider, error, result, route)
      }
    }
  }

  /// Makes a screen and lets presenters enrich it; nil if its provider declines.
  private func screen(
    _ provider: Route.ScreenProvider, _ result: RouteResult, _ route: Bound<Route>,
    _ ids: inout ScreenIDs
  ) throws(RoutingError) -> Screen? {
    guard var screen = try call(route, result, route, { try provider(result, $0) })
    else { return nil }
    let kind = screen.kind.isEmpty ? route.kind : screen.kind
    let id: Text
    if case .remaking(let known) = purpose {
      id = known
      ids.take(id)
    } else if screen.id.isEmpty {
      id = ids.fresh(for: kind)
    } else {
      id = screen.id
      ids.take(id)
    }
    screen.complete(
      id: id, kind: kind, url: result.url, parameters: .map(result.parameters),
      owner: ScreenOwner(module: route.ownerText))
    session.caller.noteGivers(of: screen, from: route)
    return try Presenting(session: session).enriched(screen, result) {
      presenter, fault throws(RoutingError) in try lose(presenter, fault, result, route)
    }
  }

  /// Asks the unmatched handlers.
  ///
  /// The failure of one counts only if no other takes the URL.
  private func askUnmatched(_ routed: RoutedURL) throws(RoutingError) -> Step? {
    var faults: [Fault] = []
    defer { faults.forEach(session.caller.note) }
    for handler in router.unmatched {
      do throws(Fault) {
        let answer = try session.caller.call(handler) {
          try handler.part.body(routed.url, routed.parameters, $0)
        }
        if let step = self.step(answer, of: handler, nil) { return step }
      } catch {
        faults.append(error)
      }
    }
    guard !faults.isEmpty else { return nil }
    throw RoutingError(routed.url, RoutingError.Reason(faults.removeFirst()))
  }

  /// Notes the fault of a registration that may influence a routing.
  ///
  /// If the registration belongs to another module than the route, only its influence is lost.
  ///
  /// - Throws: ``RoutingError`` if it belongs to the same module.
  private func lose(
    _ registration: BoundRegistration, _ fault: Fault, _ result: RouteResult,
    _ route: Bound<Route>
  ) throws(RoutingError) {
    guard registration.owner != route.owner else {
      throw RoutingError(result.url, RoutingError.Reason(fault), route: route)
    }
    session.caller.note(fault)
  }

  /// Calls a registration that takes part in a routing.
  func call<Result>(
    _ registration: BoundRegistration, _ result: RouteResult, _ route: Bound<Route>,
    _ body: (SessionContext) throws -> Result
  ) throws(RoutingError) -> Result {
    do throws(Fault) {
      return try session.caller.call(registration, body)
    } catch {
      throw RoutingError(result.url, RoutingError.Reason(error), route: route)
    }
  }

  /// Returns the error of a routing in which the host has refused what a registration returned.
  func failure(
    of registration: BoundRegistration, _ error: any Error, _ url: Text,
    _ route: Bound<Route>
  ) -> RoutingError {
    let fault = session.caller.fault(error, registration, nil)
    return RoutingError(url, .fault(fault), route: route)
  }

  /// Returns why no pattern takes a URL.
  private func absence(of request: RouteRequest) -> RoutingError.Reason {
    // Looking through more takes too long for an answer to a mistake.
    guard router.hasFewPatterns else { return .noRoute(nearest: nil) }
    let mistyped = router.table.explain(request).candidates.first { candidate in
      if case .typeMismatch = candidate.verdict { true } else { false }
    }
    guard let mistyped else { return .noRoute(nearest: nearest(to: request)) }
    return .wrongParameter(pattern: mistyped.route.pattern.text, mistyped.verdict)
  }

  /// Returns the pattern with the most similar spelling to a URL without a route.
  private func nearest(to request: RouteRequest) -> Text? {
    let path = "/" + request.components.map(\.string).joined(separator: "/")
    var patterns: [(spelling: String, text: Text)] = []
    for pattern in router.routes.lazy.map(\.part.pattern)
    where patterns.count < Spelling.candidateCountMax {
      patterns.append((pattern.text.string, pattern.text))
      patterns += pattern.paths(resembling: request.components).map { ($0, pattern.text) }
    }
    let found = Spelling.nearest(to: path, in: patterns.lazy.map(\.spelling))
    return patterns.first { $0.spelling == found }?.text
  }
}

extension Map {
  /// Returns the map with the entries of another, which replace its own.
  fileprivate func overridden(by other: Map) -> Map {
    var map = self
    for (key, value) in other { map[key] = value }
    return map
  }
}
