public import MoonValues

/// A place in a window: a screen or a container of screens, and what it presents.
public struct NavigationNode: Equatable, Sendable {
  /// The content of a place.
  public enum Content: Equatable, Sendable {
    /// A screen.
    case screen(Screen)
    /// A stack of screens, the last one on top; may be empty.
    case stack(id: Text, items: [NavigationNode])
    /// Stacks and screens side by side, one of which is shown; may be empty, with the index 0.
    case tabs(id: Text, items: [NavigationNode], selectedIndex: Int)
  }

  // Shared by all trees with this node, so that the cost of copying, comparing and writing a tree
  // depends on what changed and not on its size.
  private var storage: Storage

  /// What stands here.
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
    self.init(.screen(screen), presented: presented)
  }

  /// Makes a stack of screens that present nothing, the last one on top.
  public static func stack(_ id: Text, _ screens: [Screen] = []) -> NavigationNode {
    NavigationNode(.stack(id: id, items: screens.map { NavigationNode($0) }))
  }

  /// Makes tabs, of which the one at `selectedIndex` is shown.
  public static func tabs(
    _ id: Text, _ items: [NavigationNode] = [], selectedIndex: Int = 0
  ) -> NavigationNode {
    NavigationNode(.tabs(id: id, items: items, selectedIndex: selectedIndex))
  }

  /// The id of the screen or container.
  public var id: Text { storage.id }

  /// The node as it stands in the state; see ``NavigationTree/value``.
  public var value: Value { storage.value }

  /// The screen, unless this is a container.
  public var screen: Screen? {
    if case .screen(let screen) = content { screen } else { nil }
  }

  /// The items of a container; empty for a screen.
  public var items: [NavigationNode] {
    switch content {
    case .screen: []
    case .stack(_, let items), .tabs(_, let items, _): items
    }
  }

  /// The index in ``items`` of the item that the container shows; nil for a screen or an empty
  /// container.
  public var shownIndex: Int? {
    switch content {
    case .screen: nil
    case .stack(_, let items): items.isEmpty ? nil : items.count - 1
    case .tabs(_, let items, let selectedIndex): items.isEmpty ? nil : selectedIndex
    }
  }
}

extension NavigationNode {
  /// The immutable part of a node.
  private final class Storage: Sendable {
    let id: Text
    let content: Content
    let presented: NavigationNode?
    let count: Int
    let height: Int
    let value: Value

    init(_ content: Content, _ presented: NavigationNode?) {
      self.content = content
      self.presented = presented
      value = NavigationNode.value(of: content, presenting: presented)
      var count = 1 + (presented?.count ?? 0)
      var height = presented.map { $0.height + 1 } ?? 0
      switch content {
      case .screen(let screen): id = screen.id
      case .stack(let id, let items), .tabs(let id, let items, _):
        self.id = id
        for item in items {
          count += item.count
          height = max(height, item.height + 2)
        }
      }
      self.count = count
      self.height = height
    }
  }

  /// The number of screens and containers in it, itself included.
  var count: Int { storage.count }

  /// The nesting of lists and maps that its descendants add to its value.
  var height: Int { storage.height }

  /// Whether both share their storage, which makes them equal.
  func isIdentical(to other: NavigationNode) -> Bool { storage === other.storage }

  /// O(what differs).
  public static func == (left: NavigationNode, right: NavigationNode) -> Bool {
    left.isIdentical(to: right)
      || left.content == right.content && left.presented == right.presented
  }

  var isScreen: Bool {
    if case .screen = content { true } else { false }
  }

  var isStack: Bool {
    if case .stack = content { true } else { false }
  }

  var isTabs: Bool {
    if case .tabs = content { true } else { false }
  }

  /// Whether the other is the same place at another time, with the same id and kind.
  func isSame(as other: NavigationNode) -> Bool {
    identity == other.identity
  }

  /// The identity of a node: its kind and its id.
  struct Identity: Hashable {
    enum Sort: Hashable {
      case screen, stack, tabs
    }

    let sort: Sort
    let id: Text
  }

  var identity: Identity {
    switch content {
    case .screen: Identity(sort: .screen, id: id)
    case .stack: Identity(sort: .stack, id: id)
    case .tabs: Identity(sort: .tabs, id: id)
    }
  }

  /// Replaces what a container holds; the index counts for tabs alone.
  mutating func setItems(_ items: [NavigationNode], selectedIndex: Int = 0) {
    switch content {
    case .screen: preconditionFailure("a screen holds nothing")
    case .stack(let id, _): content = .stack(id: id, items: items)
    case .tabs(let id, _, _):
      content = .tabs(id: id, items: items, selectedIndex: selectedIndex)
    }
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
  public init(id: Text, root: NavigationNode? = nil) {
    self.id = id
    self.root = root
  }
}
