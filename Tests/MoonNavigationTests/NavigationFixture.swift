import MoonNavigation
import MoonValues

extension Screen {
  /// A screen of which only the name matters.
  static func named(_ id: Text, url: Text? = nil) -> Screen {
    Screen(id: id, kind: id, url: url)
  }
}

extension NavigationNode {
  static func screen(_ id: Text, presenting node: NavigationNode? = nil) -> NavigationNode {
    NavigationNode(.named(id), presented: node)
  }

  /// A stack named `id` of screens named by the letters of `screens`.
  static func stack(
    _ id: Text, of screens: String, presenting node: NavigationNode? = nil
  ) -> NavigationNode {
    var stack = NavigationNode.stack(id, screens.map { .named(Text(String($0))) })
    guard let node else { return stack }
    var items = stack.items
    items[items.count - 1].presented = node
    stack.content = .stack(id: id, items: items)
    return stack
  }

  /// Tabs named `tabs` of screens named by the letters of `screens`.
  static func tabs(of screens: String, selected: Int = 0) -> NavigationNode {
    .tabs("tabs", screens.map { .screen(Text(String($0))) }, selectedIndex: selected)
  }
}

extension NavigationNode {
  /// A split view named `split` of two stacks named `left` and `right`.
  static func split(
    of master: String, _ detail: String, selected: SplitColumn = .master,
    isCollapsed: Bool = false
  ) -> NavigationNode {
    .split(
      "split", master: .stack("left", of: master), detail: .stack("right", of: detail),
      selected: selected, isCollapsed: isCollapsed)
  }
}

extension NavigationTree {
  /// A tree with one window, named `main`.
  init(_ root: NavigationNode?) throws(NavigationError) {
    try self.init(windows: [NavigationWindow(id: "main", root: root)])
  }
}

extension NavigationCompletion {
  /// The change in a few words: `push c`, `select b 1→0`.
  var summary: String {
    func names(_ nodes: [NavigationNode]) -> String {
      "[\(nodes.map(\.id.string).joined(separator: ","))]"
    }
    switch change {
    case .start(let window, let index): return "start \(window.id) \(index)"
    case .restore(let window, let index): return "restore \(window.id) \(index)"
    case .close(let window, let index): return "close \(window.id) \(index)"
    case .focus(let id, let previous): return "focus \(previous)→\(id)"
    case .set(let root, let previous, _):
      return "set \(previous?.id.string ?? "-")→\(root?.id.string ?? "-")"
    case .present(let node, let id): return "present \(node.id) on \(id)"
    case .dismiss(let node, let id): return "dismiss \(node.id) from \(id)"
    case .push(let node, _): return "push \(node.id)"
    case .pop(let node, _): return "pop \(node.id)"
    case .setNavigation(let items, let previous, _):
      return "stack \(names(previous))→\(names(items))"
    case .insertTab(let node, let index, _, _): return "insert \(node.id) \(index)"
    case .removeTab(let node, let index, _, _): return "remove \(node.id) \(index)"
    case .setTabs(let items, let previous, _, _):
      return "tabs \(names(previous))→\(names(items))"
    case .selectTab(let id, _, let selection):
      return "select \(id) \(selection.previous)→\(selection.current)"
    case .setColumn(let column, let node, let previous, _):
      return "\(column) \(previous.id)→\(node.id)"
    case .selectColumn(let column, _): return "select \(column)"
    case .collapse(let id): return "collapse \(id)"
    case .expand(let id): return "expand \(id)"
    case .update(let screen, _): return "update \(screen.id)"
    }
  }
}
