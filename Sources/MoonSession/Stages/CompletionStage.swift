import MoonNavigation
import MoonStore
import MoonValues

/// Stage 6, first half: tells screens and routing observers about changes of the navigation, and
/// queues `nav/did_…` actions.
struct CompletionStage {
  let session: Session

  /// Announces the changes of the navigation.
  func tell(of work: NavigationWork) {
    for transition in work.transitions {
      for completion in transition.completions {
        session.announce(completion.type, completion.payload)
      }
      for event in transition.events {
        tell(
          ScreenEvent(
            stage: ScreenStage(event.stage), screen: event.screen, windowID: event.windowID,
            isAnimated: event.motion == .animated))
      }
      for screen in transition.unloaded where work.tree.screen(screen.id) == nil {
        session.forms.forget(screen.id)
      }
    }
    for routing in work.routings { tell(of: routing, work.tree) }
  }

  /// Calls the lifecycle listeners of a screen's module for an event.
  func tell(_ event: ScreenEvent) {
    guard let owner = event.screen.owner.flatMap({ ModuleName($0.module.string) }) else { return }
    for listener in session.modules.registry.router.listeners(of: owner, event.stage) {
      session.caller.attempt(listener) { try listener.part.body(event, $0) }
    }
  }

  /// Announces a routing to its observers, then to the screen.
  private func tell(of routing: FinishedRouting, _ tree: NavigationTree) {
    let shown = routing.screen.map { tree.screen($0.id) ?? $0 }
    for observer in session.modules.registry.router.observers
    where observer.part.concerns(routing.result) {
      guard let did = observer.part.did else { continue }
      session.caller.attempt(observer) { try did(routing.result, shown, $0) }
    }
    guard let shown else { return }
    tell(
      ScreenEvent(
        stage: .didRoute, screen: shown, windowID: tree.windowID(of: shown.id),
        isAnimated: routing.result.option?.isAnimated ?? true))
  }
}
