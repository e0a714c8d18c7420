import MoonModules
import MoonNavigation
import MoonValues

/// Stage 6: tells screens and routing observers about changes of the navigation, and
/// queues `nav/did_…` actions.
struct CompletionStage {
  let session: Session

  /// Announces the changes of the navigation.
  func tell(of work: PendingNavigation) {
    var screens = ScreenSearch(in: work)
    for transition in work.transitions { tell(of: transition, &screens) }
    for routing in work.routings { tell(of: routing, &screens) }
  }

  private func tell(of transition: Transition, _ screens: inout ScreenSearch) {
    tell(of: transition)
    if session.screens.areKept { forget(transition.unloaded, unlessIn: &screens) }
  }

  private func tell(of transition: Transition) {
    // What no one listens to isn't made.
    if session.modules.hearCompletions {
      transition.forEachCompletion { type, payload in session.announce(type, payload()) }
    }
    let stages = session.modules.registry.router.lifecycle.heardOnChanges
    if stages.isEmpty { return }
    transition.forEachEvent(of: stages) { stage, screen, windowID, motion in
      tell(
        ScreenEvent(
          stage: ScreenStage(stage), screen: screen, windowID: windowID,
          isAnimated: motion == .animated))
    }
  }

  private func forget(_ unloaded: [Screen], unlessIn screens: inout ScreenSearch) {
    for screen in unloaded where screens.find(screen.id) == nil {
      session.screens.forms.forget(screen.id)
      session.screens.presented.forget(screen.id)
      session.screens.givers.forget(screen.id)
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
      session.caller.attempt(listener, showing: event.screen) {
        try listener.part.body(event, $0)
      }
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
  private func tell(of routing: FinishedRouting, _ screens: inout ScreenSearch) {
    let isHeard = session.modules.registry.router.lifecycle.hasListeners(to: .didRoute)
    var (shown, windowID) = (routing.screen, Text?.none)
    // Usually nothing asks for the window, and the screen is as it was made.
    if let made = shown, isHeard || !screens.work.hasBrought(made),
      let found = screens.find(made.id)
    {
      (shown, windowID) = (found.screen, found.windowID)
    }
    for observer in session.modules.registry.router.observers
    where observer.part.concerns(routing.result) {
      guard let did = observer.part.did else { continue }
      session.caller.attempt(observer) { try did(routing.result, shown, $0) }
    }
    guard isHeard, let shown else { return }
    tell(
      .didRoute, of: shown, in: windowID,
      isAnimated: routing.result.option?.isAnimated ?? true)
  }
}

/// Finds screens in the tree that a transaction leaves.
///
/// One or two screens are searched for; more are found in an index, so that the cost of telling
/// about n screens doesn't grow with n².
private struct ScreenSearch {
  private static let searchesMax = 2

  let work: PendingNavigation
  /// The screens by id, if there are more searches; nil before one needs it.
  private var index: [Text: (screen: Screen, windowID: Text)]?

  init(in work: PendingNavigation) { self.work = work }

  mutating func find(_ id: Text) -> (screen: Screen, windowID: Text)? {
    // Usually the last change has brought the screen of the only routing.
    if let arrival = work.arrival, arrival.screen.id == id { return arrival }
    return search(id)
  }

  private mutating func search(_ id: Text) -> (screen: Screen, windowID: Text)? {
    if let index { return index[id] }
    var count = work.routings.count
    for transition in work.transitions { count += transition.unloadedCount }
    guard count > Self.searchesMax else {
      return work.tree.contains(id) ? work.tree.screenAndWindow(id) : nil
    }
    let made = work.tree.screensByID
    index = made
    return made[id]
  }
}
