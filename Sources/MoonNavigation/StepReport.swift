import MoonValues

/// The report of a step on a stack: a change, the events of two screens, and the screen that is
/// gone.
///
/// Mostly few listen to any of it, so lists are made only when they are asked for.
///
/// An object, since a transition is passed on several times.
final class StepReport: Sendable {
  let isForward: Bool
  /// The screen that was on top.
  let leaving: NavigationNode
  /// The screen that is on top.
  let coming: NavigationNode
  /// Whether that screen was loaded before.
  let wasLoaded: Bool
  let stackID: Text
  let windowID: Text
  let motion: NavigationAction.Motion
  let origin: NavigationOrigin

  init(
    isForward: Bool, from leaving: NavigationNode, to coming: NavigationNode, wasLoaded: Bool,
    on stackID: Text, in windowID: Text, motion: NavigationAction.Motion, origin: NavigationOrigin
  ) {
    self.isForward = isForward
    (self.leaving, self.coming, self.wasLoaded) = (leaving, coming, wasLoaded)
    (self.stackID, self.windowID) = (stackID, windowID)
    (self.motion, self.origin) = (motion, origin)
  }

  var type: Text { isForward ? "nav/did_push" : "nav/did_pop" }

  var completion: NavigationCompletion {
    NavigationCompletion(
      isForward ? .push(coming, in: stackID) : .pop(leaving, in: stackID), motion: motion,
      origin: origin)
  }

  /// The screen that is no longer loaded; it was loaded, since it was shown.
  var unloaded: Screen? { isForward ? nil : leaving.screen }

  /// The screen that came, with its window; nil if it was there before.
  var arrival: (screen: Screen, windowID: Text)? {
    isForward ? coming.screen.map { ($0, windowID) } : nil
  }

  /// Visits the events of some stages, in order.
  func forEachEvent(
    where isWanted: (LifecycleStage) -> Bool, _ body: (LifecycleEvent) -> Void
  ) {
    for stage in LifecycleStage.ofStep where isWanted(stage) {
      let node: NavigationNode
      switch stage {
      case .load, .didLoad:
        if wasLoaded { continue }
        node = coming
      case .willAppear, .didAppear: node = coming
      case .willDisappear, .didDisappear: node = leaving
      }
      guard let screen = node.screen else { continue }
      body(LifecycleEvent(stage: stage, screen: screen, windowID: windowID, motion: motion))
    }
  }
}

extension LifecycleStage {
  /// The stages of two screens of which one replaces the other on a stack, in order.
  fileprivate static let ofStep: [LifecycleStage] = [
    .load, .didLoad, .willDisappear, .willAppear, .didDisappear, .didAppear,
  ]
}
