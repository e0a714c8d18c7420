import MoonActions
import MoonModules
import MoonNavigation
import MoonServiceKit
import MoonValues

/// The step that asks the presenters of a routing option how its screen is shown.
struct OptionPresenting {
  let session: Session

  /// Returns the presenters of an option, in the order in which they are asked.
  ///
  /// - Throws: ``RoutingError`` if there are none.
  func presenters(
    for option: RoutingOption, _ result: RouteResult, _ route: Bound<Route>
  ) throws(RoutingError) -> [Bound<RoutingPresenter>] {
    let router = session.modules.registry.router
    let presenters = router.routingPresenters(for: option.kind)
    if !presenters.isEmpty { return presenters }
    let nearest = Spelling.nearest(to: option.kind.string, in: router.optionKinds)
    throw RoutingError(
      result.url, .noPresenter(option: option.kind, nearest: nearest), route: route)
  }

  /// Asks an option's presenters for the actions that show a screen; returns the answer of the
  /// first that takes it, and whether that is one of the host's.
  ///
  /// - Throws: ``RoutingError`` if one fails, or none takes the screen.
  func actions(
    showing screen: Screen, _ option: RoutingOption, _ result: RouteResult,
    _ route: Bound<Route>
  ) throws(RoutingError) -> (actions: [Action], areOfHost: Bool) {
    let presenters = try presenters(for: option, result, route)
    for presenter in presenters {
      if let actions = try answer(of: presenter, screen, option, result, route) {
        return (actions, presenter.owner == .navigation)
      }
    }
    let asked = presenters.map {
      RoutingError.AskedPresenter(module: $0.owner, place: $0.registration.place)
    }
    throw RoutingError(result.url, .notPresented(option: option.kind, asked: asked), route: route)
  }

  private func answer(
    of presenter: Bound<RoutingPresenter>, _ screen: Screen, _ option: RoutingOption,
    _ result: RouteResult, _ route: Bound<Route>
  ) throws(RoutingError) -> [Action]? {
    do throws(Fault) {
      return try session.caller.call(presenter) {
        guard let actions = try presenter.part.body(screen, option, $0) else { return nil }
        try NavigationAnswerError.check(actions, of: "a routing presenter", mayRoute: false)
        return actions.map { action in
          GivenScreens.owned(
            action, by: presenter.owner, in: session,
            receiving: screen.value.mapValue.map { [$0] } ?? [])
        }
      }
    } catch {
      throw RoutingError(result.url, RoutingError.Reason(error), route: route)
    }
  }
}
