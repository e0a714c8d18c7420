import MoonNavigation
import MoonRouting
import MoonStore
import MoonValues

/// The way from a URL to a screen.
extension Session {
  /// How often a routing may be redirected: further than any app needs.
  static let redirectsMax = 8

  /// A routing that has happened but for telling those who observe it.
  struct FinishedRouting {
    let result: RouteResult
    /// As it was made; nil after a handler.
    let screen: Screen?
  }

  /// What a routing wants to be done to the navigation.
  struct Routed {
    var actions: [Action] = []
    var url: Text
    var route: Router.BoundRoute?

    /// The error of one of the actions, with the URL and the route that led there.
    func explained(_ error: DispatchError) -> DispatchError {
      guard case .navigation(let problem) = error else { return error }
      return .routing(RoutingError(url, .navigation(problem), route: route))
    }
  }

  /// What a routing is for.
  private enum Purpose: Equatable {
    /// Handlers are called, screens are presented.
    case navigation
    /// Only a screen is wanted.
    case screen
    /// The screen that is there with this id is made again: nobody is asked whether it may be.
    case remaking(Text)
  }

  /// What a URL leads to.
  private enum Arrival {
    case screen(Screen, RouteResult, Router.BoundRoute)
    case handled(RouteResult?)
    case redirected(Redirect)
  }

  private var router: Router { modules.registry.router }

  /// Routes a URL as an action says; returns what shall happen to the navigation.
  func routed(_ action: Action, _ work: inout Work) throws(DispatchError) -> Routed {
    let payload = action.payload.mapValue ?? Map()
    let url = payload["url"]?.textValue ?? ""
    var option: RoutingOption?
    if let value = payload["option"], value != .null {
      guard let known = RoutingOption(reading: value) else {
        throw .routing(
          RoutingError(url, .noPresenter(option: Text(value.canonicalText), nearest: nil)))
      }
      option = known
    }
    do throws(RoutingError) {
      let redirect = Redirect(to: url, passing: payload["params"]?.mapValue ?? Map())
      switch try arrive(redirect, option, for: .navigation, &work) {
      case .screen(let screen, var result, let route):
        result.option = (result.option ?? .show).filled(from: payload)
        var actions = try present(screen, result, route, &work)
        if let origin = payload["origin"] {
          for index in actions.indices { actions[index].say(origin, as: "origin") }
        }
        return Routed(actions: actions, url: result.url, route: route)
      case .handled(let result):
        if let result { work.routings.append(FinishedRouting(result: result, screen: nil)) }
        return Routed(url: url)
      case .redirected: return Routed(url: url)
      }
    } catch {
      throw .routing(error)
    }
  }

  /// The screen that a URL leads to, which isn't shown.
  ///
  /// - Throws: ``RoutingError``
  func screen(
    for url: Text, passing parameters: Map, _ work: inout Work
  ) throws(RoutingError) -> Screen {
    let redirect = Redirect(to: url, passing: parameters)
    guard case .screen(let screen, let result, _) = try arrive(redirect, nil, for: .screen, &work)
    else { throw RoutingError(url, .noRoute(nearest: nil)) }
    work.routings.append(FinishedRouting(result: result, screen: screen))
    return screen
  }

  /// The screen that a URL leads to, for somebody outside.
  func screen(for url: Text, passing parameters: Map) throws(DispatchError) -> Screen {
    bindings.session = self
    var work = Work(next: state, tree: try navigationTree(), noted: [])
    do throws(RoutingError) {
      return try screen(for: url, passing: parameters, &work)
    } catch {
      throw .routing(error)
    }
  }

  /// A screen as its route makes it now, in its old place.
  func remadeScreen(
    for url: Text, _ old: Screen, _ tree: NavigationTree
  ) throws(RoutingError) -> Screen? {
    var work = Work(next: state, tree: tree, noted: [])
    let redirect = Redirect(to: url, passing: old.parameters.mapValue ?? Map())
    guard case .screen(let screen, _, _) = try arrive(redirect, nil, for: .remaking(old.id), &work)
    else { return nil }
    return screen
  }

  // MARK: The sequence

  /// Follows redirects until somebody takes the URL.
  private func arrive(
    _ first: Redirect, _ option: RoutingOption?, for purpose: Purpose, _ work: inout Work
  ) throws(RoutingError) -> Arrival {
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
      let arrival = try attempt(next, option, visited, purpose, &work)
      visited.append(next.url)
      guard case .redirected(let redirect) = arrival else { return arrival }
      next = redirect
    }
  }

  /// Asks the routes that take a URL, in their order.
  private func attempt(
    _ target: Redirect, _ option: RoutingOption?, _ visited: [Text], _ purpose: Purpose,
    _ work: inout Work
  ) throws(RoutingError) -> Arrival {
    let request: RouteRequest
    do throws(RouteRequestError) {
      request = try RouteRequest(parsing: target.url, options: router.routing.urls)
    } catch {
      throw RoutingError(target.url, .malformed(error))
    }
    var declined: [Text] = []
    var handlers: [Text] = []
    for match in router.table.matches(request) {
      let bound = router.routes[match.id]
      if purpose != .navigation, case .handler = bound.route.target {
        handlers.append(bound.route.pattern.text)
        continue
      }
      var result = RouteResult(
        match, of: bound.owner, name: bound.route.name, passing: target.parameters,
        option: option ?? bound.route.option, redirectedFrom: visited)
      if purpose == .navigation { try chooseOption(&result, bound) }
      var oldID: Text?
      if case .remaking(let id) = purpose {
        oldID = id
      } else if let redirect = try ask(result, bound) {
        return .redirected(redirect)
      }
      if let arrival = try follow(bound, result, oldID, &work) { return arrival }
      declined.append(bound.route.pattern.text)
    }
    if purpose == .navigation, let arrival = try askUnmatched(target) { return arrival }
    if !declined.isEmpty { throw RoutingError(target.url, .declined(declined)) }
    guard handlers.isEmpty else { throw RoutingError(target.url, .handlersOnly(handlers)) }
    if let module = modules.suspendedTaker(of: request) {
      throw RoutingError(target.url, .suspended(module))
    }
    throw RoutingError(target.url, .noRoute(nearest: nearest(to: request)))
  }

  private func chooseOption(
    _ result: inout RouteResult, _ bound: Router.BoundRoute
  ) throws(RoutingError) {
    for provider in router.optionProviders where provider.part.observes(result) {
      let current = result
      let opinion = try taking(part: provider.part.registration, provider.owner, result, bound) {
        try provider.part.body(current, current.option, $0)
      }
      if let opinion { result.option = opinion }
    }
  }

  /// Asks those who observe routings; returns where they redirect to.
  private func ask(
    _ result: RouteResult, _ bound: Router.BoundRoute
  ) throws(RoutingError) -> Redirect? {
    for observer in router.observers where observer.part.observes(result) {
      guard let will = observer.part.will else { continue }
      switch try taking(
        part: observer.part.registration, observer.owner, result, bound,
        {
          try will(result, $0)
        })
      {
      case .proceed: continue
      case .redirect(let redirect): return redirect
      case .veto(let reason):
        throw RoutingError(
          result.url,
          .vetoed(by: observer.owner, at: observer.part.registration.place, reason: reason),
          route: bound)
      }
    }
    return nil
  }

  /// Does what a route leads to; nil if that declines.
  ///
  /// `oldID`: of the screen that is made again.
  private func follow(
    _ bound: Router.BoundRoute, _ result: RouteResult, _ oldID: Text?, _ work: inout Work
  ) throws(RoutingError) -> Arrival? {
    switch bound.route.target {
    case .handler(let handler):
      switch try taking(
        part: bound.route.registration, bound.owner, result, bound,
        {
          try handler(result, $0)
        })
      {
      case .handled: return .handled(result)
      case .declined: return nil
      case .redirected(let redirect): return .redirected(redirect)
      }
    case .screen(let provider):
      let made = try taking(part: bound.route.registration, bound.owner, result, bound) {
        try provider(result, $0)
      }
      guard var screen = made else { return nil }
      if screen.kind.isEmpty { screen.kind = bound.kind }
      if let oldID {
        screen.id = oldID
      } else if screen.id.isEmpty {
        screen.id = Self.freshID(for: screen.kind, in: work.tree, besides: work.takenIDs)
      }
      screen.url = result.url
      screen.parameters = .map(result.parameters)
      screen.owner = ScreenOwner(module: Text(bound.owner.text))
      screen.isPlaceholder = false
      work.takenIDs.insert(screen.id)
      try enrich(&screen, result, bound)
      return .screen(screen, result, bound)
    }
  }

  private func enrich(
    _ screen: inout Screen, _ result: RouteResult, _ bound: Router.BoundRoute
  ) throws(RoutingError) {
    for presenter in router.presenters where presenter.part.observes(result) {
      let old = screen
      screen = try taking(part: presenter.part.registration, presenter.owner, result, bound) {
        var screen = old
        try presenter.part.body(&screen, result, $0)
        return screen
      }
      screen.id = old.id
      screen.url = old.url
      screen.owner = old.owner
      screen.isPlaceholder = false
    }
  }

  /// Lets the presenter for the option say what shall happen to the navigation.
  private func present(
    _ screen: Screen, _ result: RouteResult, _ bound: Router.BoundRoute, _ work: inout Work
  ) throws(RoutingError) -> [Action] {
    let option: RoutingOption = result.option ?? RoutingOption.show
    guard let presenter = router.routingPresenter(for: option.kind) else {
      let nearest = Spelling.nearest(to: option.kind.string, in: router.optionKinds)
      throw RoutingError(
        result.url, .noPresenter(option: option.kind, nearest: nearest), route: bound)
    }
    let actions = try taking(part: presenter.part.registration, presenter.owner, result, bound) {
      let actions = try presenter.part.body(screen, option, $0)
      try WrongNavigation.check(actions, of: "a routing presenter", mayRoute: false)
      return actions
    }
    let isAnimated = option.isAnimated ?? true
    tell(
      ScreenEvent(stage: .willRoute, screen: screen, windowID: nil, isAnimated: isAnimated))
    work.routings.append(FinishedRouting(result: result, screen: screen))
    return actions
  }

  /// Asks those who take what no route takes.
  private func askUnmatched(_ target: Redirect) throws(RoutingError) -> Arrival? {
    for handler in router.unmatched {
      do throws(Fault) {
        let answer = try call(handler.part.registration, of: handler.owner) {
          try handler.part.body(target.url, target.parameters, $0)
        }
        switch answer {
        case .handled: return .handled(nil)
        case .declined: continue
        case .redirected(let redirect): return .redirected(redirect)
        }
      } catch {
        throw RoutingError(target.url, .fault(error))
      }
    }
    return nil
  }

  /// Tells those who observe a routing, then the screen, that it has happened.
  func finish(_ routing: FinishedRouting, in tree: NavigationTree) {
    let shown = routing.screen.map { tree.screen($0.id) ?? $0 }
    for observer in router.observers where observer.part.observes(routing.result) {
      guard let did = observer.part.did else { continue }
      attempt(observer.part.registration, of: observer.owner) {
        try did(routing.result, shown, $0)
      }
    }
    guard let shown else { return }
    tell(
      ScreenEvent(
        stage: .didRoute, screen: shown, windowID: tree.windowID(of: shown.id),
        isAnimated: routing.result.option?.isAnimated ?? true))
  }

  /// Lets somebody take part in a routing.
  private func taking<Result>(
    part registration: Registration, _ owner: ModuleName, _ result: RouteResult,
    _ bound: Router.BoundRoute, _ body: (SessionContext) throws -> Result
  ) throws(RoutingError) -> Result {
    do throws(Fault) {
      return try call(registration, of: owner, body)
    } catch {
      throw RoutingError(result.url, .fault(error), route: bound)
    }
  }

  /// The pattern that a URL without a route may be meant for.
  private func nearest(to request: RouteRequest) -> Text? {
    let path = "/" + request.components.map(\.string).joined(separator: "/")
    let texts = router.routes.map(\.route.pattern.text.string)
    return Spelling.nearest(to: path, in: texts).map { Text($0) }
  }
}

extension RoutingOption {
  /// With what the action that routes says and the option doesn't.
  fileprivate func filled(from payload: Map) -> RoutingOption {
    var option = self
    for key: Key in ["animated", "window"] where option.fields[key] == nil {
      option.fields[key] = payload[key]
    }
    return option
  }
}

extension Action {
  fileprivate mutating func say(_ value: Value, as field: Key) {
    guard case .map(var map) = payload else { return }
    map[field] = value
    payload = .map(map)
  }
}

/// What takes part in the routings of one pattern, or of all.
private protocol PatternBound {
  /// Nil for all.
  var pattern: Text? { get }
}

extension PatternBound {
  func observes(_ result: RouteResult) -> Bool { pattern.map { $0 == result.pattern } ?? true }
}

extension OptionProvider: PatternBound {}
extension RoutingObserver: PatternBound {}
extension Presenter: PatternBound {}
