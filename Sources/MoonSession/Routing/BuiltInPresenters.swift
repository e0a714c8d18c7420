import MoonNavigation
import MoonStore
import MoonValues

extension RoutingPresenter {
  /// The priority of the host's own presenters, below that of modules' presenters.
  static let builtInPriority = -1000

  /// The presenters for the kinds of option that every host knows.
  static var builtIn: [RoutingPresenter] {
    [
      simple("push") { .push($0) },
      simple("show") { .show($0) },
      simple("replace") { .replace($0) },
      simple("back_to") { .backTo(.screen($0)) },
      RoutingPresenter("modal", priority: builtInPriority) { screen, option, context in
        var node = NavigationNode(screen)
        if option.fields["stack"] == .bool(true) {
          let id = context.freshID(for: "stack", besides: [screen.id])
          node = .stack(id, [screen])
        }
        return [action(.present(node), option)]
      },
      RoutingPresenter("root", priority: builtInPriority) { screen, option, context in
        // Dismiss what covers the window without a stack of its own: it would cover the new screen
        // too.
        let covers = context.navigationTree.coversStack(ofWindow: option.windowID)
        return (covers ? [action(.dismissToRoot, option)] : []) + [action(.root(screen), option)]
      },
      RoutingPresenter("none", priority: builtInPriority) { _, _, _ in [] },
    ]
  }

  private static func simple(
    _ kind: Text, _ operation: @escaping (Screen) -> NavigationAction.Operation
  ) -> RoutingPresenter {
    RoutingPresenter(kind, priority: builtInPriority) { screen, option, _ in
      [action(operation(screen), option)]
    }
  }

  private static func action(
    _ operation: NavigationAction.Operation, _ option: RoutingOption
  ) -> Action {
    Action(
      NavigationAction(
        operation, window: option.windowID,
        motion: option.isAnimated.map { $0 ? .animated : .immediate }))
  }
}

extension NavigationTree {
  /// Returns whether something without a stack is presented over a window; nil means the key
  /// window.
  fileprivate func coversStack(ofWindow id: Text?) -> Bool {
    guard let window = id ?? keyWindowID,
      var node = windows.first(where: { $0.id == window })?.root
    else { return false }
    var covering: NavigationNode?
    while true {
      if let presented = node.presented {
        (covering, node) = (presented, presented)
      } else if let index = node.shownIndex {
        node = node.items[index]
      } else {
        return covering.map { $0.items.isEmpty && $0.screen != nil } ?? false
      }
    }
  }
}
