import MoonActions
import MoonModules
import MoonNavigation
import MoonValues

extension RoutingPresenter {
  /// The priority of the host's own presenters, below that of modules' presenters.
  static let builtInPriority = -1000

  /// The presenters for the kinds of option that every host knows.
  static var builtIn: [RoutingPresenter] {
    [
      RoutingPresenter("push", priority: builtInPriority) { screen, option, _ in
        [action(.push(screen), option)]
      },
      RoutingPresenter("show", priority: builtInPriority) { screen, option, _ in
        [action(.show(screen), option)]
      },
      RoutingPresenter("detail", priority: builtInPriority) { screen, option, _ in
        [action(.showDetail(screen), option)]
      },
      RoutingPresenter("replace", priority: builtInPriority) { screen, option, _ in
        [action(.replace(screen), option)]
      },
      RoutingPresenter("back_to", priority: builtInPriority) { screen, option, _ in
        [action(.backTo(.screen(screen)), option)]
      },
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

  private static func action(
    _ operation: NavigationAction.Operation, _ option: RoutingOption
  ) -> Action {
    // Usually there is nothing to look for.
    if option.fields.isEmpty { return Action(NavigationAction(operation)) }
    return Action(
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
