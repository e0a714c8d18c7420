import MoonActions
package import MoonModules
import MoonNavigation
import MoonRouting
package import MoonServiceKit
import MoonValues

/// The step that remakes screens whose module, route or presenters have changed.
package struct ScreenRemaking {
  private let session: Session
  /// The modules that have changed.
  private let changed: Set<ModuleName>
  /// The presenters of those modules, before and after the change.
  private let presenters: [Presenter]
  /// Whether screens whose module is missing become placeholders.
  private let marksMissing: Bool

  /// Remakes the screens of an earlier run, and tells their modules that they have appeared.
  static func appear(in session: Session, of modules: Set<ModuleName>) {
    guard let tree = try? session.readNavigation() else { return }
    let work = PendingNavigation(tree: tree)
    work.transitions.append(Transition(restoring: tree))
    CompletionStage(session: session).tell(of: work)
    remake(in: session, of: modules, marksMissing: true)
  }

  /// Remakes screens, each by an action of the host's.
  ///
  /// A screen is remade if its module has changed, if a changed module's route now takes its URL,
  /// if a changed module has or had presenters for it, or if it is a placeholder. `former` holds
  /// the changed modules as they were before.
  package static func remake(
    in session: Session, of changed: Set<ModuleName>, former: [Module] = [],
    marksMissing: Bool = false
  ) {
    guard session.state[NavigationState.key] != nil, let tree = try? session.readNavigation()
    else { return }
    let now = changed.compactMap { session.modules[$0]?.module }
    let remaking = ScreenRemaking(
      session: session, changed: changed, presenters: (former + now).flatMap(\.presenters),
      marksMissing: marksMissing)
    session.sharingBudget {
      for screen in tree.screens where remaking.concerns(screen) {
        guard let made = remaking.made(screen, in: tree), made != screen else { continue }
        session.intake.addNotingFailure(Action(NavigationAction(.update(made))), cause: .host)
      }
    }
  }

  private func concerns(_ screen: Screen) -> Bool {
    if screen.isPlaceholder { return true }
    if let owner = Self.owner(of: screen) {
      if changed.contains(owner) || (marksMissing && session.modules[owner] == nil) { return true }
    }
    return concernsRoute(of: screen)
  }

  /// Returns whether a changed module's route takes the screen's URL, or its presenters enrich it.
  ///
  /// A catch-all route may have taken the URL while the right one was missing.
  private func concernsRoute(of screen: Screen) -> Bool {
    let router = session.modules.registry.router
    guard let url = screen.url,
      let request = try? RouteRequest(parsing: url, options: router.routing.urls)
    else { return false }
    for (index, match) in router.table.matches(request).enumerated() {
      let route = router.routes[match.id]
      if index == 0, changed.contains(route.owner) { return true }
      let pattern = route.part.pattern.text
      // A later route may have made the screen, since the routes before it may decline.
      if presenters.contains(where: { $0.pattern == nil || $0.pattern == pattern }) { return true }
    }
    return false
  }

  /// Remakes a screen; nil to leave it unchanged.
  private func made(_ screen: Screen, in tree: NavigationTree) -> Screen? {
    var placeholder = screen
    guard let url = screen.url else {
      placeholder.isPlaceholder = Self.owner(of: screen).map { session.modules[$0] == nil } ?? false
      return placeholder
    }
    let parameters = screen.parameters.mapValue ?? Map()
    let sequence = RoutingSequence(
      session: session, purpose: .remaking(screen.id), guards: RoutingGuards(.route(url)))
    var ids = ScreenIDs(in: tree)
    do throws(RoutingError) {
      var made = try sequence.screen(for: RoutedURL(url: url, parameters: parameters), &ids).0
      made.presentation = screen.presentation
      return made
    } catch {
      switch error.reason {
      case .noRoute, .wrongParameter, .suspended, .declined, .handlersOnly:
        placeholder.isPlaceholder = true
        return placeholder
      case .fault(let fault): session.caller.note(fault)
      default: session.fail(.route(url, passing: parameters), .routing(error))
      }
      return nil
    }
  }

  private static func owner(of screen: Screen) -> ModuleName? {
    screen.owner.flatMap { ModuleName($0.module.string) }
  }
}
