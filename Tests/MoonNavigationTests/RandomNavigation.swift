import MoonNavigation
import MoonTestSupport
import MoonValues

/// Random screens, nodes, trees and actions.
struct RandomNavigation {
  var random: SplitMix64
  /// The ids for nodes, without repetition.
  private var freeIDs: [Text] = []
  private var idCount = 0

  init(seed: UInt64) {
    random = SplitMix64(seed: seed)
  }

  // MARK: Trees

  /// Returns a tree whose ids come from a small pool, so that two trees share some in different
  /// places.
  mutating func tree() -> NavigationTree {
    freeIDs = (1...14).map { Text("n\($0)") }.shuffled(using: &random)
    let ids = ["w1", "w2", "w3"].shuffled(using: &random).prefix(random.below(4))
    let windows = ids.map { id in
      NavigationWindow(id: Text(id), root: random.below(6) == 0 ? nil : node(depth: 3))
    }
    do {
      return try NavigationTree(
        windows: windows, keyWindowID: windows.randomElement(using: &random)?.id)
    } catch {
      preconditionFailure("a random tree is valid: \(error)")
    }
  }

  mutating func node(depth: Int) -> NavigationNode {
    var node: NavigationNode
    switch random.below(5) {
    case 0: node = NavigationNode(screen())
    case 1, 2: node = stack()
    case 3: node = split()
    default:
      let items = (0..<random.below(4)).map { _ in
        random.below(6) == 0 ? split() : column()
      }
      node = .tabs(
        freshID(), items, selectedIndex: items.isEmpty ? 0 : random.below(items.count))
    }
    if depth > 0, random.below(3) == 0 {
      node.presented = self.node(depth: depth - 1)
    }
    return node
  }

  private mutating func split() -> NavigationNode {
    .split(
      freshID(), master: column(), detail: column(), selected: someColumn(),
      isCollapsed: random.below(3) == 0)
  }

  private mutating func column() -> NavigationNode {
    var column = random.below(2) == 0 ? stack() : NavigationNode(screen())
    if random.below(12) == 0 { column.presented = NavigationNode(screen()) }
    return column
  }

  private mutating func someColumn() -> SplitColumn {
    random.below(2) == 0 ? .master : .detail
  }

  private mutating func stack() -> NavigationNode {
    .stack(freshID(), (0..<random.below(4)).map { _ in screen() })
  }

  mutating func screen() -> Screen {
    screen(freshID())
  }

  mutating func screen(_ id: Text) -> Screen {
    var screen = Screen(id: id, kind: Text("kind\(random.below(3))"))
    screen.title = Text("title \(random.below(4))")
    if random.below(2) == 0 { screen.url = Text("/screen/\(random.below(6))") }
    if random.below(3) == 0 { screen.props = ["count": .int(Int64(random.below(9)))] }
    if random.below(4) == 0 { screen.owner = ScreenOwner(module: "counter", generation: 3) }
    screen.isPlaceholder = random.below(8) == 0
    return screen
  }

  private mutating func freshID() -> Text {
    if let id = freeIDs.popLast() { return id }
    idCount += 1
    return Text("s\(idCount)")
  }

  // MARK: Actions

  /// Returns an action that can often, but not always, be carried out on the tree.
  mutating func action(for tree: NavigationTree) -> NavigationAction {
    if tree.topScreen == nil, random.below(2) == 0 {
      return NavigationAction(
        tree.windows.isEmpty ? .start(window: freshID()) : .set(node(depth: 2)),
        origin: NavigationOrigin.allCases[random.below(3)])
    }
    return NavigationAction(
      operation(for: tree),
      window: random.below(4) == 0 ? someWindow(tree) : nil,
      motion: random.below(2) == 0 ? .animated : nil,
      origin: NavigationOrigin.allCases[random.below(3)])
  }

  private mutating func operation(for tree: NavigationTree) -> NavigationAction.Operation {
    switch random.below(40) {
    case 0: .start(window: tree.windows.count > 2 ? someWindow(tree) : freshID())
    case 1: random.below(3) == 0 ? .close(window: someWindow(tree)) : .pop()
    case 2: .focus(window: someWindow(tree))
    case 3: .set(random.below(8) == 0 ? nil : node(depth: 1))
    case 4, 5: .present(node(depth: 1))
    case 6: .present(node(depth: 0), on: someID(tree))
    case 7: .dismiss(count: random.below(4))
    case 8: .dismissTo(someID(tree))
    case 9: random.below(3) == 0 ? .dismissToRoot : .dismiss()
    case 10: .setNavigation(screens(tree))
    case 11...15: .push(random.below(12) == 0 ? screen(someID(tree)) : screen())
    case 16: .pop(count: random.below(4))
    case 17: .popTo(someID(tree))
    case 18: .popToRoot
    case 19: .setTabs(tabs(tree))
    case 20, 21: .insertTab(node(depth: 0), at: tabPosition())
    case 22: .removeTab(someTabID(tree))
    case 23: .selectTab(someTabID(tree))
    case 24, 25: .selectTabAt(random.below(5) - 1)
    case 26, 27: .back
    case 28: .backTo(.id(someID(tree)))
    case 29: .backTo(.url(Text("/screen/\(random.below(6))")))
    case 30: .backTo(.screen(screen()))
    case 31: .replace(screen())
    case 33: .setColumn(someColumn(), random.below(8) == 0 ? node(depth: 0) : column())
    case 34, 35: .selectColumn(someColumn())
    case 36: .showDetail(screen())
    case 37: .collapse(random.below(2) == 0 ? nil : someID(tree))
    case 38: .expand(random.below(2) == 0 ? nil : someID(tree))
    case 32: random.below(2) == 0 ? .root(screen()) : .show(screen())
    default: .update(screen(someID(tree)))
    }
  }

  private mutating func someWindow(_ tree: NavigationTree) -> Text {
    tree.windows.randomElement(using: &random)?.id ?? "nowhere"
  }

  private mutating func someID(_ tree: NavigationTree) -> Text {
    let ids = tree.allNodes.map(\.id)
    return random.below(15) == 0 ? "nobody" : ids.randomElement(using: &random) ?? "nobody"
  }

  private mutating func someTabID(_ tree: NavigationTree) -> Text {
    let tabs = tree.allNodes.flatMap { node in
      if case .tabs(_, let items, _) = node.content { items.map(\.id) } else { [Text]() }
    }
    return tabs.randomElement(using: &random) ?? someID(tree)
  }

  private mutating func tabPosition() -> NavigationAction.TabPosition {
    switch random.below(3) {
    case 0: .first
    case 1: .last
    default: .index(random.below(5) - 1)
    }
  }

  /// Returns some of a stack's screens in another order, and some new ones.
  private mutating func screens(_ tree: NavigationTree) -> [Screen] {
    let stacks = tree.allNodes.filter { if case .stack = $0.content { true } else { false } }
    var screens = stacks.randomElement(using: &random)?.items.compactMap(\.screen) ?? []
    if random.below(2) == 0 { screens.shuffle(using: &random) }
    screens.removeLast(min(screens.count, random.below(3)))
    for _ in 0..<random.below(3) { screens.append(screen()) }
    return screens
  }

  private mutating func tabs(_ tree: NavigationTree) -> [NavigationNode] {
    let tabs = tree.allNodes.filter { if case .tabs = $0.content { true } else { false } }
    var items = tabs.randomElement(using: &random).map { Array($0.items) } ?? []
    if random.below(2) == 0 { items.shuffle(using: &random) }
    items.removeLast(min(items.count, random.below(3)))
    for _ in 0..<random.below(3) { items.append(NavigationNode(screen())) }
    return items
  }
}

extension NavigationTree {
  /// All nodes, found in a slow and obvious way.
  var allNodes: [NavigationNode] { windows.flatMap { $0.root.map(Self.nodes) ?? [] } }

  private static func nodes(_ node: NavigationNode) -> [NavigationNode] {
    [node] + node.items.flatMap(nodes) + (node.presented.map(nodes) ?? [])
  }

  /// The visible screens, found in a slow and obvious way.
  var obviousScreens: [Screen] { windows.flatMap { $0.root.map(Self.shown) ?? [] } }

  private static func shown(_ node: NavigationNode) -> [Screen] {
    if let presented = node.presented { return shown(presented) }
    switch node.content {
    case .screen(let screen): return [screen]
    case .stack(_, let items): return items.last.map(shown) ?? []
    case .tabs(_, let items, let index): return items.isEmpty ? [] : shown(items[index])
    case .split(_, let master, let detail, let selected, let isCollapsed):
      let (column, other) = selected == .master ? (master, detail) : (detail, master)
      if isCollapsed || presentsOnTop(column) { return shown(column) }
      return shown(column) + [other.screen ?? other.items.last?.screen].compactMap(\.self)
    }
  }

  private static func presentsOnTop(_ column: NavigationNode) -> Bool {
    column.presented != nil || column.items.last?.presented != nil
  }
}
