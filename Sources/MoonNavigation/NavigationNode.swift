public import MoonValues

/// A place in a window: a screen or a container of screens, and what it presents.
public struct NavigationNode: Equatable, Sendable {
  /// What stands at a place.
  public enum Content: Equatable, Sendable {
    /// A screen.
    case screen(Screen)
    /// Screens on top of each other, the last one on top; may be empty.
    case stack(id: Text, items: [NavigationNode])
    /// Stacks and screens beside each other, of which one is shown; may be empty, which leaves
    /// the index at 0.
    case tabs(id: Text, items: [NavigationNode], selectedIndex: Int)
  }

  /// What stands here.
  public var content: Content

  // An array is the box that a value which holds its own kind needs; it has at most one element.
  private var presentedBox: [NavigationNode] = []

  /// What is shown over the whole window as long as this place is on top, nil if nothing.
  public var presented: NavigationNode? {
    get { presentedBox.first }
    set { presentedBox = newValue.map { [$0] } ?? [] }
  }

  /// Makes a place that holds `content` and presents `presented`.
  public init(_ content: Content, presented: NavigationNode? = nil) {
    self.content = content
    self.presented = presented
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
  public var id: Text {
    switch content {
    case .screen(let screen): screen.id
    case .stack(let id, _), .tabs(let id, _, _): id
    }
  }

  /// The screen, if one stands here.
  public var screen: Screen? {
    if case .screen(let screen) = content { screen } else { nil }
  }

  /// What the container holds, nothing for a screen.
  public var items: [NavigationNode] {
    switch content {
    case .screen: []
    case .stack(_, let items), .tabs(_, let items, _): items
    }
  }

  /// Where in ``items`` what the container shows stands, nil for a screen or an empty container.
  public var shownIndex: Int? {
    switch content {
    case .screen: nil
    case .stack(_, let items): items.isEmpty ? nil : items.count - 1
    case .tabs(_, let items, let selectedIndex): items.isEmpty ? nil : selectedIndex
    }
  }
}

extension NavigationNode {
  var isStack: Bool {
    if case .stack = content { true } else { false }
  }

  var isTabs: Bool {
    if case .tabs = content { true } else { false }
  }

  /// Whether the other is the same place at another time: its id and its sort are the same.
  func isSame(as other: NavigationNode) -> Bool {
    identity == other.identity
  }

  /// What stays the same while a node changes: what sort it is of, and its id.
  struct Identity: Hashable {
    enum Sort: Hashable {
      case screen, stack, tabs
    }

    let sort: Sort
    let id: Text
  }

  var identity: Identity {
    switch content {
    case .screen(let screen): Identity(sort: .screen, id: screen.id)
    case .stack(let id, _): Identity(sort: .stack, id: id)
    case .tabs(let id, _, _): Identity(sort: .tabs, id: id)
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

  /// Hands out this node and all below it: what it holds first, then what it presents.
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

/// What a person sees as one: a root and everything on it.
public struct NavigationWindow: Equatable, Sendable {
  /// What names the window; unique in a tree.
  public var id: Text
  /// What it shows, nil as long as it is hidden.
  public var root: NavigationNode?

  /// Makes a window.
  public init(id: Text, root: NavigationNode? = nil) {
    self.id = id
    self.root = root
  }
}
