import MoonValues

/// The parts of a step on a stack: the stack, the screens, and the tree before a screen was put on
/// it.
///
/// An object, since the tree after the step, its transition and that of the step back all need
/// them.
///
/// As long as nothing else changes, a step back leads to the tree before. So going back makes
/// nothing anew, whatever the depth. The trees keep at most ``countMax`` of those before them,
/// since each has its own part of the stack.
final class StepParts: Sendable {
  /// The maximum number of trees that a tree keeps: more than people usually go back at once.
  static let countMax = 16

  let windowID: Text
  let stackID: Text
  /// The last screen of the stack when it has one less.
  let lower: NavigationNode
  /// The screen that is put on it or taken off.
  let upper: NavigationNode
  /// The tree without the upper screen, if a step back may lead to it.
  let former: NavigationTree?
  /// The number of steps up to this one of which each keeps the tree before it.
  private let count: Int

  /// Takes a step from a tree, which isn't kept if too many would be.
  init(
    windowID: Text, stackID: Text, lower: NavigationNode, upper: NavigationNode,
    from former: NavigationTree?
  ) {
    let count = former.map { 1 + ($0.step?.count ?? 0) } ?? 0
    let isKept = count <= Self.countMax
    (self.windowID, self.stackID) = (windowID, stackID)
    (self.lower, self.upper) = (lower, upper)
    (self.former, self.count) = isKept ? (former, count) : (nil, 0)
  }
}

/// The report of a step on a stack: a change, the events of two screens, and the screen that is
/// gone.
///
/// Mostly few listen to any of it, so lists are made only when they are asked for.
struct StepReport: Sendable {
  let parts: StepParts
  let isForward: Bool
  /// Whether the screen that comes was loaded before.
  let wasLoaded: Bool
  let motion: NavigationAction.Motion
  let origin: NavigationOrigin

  /// The screen that was on top.
  private var leaving: NavigationNode { isForward ? parts.lower : parts.upper }
  /// The screen that is on top.
  private var coming: NavigationNode { isForward ? parts.upper : parts.lower }

  var type: Text { isForward ? "nav/did_push" : "nav/did_pop" }

  var completion: NavigationCompletion {
    let (screen, stackID) = (parts.upper, parts.stackID)
    return NavigationCompletion(
      isForward ? .push(screen, in: stackID) : .pop(screen, in: stackID), motion: motion,
      origin: origin)
  }

  /// The screen that is no longer loaded; it was loaded, since it was shown.
  var unloaded: Screen? { isForward ? nil : parts.upper.screen }

  /// The screen that came, with its window; nil if it was there before.
  var arrival: (screen: Screen, windowID: Text)? {
    isForward ? parts.upper.screen.map { ($0, parts.windowID) } : nil
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
      body(LifecycleEvent(stage: stage, screen: screen, windowID: parts.windowID, motion: motion))
    }
  }
}

extension LifecycleStage {
  /// The stages of two screens of which one replaces the other on a stack, in order.
  fileprivate static let ofStep: [LifecycleStage] = [
    .load, .didLoad, .willDisappear, .willAppear, .didDisappear, .didAppear,
  ]
}
