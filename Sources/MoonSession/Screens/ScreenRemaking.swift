import MoonNavigation
import MoonRouting
import MoonStore
import MoonValues

/// Makes screens again whose module, route or presenters have changed.
package struct ScreenRemaking {
  private let session: Session
  /// The modules that have changed.
  private let changed: Set<ModuleName>
  /// The presenters that those modules have, or had.
  private let presenters: [Presenter]
  /// Whether screens whose module isn't there become placeholders.
  private let marksGone: Bool

  /// Makes screens again, each by an action of the host's.
  ///
  /// Those are concerned whose module has changed, whose URL is now taken by one that has, or that
  /// a changed module has or had presenters for, and placeholders. `former`: what the changed
  /// modules were before.
  package static func remake(
    in session: Session, of changed: Set<ModuleName>, former: [Module] = [],
    marksGone: Bool = false
  ) {
    guard session.state[NavigationState.key] != nil, let tree = try? session.readNavigation()
    else { return }
    let now = changed.compactMap { session.modules[$0]?.module }
    let remaking = ScreenRemaking(
      session: session, changed: changed, presenters: (former + now).flatMap(\.presenters),
      marksGone: marksGone)
    for screen in tree.screens where remaking.concerns(screen) {
      guard let made = remaking.made(screen, in: tree), made != screen else { continue }
      session.intake.addNoting(Action(NavigationAction(.update(made))), cause: .host)
    }
  }

  private func concerns(_ screen: Screen) -> Bool {
    if screen.isPlaceholder { return true }
    if let owner = Self.owner(of: screen) {
      if changed.contains(owner) || (marksGone && session.modules[owner] == nil) { return true }
    }
    return concernsRoute(of: screen)
  }

  /// Whether a changed module takes the screen's URL now, or its presenters see it.
  ///
  /// A route for everything may have stood in for one that was gone.
  private func concernsRoute(of screen: Screen) -> Bool {
    let router = session.modules.registry.router
    guard let url = screen.url,
      let request = try? RouteRequest(parsing: url, options: router.routing.urls)
    else { return false }
    for (index, match) in router.table.matches(request).enumerated() {
      let route = router.routes[match.id]
      if index == 0, changed.contains(route.owner) { return true }
      let pattern = route.part.pattern.text
      // Routes that come later may have made it, as those before them may decline.
      if presenters.contains(where: { $0.pattern == nil || $0.pattern == pattern }) { return true }
    }
    return false
  }

  /// The screen as it would be made now; nil to leave it as it is.
  private func made(_ screen: Screen, in tree: NavigationTree) -> Screen? {
    var placeholder = screen
    guard let url = screen.url else {
      placeholder.isPlaceholder = Self.owner(of: screen).map { session.modules[$0] == nil } ?? false
      return placeholder
    }
    let parameters = screen.parameters.mapValue ?? Map()
    var sequence = RoutingSequence(
      session: session, purpose: .remaking(screen.id), ids: ScreenIDs(in: tree))
    do throws(RoutingError) {
      var made = try sequence.screen(for: Redirect(to: url, passing: parameters)).0
      made.presentation = screen.presentation
      return made
    } catch {
      switch error.reason {
      case .noRoute, .suspended, .declined, .handlersOnly:
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
