import MoonNavigation
import MoonStore
import MoonValues

/// Stage 6, first half: tells screens and routing observers about changes of the navigation, and
/// queues `nav/did_…` actions.
struct CompletionStage {
  let session: Session

  /// Announces the changes of the navigation.
  func tell(of work: NavigationWork) {
    lazy var screens = ScreenSearch(in: work)
    // Copied, since listeners are called, and accesses to the work aren't checked.
    let (transitions, routings) = (work.transitions, work.routings)
    transitions.visit { transition in
      tell(of: transition)
      if session.screens.areKept { forget(transition.unloaded, unlessIn: screens) }
    }
    routings.visit { tell(of: $0, screens) }
  }

  private func tell(of transition: Transition) {
    let lifecycle = session.modules.registry.router.lifecycle
    // What no one listens to isn't made.
    transition.forEachCompletion { type, payload in session.announce(type, payload()) }
    transition.forEachEvent(where: { lifecycle.hasListeners(to: ScreenStage($0)) }) { event in
      tell(
        ScreenEvent(
          stage: ScreenStage(event.stage), screen: event.screen, windowID: event.windowID,
          isAnimated: event.motion == .animated))
    }
  }

  private func forget(_ unloaded: [Screen], unlessIn screens: ScreenSearch) {
    for screen in unloaded where screens[screen.id] == nil {
      session.screens.forms.forget(screen.id)
      session.screens.presented.forget(screen.id)
    }
  }

  /// Calls the lifecycle listeners for an event, which is only made if there are any.
  func tell(
    _ stage: ScreenStage, of screen: Screen, in windowID: @autoclosure () -> Text?,
    isAnimated: @autoclosure () -> Bool
  ) {
    guard session.modules.registry.router.lifecycle.hasListeners(to: stage) else { return }
    tell(
      ScreenEvent(stage: stage, screen: screen, windowID: windowID(), isAnimated: isAnimated()))
  }

  private func tell(_ event: ScreenEvent) {
    let lifecycle = session.modules.registry.router.lifecycle
    for listener in lifecycle.listeners(to: event.stage, of: event.screen) {
      session.caller.attempt(listener) { try listener.part.body(event, $0) }
    }
  }

  /// Announces to its observers that a routing has failed.
  ///
  /// An action that waits for a guard hasn't failed.
  func tell(_ error: RoutingError, of url: Text) {
    if error.isWaiting { return }
    for observer in session.modules.registry.router.observers {
      guard let failed = observer.part.failed,
        observer.part.pattern.map({ $0 == error.pattern }) ?? true
      else { continue }
      session.caller.attempt(observer) { try failed(url, error, $0) }
    }
  }

  /// Announces a routing to its observers, then to the screen.
  private func tell(of routing: FinishedRouting, _ screens: ScreenSearch) {
    let found = routing.screen.flatMap { screens[$0.id] }
    let shown = found?.screen ?? routing.screen
    for observer in session.modules.registry.router.observers
    where observer.part.concerns(routing.result) {
      guard let did = observer.part.did else { continue }
      session.caller.attempt(observer) { try did(routing.result, shown, $0) }
    }
    guard let shown else { return }
    tell(
      .didRoute, of: shown, in: found?.windowID,
      isAnimated: routing.result.option?.isAnimated ?? true)
  }
}

/// Finds screens in the tree that a transaction leaves.
///
/// One or two screens are searched for; more are found in an index, so that the cost of telling
/// about n screens doesn't grow with n².
private struct ScreenSearch {
  private static let searchesMax = 2

  private let tree: NavigationTree
  /// The last change, which mostly has brought the screen of the only routing.
  private let last: Transition?
  private let index: [Text: (screen: Screen, windowID: Text)]?

  init(in work: NavigationWork) {
    tree = work.tree
    last = work.transitions.last
    var count = work.routings.count
    work.transitions.visit { count += $0.unloadedCount }
    index = count > Self.searchesMax ? tree.screensByID : nil
  }

  subscript(_ id: Text) -> (screen: Screen, windowID: Text)? {
    if let arrival = last?.arrival, arrival.screen.id == id { return arrival }
    if let index { return index[id] }
    return tree.contains(id) ? tree.screenAndWindow(id) : nil
  }
}
