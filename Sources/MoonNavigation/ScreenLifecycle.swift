package import MoonValues

/// An event in the life of a screen.
package struct LifecycleEvent: Equatable, Sendable {
  /// A function that receives the parts of an event, so that no event is made.
  package typealias Body = (
    _ stage: LifecycleStage, _ screen: Screen, _ windowID: Text, _ motion: NavigationAction.Motion
  ) -> Void

  /// What happened.
  package let stage: LifecycleStage
  /// The screen, as it is in the new tree, or as it was in the old tree if it goes.
  package let screen: Screen
  /// The window that the screen is in, or was in.
  package let windowID: Text
  /// Whether the change is animated.
  package let motion: NavigationAction.Motion
}

/// The stages of a screen's life.
///
/// A screen's events spell `load did_load (will_appear did_appear will_disappear did_disappear)*`,
/// and may end anywhere except within a pair. Screens are loaded when they are first shown. What is
/// presented covers its window, so the screens below disappear. The screens of both columns of a
/// split view are shown unless it is collapsed. The order of screens of a window that change places
/// is UIKit's:
///
/// - in a stack: the old one will disappear, the new one will appear, the old one did disappear,
///   the new one did appear; another root goes the same way;
/// - presenting and dismissing: old will disappear, new will appear, new did appear, old did
///   disappear;
/// - another tab: new will appear, old will disappear, old did disappear, new did appear.
///
/// Loading comes before all of them.
package enum LifecycleStage: String, Hashable, Sendable, CaseIterable {
  /// The screen is about to be shown for the first time.
  case load
  /// It is ready to be shown.
  case didLoad = "did_load"
  /// It is about to be on top of its window.
  case willAppear = "will_appear"
  /// It is on top of its window.
  case didAppear = "did_appear"
  /// It is about to be covered or removed.
  case willDisappear = "will_disappear"
  /// It is covered or removed.
  case didDisappear = "did_disappear"
}

/// A set of stages.
package struct LifecycleStages: OptionSet, Sendable {
  package let rawValue: UInt8

  package init(rawValue: UInt8) { self.rawValue = rawValue }

  /// All stages.
  package static let all = LifecycleStages(LifecycleStage.allCases.map(\.asSet))
}

extension LifecycleStage {
  /// The set of this stage alone.
  package var asSet: LifecycleStages {
    switch self {
    case .load: LifecycleStages(rawValue: 1)
    case .didLoad: LifecycleStages(rawValue: 2)
    case .willAppear: LifecycleStages(rawValue: 4)
    case .didAppear: LifecycleStages(rawValue: 8)
    case .willDisappear: LifecycleStages(rawValue: 16)
    case .didDisappear: LifecycleStages(rawValue: 32)
    }
  }
}

/// The events on the way from one tree to another.
struct LifecycleCourse {
  let motion: NavigationAction.Motion
  private(set) var events: [LifecycleEvent] = []
  private(set) var unloaded: [Screen] = []

  init(motion: NavigationAction.Motion) {
    self.motion = motion
  }

  /// Finds the events.
  ///
  /// `difference` is that of the trees if an action made the new one, which then has no hidden
  /// screens that weren't loaded before.
  mutating func run(
    from old: NavigationTree, to new: NavigationTree, _ difference: TreeDifference? = nil
  ) {
    events.reserveCapacity(6)
    let difference = difference.flatMap { $0.hasSameWindows ? $0 : nil }
    let before = old.visibleIDs
    let after = new.visibleIDs
    if difference == nil { loadHidden(from: old, to: new, visible: after) }
    let kept = new.windows.map(\.id)
    let gone = old.windows.map(\.id).filter { !kept.contains($0) }
    for id in gone + kept {
      let leaving = old.visibleScreens(ofWindow: id).filter { !after.contains($0.id) }
      let coming = new.visibleScreens(ofWindow: id).filter { !before.contains($0.id) }
      if leaving.isEmpty, coming.isEmpty { continue }
      for screen in coming where !old.loaded.contains(screen.id) { load(screen, id) }
      let order = LifecycleOrder(from: old, to: new, window: id)
      exchange(leaving, coming, order, window: id)
    }
    if let difference {
      unloaded = difference.gone.compactMap(\.screen).filter {
        old.loaded.contains($0.id) && !new.loaded.contains($0.id)
      }
      return
    }
    let forgotten = Set(old.loaded.subtracting(new.loaded))
    if !forgotten.isEmpty { unloaded = old.screens.filter { forgotten.contains($0.id) } }
  }

  /// Saved trees may list screens as loaded that aren't shown.
  private mutating func loadHidden(
    from old: NavigationTree, to new: NavigationTree, visible: [Text]
  ) {
    let hidden = new.loaded.subtracting(old.loaded).filter { !visible.contains($0) }
    guard !hidden.isEmpty else { return }
    for window in new.windows {
      for screen in window.root?.screens ?? [] where hidden.contains(screen.id) {
        load(screen, window.id)
      }
    }
  }

  private mutating func load(_ screen: Screen, _ window: Text) {
    add(.load, screen, window)
    add(.didLoad, screen, window)
  }

  private mutating func exchange(
    _ old: [Screen], _ new: [Screen], _ order: LifecycleOrder, window: Text
  ) {
    func tell(_ stage: LifecycleStage) {
      let isOfNew = stage == .willAppear || stage == .didAppear
      for screen in isOfNew ? new : old { add(stage, screen, window) }
    }
    let (first, second): (LifecycleStage, LifecycleStage) =
      order == .tabs ? (.willAppear, .willDisappear) : (.willDisappear, .willAppear)
    let (third, last): (LifecycleStage, LifecycleStage) =
      order == .presentation ? (.didAppear, .didDisappear) : (.didDisappear, .didAppear)
    tell(first)
    tell(second)
    tell(third)
    tell(last)
  }

  private mutating func add(_ stage: LifecycleStage, _ screen: Screen, _ window: Text) {
    events.append(LifecycleEvent(stage: stage, screen: screen, windowID: window, motion: motion))
  }
}

/// The change whose order of events applies when one screen replaces another.
private enum LifecycleOrder {
  case stack
  case presentation
  case tabs

  /// Finds what changed in a window.
  init(from old: NavigationTree, to new: NavigationTree, window id: Text) {
    // Most changes by far are those of a stack that is the root, whose order is known.
    if old.showsOwnItem(ofWindow: id), new.showsOwnItem(ofWindow: id) {
      self = .stack
    } else {
      self.init(TopPath(tree: old, windowID: id), TopPath(tree: new, windowID: id))
    }
  }

  /// Finds where the paths to two tops diverge, and what changed there.
  private init(_ old: TopPath?, _ new: TopPath?) {
    self = .stack
    guard let old = old?.stops, let new = new?.stops else { return }
    var index = 0
    while index < old.count, index < new.count, old[index].node.isSame(as: new[index].node) {
      index += 1
    }
    let steps = [old, new].map { $0.indices.contains(index) ? $0[index].step : nil }
    if steps.contains(.presented) {
      self = .presentation
    } else if index > 0, old[index - 1].node.isTabs {
      self = .tabs
    }
  }
}

extension NavigationTree {
  fileprivate func visibleScreens(ofWindow id: Text) -> [Screen] {
    windows.first { $0.id == id }?.root?.shownScreens ?? []
  }

  /// Whether the root of a window is a stack and the top is one of its items.
  fileprivate func showsOwnItem(ofWindow id: Text) -> Bool {
    guard let root = windows.first(where: { $0.id == id })?.root, root.isStack,
      root.presented == nil, let item = root.items.last
    else { return false }
    return item.isScreen && item.presented == nil
  }
}

extension TopPath {
  init?(tree: NavigationTree, windowID: Text) {
    guard let index = tree.windows.firstIndex(where: { $0.id == windowID }) else { return nil }
    self.init(tree: tree, window: index)
  }
}
