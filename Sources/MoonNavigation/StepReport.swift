import MoonValues

/// The parts of a step on a stack: the stack, the screens, and the tree before a screen was put on
/// it.
///
/// They are a part of the tree with the screen, which its transition and that of the step back
/// hold.
///
/// As long as nothing else changes, a step back leads to the tree before. So going back builds
/// nothing, whatever the depth. The trees keep at most ``countMax`` of those before them, since
/// each has its own part of the stack.
struct StepParts: Sendable {
  /// The maximum number of trees that a tree keeps: more than people usually go back at once.
  static let countMax = 16

  let windowID: Text
  let stackID: Text
  /// The last screen of the stack without the upper screen.
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
/// Few listen to any of it, so lists are made only when they are asked for.
struct StepReport: Sendable {
  /// The tree with the upper screen, which was made by the step or has its parts otherwise.
  private let upperTree: NavigationTree
  let isForward: Bool
  /// Whether the screen that comes was loaded before.
  let wasLoaded: Bool
  let motion: NavigationAction.Motion
  let origin: NavigationOrigin

  /// Reports a step to a tree that has its parts, or back from it.
  init(
    _ upperTree: NavigationTree, isForward: Bool, wasLoaded: Bool,
    motion: NavigationAction.Motion, origin: NavigationOrigin
  ) {
    self.upperTree = upperTree
    (self.isForward, self.wasLoaded) = (isForward, wasLoaded)
    (self.motion, self.origin) = (motion, origin)
  }

  private var parts: StepParts {
    guard let parts = upperTree.step else {
      preconditionFailure("the tree of a step has its parts")
    }
    return parts
  }

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

  /// Whether the screen that came is a copy of another.
  func brings(_ screen: Screen) -> Bool {
    isForward && parts.upper.holds(screen)
  }

  /// Visits the events of some stages, in order.
  func forEachEvent(of stages: LifecycleStages, _ body: LifecycleEvent.Body) {
    func tell(_ stage: LifecycleStage, isOfUpper: Bool) {
      guard stages.contains(stage.asSet),
        let screen = isOfUpper ? parts.upper.screen : parts.lower.screen
      else { return }
      body(stage, screen, parts.windowID, motion)
    }
    if !wasLoaded {
      tell(.load, isOfUpper: isForward)
      tell(.didLoad, isOfUpper: isForward)
    }
    tell(.willDisappear, isOfUpper: !isForward)
    tell(.willAppear, isOfUpper: isForward)
    tell(.didDisappear, isOfUpper: !isForward)
    tell(.didAppear, isOfUpper: isForward)
  }
}
