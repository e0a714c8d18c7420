import MoonValues

extension NavigationTree {
  /// The number of lists and maps around a root in the tree's value: tree, windows, window.
  static let rootDepth = 3

  /// Checks all that holds for every tree, apart from what is loaded and what screens hold.
  ///
  /// Looks no deeper than the limits allow, and not into screens, whose size has no limit here.
  func validate() throws(NavigationError) {
    if let fault { throw fault.error }
  }

  /// The error in the tree, and its place in the tree's value.
  var fault: (error: NavigationError, path: Path)? {
    var validation = TreeValidation()
    do throws(NavigationError) {
      try validation.check(self)
      return nil
    } catch {
      return (error, validation.place.map { path(to: $0) } ?? validation.path)
    }
  }

  /// Checks the nesting of the values of screens that enter a tree.
  static func validateContents(_ screens: [Screen]) throws(NavigationError) {
    for screen in screens { try validateContent(of: screen) }
  }

  /// Checks the names, and the nesting of the values, of a screen that enters a tree.
  static func validateContent(of screen: Screen) throws(NavigationError) {
    guard screen.parameters.depth <= contentDepthMax, screen.props.depth <= contentDepthMax,
      screen.body.depth <= contentDepthMax
    else { throw .limitExceeded(.content, max: contentDepthMax) }
    guard screen.kind.utf8Count <= nameBytesMax, screen.id.utf8Count <= nameBytesMax else {
      throw .limitExceeded(.name, max: nameBytesMax)
    }
  }
}

extension NavigationTree {
  /// The size of all screens together.
  ///
  /// - Complexity: O(windows); nodes keep their sizes.
  var storageCost: Int { windows.reduce(0) { $0 + ($1.root?.storageCost ?? 0) } }

  /// Checks the size of all screens together.
  ///
  /// - Complexity: O(windows); nodes keep their sizes.
  func validateSize() throws(NavigationError) {
    guard storageCost <= Self.storageCostMax else {
      throw .limitExceeded(.size, max: Self.storageCostMax)
    }
  }
}

/// A walk through a tree that stops at an error.
private struct TreeValidation {
  /// The current node; nil outside of roots.
  private(set) var place: NavigationPlace?
  /// The current place outside of roots.
  private(set) var path = Path()
  private var holders: [Text: NavigationError.Holder] = [:]
  private var nodeCount = 0

  mutating func check(_ tree: NavigationTree) throws(NavigationError) {
    path = Path([.key("windows")])
    guard tree.windows.count <= NavigationTree.windowCountMax else {
      throw .limitExceeded(.windows, max: NavigationTree.windowCountMax)
    }
    for (index, window) in tree.windows.enumerated() {
      place = nil
      path = Path([.key("windows"), .index(Int64(index) + 1)])
      try take(window.id, .window)
      if let root = window.root {
        try check(root, at: NavigationPlace(window: index), depth: NavigationTree.rootDepth)
      }
    }
    place = nil
    path = Path([.key("key")])
    let id = tree.keyWindowID
    guard id.map({ id in tree.windows.contains { $0.id == id } }) ?? tree.windows.isEmpty else {
      throw .invalidKeyWindow(id)
    }
  }

  private mutating func take(
    _ id: Text, _ holder: NavigationError.Holder
  ) throws(NavigationError) {
    guard id.utf8Count <= NavigationTree.nameBytesMax else {
      throw .limitExceeded(.name, max: NavigationTree.nameBytesMax)
    }
    if let first = holders.updateValue(holder, forKey: id) {
      throw .duplicateID(id, holder: first)
    }
  }

  private mutating func check(
    _ node: NavigationNode, at place: NavigationPlace, depth: Int
  ) throws(NavigationError) {
    self.place = place
    guard depth < NavigationTree.depthMax else {
      throw .limitExceeded(.depth, max: NavigationTree.depthMax)
    }
    nodeCount += 1
    guard nodeCount <= NavigationTree.nodeCountMax else {
      throw .limitExceeded(.nodes, max: NavigationTree.nodeCountMax)
    }
    try take(node.id, NavigationError.Holder(node))
    if case .tabs(let id, let items, let index) = node.content {
      guard items.count <= NavigationTree.tabCountMax else {
        throw .limitExceeded(.tabs, max: NavigationTree.tabCountMax)
      }
      guard items.indices.contains(index) || (items.isEmpty && index == 0) else {
        throw .invalidSelection(index, count: items.count, tabs: id)
      }
    }
    for (index, item) in node.items.enumerated() {
      let place = place.appending(.item(index))
      guard node.mayHold(item) else {
        self.place = place
        throw .misplaced(item.id, in: node.id)
      }
      try check(item, at: place, depth: depth + 2)
    }
    if let presented = node.presented {
      try check(presented, at: place.appending(.presented), depth: depth + 1)
    }
  }
}
