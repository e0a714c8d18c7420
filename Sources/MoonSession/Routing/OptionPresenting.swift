import MoonActions
import MoonModules
import MoonNavigation
import MoonValues

/// The step that asks the presenter of a routing option how its screen is shown.
struct OptionPresenting {
  let session: Session

  /// Returns the presenter of an option.
  ///
  /// - Throws: ``RoutingError`` if there is none.
  func presenter(
    for option: RoutingOption, _ result: RouteResult, _ route: Bound<ModuleRoute>
  ) throws(RoutingError) -> Bound<RoutingPresenter> {
    let router = session.modules.registry.router
    if let presenter = router.routingPresenter(for: option.kind) { return presenter }
    let nearest = Spelling.nearest(to: option.kind.string, in: router.optionKinds)
    throw RoutingError(
      result.url, .noPresenter(option: option.kind, nearest: nearest), route: route)
  }

  /// Asks an option's presenter for the actions that show a screen.
  ///
  /// - Throws: ``RoutingError``
  func actions(
    showing screen: Screen, _ option: RoutingOption, by presenter: Bound<RoutingPresenter>,
    _ result: RouteResult, _ route: Bound<ModuleRoute>
  ) throws(RoutingError) -> [Action] {
    do throws(Fault) {
      return try session.caller.call(presenter) {
        let actions = try presenter.part.body(screen, option, $0)
        try NavigationAnswerError.check(actions, of: "a routing presenter", mayRoute: false)
        return actions
      }
    } catch {
      throw RoutingError(result.url, RoutingError.Reason(error), route: route)
    }
  }
}
