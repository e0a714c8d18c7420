public import MoonValues

/// A place in a window: a screen or a container of screens, and what it presents.
public struct NavigationNode: Equatable, Sendable {
  /// The content of a place.
  public enum Content: Equatable, Sendable {
    /// A screen.
    case screen(Screen)
    /// A stack of screens, the last one on top; may be empty.
    case stack(id: Text, items: NavigationItems)
    /// Stacks and screens side by side, one of which is shown; may be empty, with the index 0.
    case tabs(id: Text, items: NavigationItems, selectedIndex: Int)
    /// Two stacks or screens side by side, such as a list and what is selected in it; where there
    /// is no room for both, it is collapsed and shows the selected one.
    case split(
      id: Text, master: NavigationNode, detail: NavigationNode, selected: SplitColumn,
      isCollapsed: Bool)
  }

  // Shared by all trees with this node, so that the cost of copying, comparing and writing a tree
  // depends on what changed and not on its size.
  private var storage: Storage

  /// The content of the place.
  public var content: Content {
    get { storage.content }
    set { storage = Storage(newValue, presented) }
  }

  /// What this place presents over the whole window; nil for nothing.
  public var presented: NavigationNode? {
    get { storage.presented }
    set { storage = Storage(content, newValue) }
  }

  /// Makes a place that holds `content` and presents `presented`.
  public init(_ content: Content, presented: NavigationNode? = nil) {
    storage = Storage(content, presented)
  }

  /// Makes a place with a screen.
  public init(_ screen: Screen, presented: NavigationNode? = nil) {
    storage = presented == nil ? Storage(screen) : Storage(.screen(screen), presented)
  }

  /// Makes a stack that presents nothing.
  init(stack id: Text, _ items: NavigationItems) { storage = Storage(stack: id, items) }

  /// Makes a stack of screens that present nothing, the last one on top.
  public static func stack(_ id: Text, _ screens: [Screen] = []) -> NavigationNode {
    NavigationNode(.stack(id: id, items: NavigationItems(screens.map { NavigationNode($0) })))
  }

  /// Makes tabs, of which the one at `selectedIndex` is shown.
  public static func tabs(
    _ id: Text, _ items: [NavigationNode] = [], selectedIndex: Int = 0
  ) -> NavigationNode {
    NavigationNode(.tabs(id: id, items: NavigationItems(items), selectedIndex: selectedIndex))
  }

  /// Makes a split view that presents nothing.
  public static func split(
    _ id: Text, master: NavigationNode, detail: NavigationNode, selected: SplitColumn = .master,
    isCollapsed: Bool = false
  ) -> NavigationNode {
    NavigationNode(
      .split(
        id: id, master: master, detail: detail, selected: selected, isCollapsed: isCollapsed))
  }

  /// The id of the screen or container.
  public var id: Text { storage.id }

  /// The node as it stands in the state; see ``NavigationTree/value``.
  public var value: Value { storage.value }

  /// The screen, unless this is a container.
  public var screen: Screen? { storage.screen }

  /// Whether the screen is a copy of another, which makes them equal.
  func holds(_ screen: Screen) -> Bool { storage.screen?.isIdentical(to: screen) ?? false }

  /// The items of a container; empty for a screen.
  public var items: NavigationItems { storage.items }

  /// The index in ``items`` of the item on top; nil for a screen or an empty container.
  ///
  /// The items of a split view are its master and its detail.
  public var shownIndex: Int? {
    if items.isEmpty { return nil }
    return storage.sort == .stack ? items.count - 1 : storage.selectedIndex
  }
}

extension NavigationNode {
  /// The immutable part of a node.
  private final class Storage: Sendable {
    // The parts of the content, since taking it apart would copy all of it.
    let sort: Identity.Sort
    let id: Text
    /// The screen; nil for a container.
    let screen: Screen?
    let items: NavigationItems
    let selectedIndex: Int
    let isCollapsed: Bool
    let presented: NavigationNode?
    let count: Int
    let height: Int
    let value: Value

    init(_ content: Content, _ presented: NavigationNode?) {
      self.presented = presented
      isCollapsed = if case .split(_, _, _, _, true) = content { true } else { false }
      value = NavigationNode.value(of: content, presenting: presented)
      switch content {
      case .screen(let screen):
        (sort, id, self.screen) = (.screen, screen.id, screen)
        (items, selectedIndex) = (NavigationItems(), 0)
      case .stack(let id, let items):
        (sort, self.id, self.screen) = (.stack, id, nil)
        (self.items, selectedIndex) = (items, 0)
      case .tabs(let id, let items, let selectedIndex):
        (sort, self.id, self.screen) = (.tabs, id, nil)
        (self.items, self.selectedIndex) = (items, selectedIndex)
      case .split(let id, let master, let detail, let selected, _):
        (sort, self.id, self.screen) = (.split, id, nil)
        (items, selectedIndex) = ([master, detail], selected.index)
      }
      count = 1 + (presented?.count ?? 0) + items.nodeCount
      height = max(
        presented.map { $0.height + 1 } ?? 0, items.isEmpty ? 0 : items.height + 2)
    }

    // Most nodes that are made are one of these two. Taking the content apart would copy it.

    /// Makes a screen that presents nothing.
    init(_ screen: Screen) {
      (sort, id, self.screen) = (.screen, screen.id, screen)
      (items, selectedIndex, isCollapsed, presented) = (NavigationItems(), 0, false, nil)
      (count, height, value) = (1, 0, screen.value)
    }

    /// Makes a stack that presents nothing.
    init(stack id: Text, _ items: NavigationItems) {
      (sort, self.id, screen) = (.stack, id, nil)
      (self.items, selectedIndex, isCollapsed, presented) = (items, 0, false, nil)
      count = 1 + items.nodeCount
      height = items.isEmpty ? 0 : items.height + 2
      value = NavigationNode.value(of: .stack(id: id, items: items), presenting: nil)
    }

    var content: Content {
      if let screen { return .screen(screen) }
      return switch sort {
      case .split:
        .split(
          id: id, master: items[0], detail: items[1], selected: SplitColumn(at: selectedIndex),
          isCollapsed: isCollapsed)
      case .tabs: .tabs(id: id, items: items, selectedIndex: selectedIndex)
      case .stack, .screen: .stack(id: id, items: items)
      }
    }
  }

  /// The number of screens and containers in it, itself included.
  var count: Int { storage.count }

  /// The size of its value; see `Value.storageCost`.
  var storageCost: Int { storage.value.storageCost }

  /// The nesting of lists and maps that its descendants add to its value.
  var height: Int { storage.height }

  /// Whether both share their storage, which makes them equal.
  func isIdentical(to other: NavigationNode) -> Bool { storage === other.storage }

  /// O(what differs).
  public static func == (left: NavigationNode, right: NavigationNode) -> Bool {
    left.isIdentical(to: right)
      || left.content == right.content && left.presented == right.presented
  }

  var isScreen: Bool { storage.sort == .screen }
  var isStack: Bool { storage.sort == .stack }
  var isTabs: Bool { storage.sort == .tabs }
  var isSplit: Bool { storage.sort == .split }
  /// Whether it is a split view that has no room for both columns.
  package var isCollapsed: Bool { storage.isCollapsed }
  /// Whether it is a stack without screens.
  package var isEmptyStack: Bool { isStack && storage.items.isEmpty }

  /// Whether the other is the same place at another time, with the same id and kind.
  func isSame(as other: NavigationNode) -> Bool {
    isIdentical(to: other) || identity == other.identity
  }

  /// The identity of a node: its kind and its id.
  struct Identity: Hashable {
    enum Sort: Hashable {
      case screen, stack, tabs, split
    }

    let sort: Sort
    let id: Text
  }

  var identity: Identity { Identity(sort: storage.sort, id: storage.id) }

  /// Whether a container of its kind may hold a node.
  func mayHold(_ item: NavigationNode) -> Bool {
    switch storage.sort {
    case .screen: false
    case .stack: item.isScreen
    case .tabs: !item.isTabs
    case .split: item.isScreen || item.isStack
    }
  }

  /// Replaces what a container holds, two items for a split view; a stack has no index.
  mutating func setItems(_ items: NavigationItems, selectedIndex: Int = 0) {
    switch storage.sort {
    case .screen: preconditionFailure("a screen holds nothing")
    case .stack: content = .stack(id: id, items: items)
    case .tabs: content = .tabs(id: id, items: items, selectedIndex: selectedIndex)
    case .split:
      content = .split(
        id: id, master: items[0], detail: items[1], selected: SplitColumn(at: selectedIndex),
        isCollapsed: isCollapsed)
    }
  }

  /// Collapses or expands a split view; returns false for any other node.
  mutating func setCollapsed(_ isCollapsed: Bool) -> Bool {
    guard case .split(let id, let master, let detail, let selected, _) = content else {
      return false
    }
    content = .split(
      id: id, master: master, detail: detail, selected: selected, isCollapsed: isCollapsed)
    return true
  }

  /// Visits this node and its descendants: first its items, then what it presents.
  func forEach(_ body: (NavigationNode) -> Void) {
    body(self)
    for item in items { item.forEach(body) }
    presented?.forEach(body)
  }

  var screens: [Screen] {
    var screens: [Screen] = []
    forEach { node in
      if let screen = node.screen { screens.append(screen) }
    }
    return screens
  }

  var allIDs: Set<Text> {
    var ids: Set<Text> = []
    forEach { ids.insert($0.id) }
    return ids
  }
}

/// A window: a root and everything on it.
public struct NavigationWindow: Equatable, Sendable {
  /// The id of the window, unique in a tree.
  public var id: Text
  /// The root; nil while the window is hidden.
  public var root: NavigationNode?

  /// Makes a window.
  package init(id: Text, root: NavigationNode? = nil) {
    self.id = id
    self.root = root
  }
}
