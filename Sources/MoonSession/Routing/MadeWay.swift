import MoonActions
import MoonModules
import MoonNavigation
import MoonServiceKit
import MoonValues

/// The steps that a screen's option or window requires before it is shown: what covers the window
/// is dismissed, and the tab that owns the screen is selected.
struct MadeWay {
  /// The actions that take these steps.
  private(set) var actions: [Action] = []
  /// The tree after them.
  private(set) var tree: NavigationTree

  /// The kinds of options whose screens go nowhere, or to a place of their own.
  private static let placedAnew: Set<Text> = [
    RoutingOption.unpresented.kind, RoutingOption.backTo.kind,
  ]

  /// Finds the steps in a tree, for a screen of a module.
  ///
  /// `setting` is that of the window, which counts for what the option says nothing about.
  ///
  /// - Throws: ``RoutingError/Reason`` if the option refuses to show the screen.
  init(
    for option: RoutingOption, of module: Text, in tree: NavigationTree, setting: WindowSetting?
  ) throws(RoutingError.Reason) {
    self.tree = tree
    let setting = setting.flatMap { Self.placedAnew.contains(option.kind) ? nil : $0 }
    let overModal = option.overModal ?? setting?.overModal
    let isInOwnersTab = (option.inTab ?? setting?.inTab) == .owner
    guard overModal != nil || isInOwnersTab, let window = option.windowID ?? tree.keyWindowID
    else { return }
    let tab = isInOwnersTab ? tree.tab(of: module, inWindow: window) : nil
    let selected = tab.flatMap { $0.isSelected ? nil : $0.id }
    if let covering = tree.coveringScreen(ofWindow: window) {
      switch overModal {
      case .refuse: throw .covered(by: covering.title.isEmpty ? covering.id : covering.title)
      case .inside: return
      case .dismiss: take(.dismissToRoot, option)
      // Tabs can't be selected while something covers them.
      case nil: if selected != nil { take(.dismissToRoot, option) }
      }
    }
    if let selected { take(.selectTab(selected), option) }
  }

  private mutating func take(_ operation: NavigationAction.Operation, _ option: RoutingOption) {
    let action = NavigationAction(
      operation, window: option.windowID,
      motion: option.isAnimated.map { $0 ? .animated : .immediate })
    actions.append(Action(action))
    // A failure shows when it is carried out.
    if let transition = try? tree.applying(action) { tree = transition.tree }
  }
}
