package import Moonwire

/// All that a client needs for drawing what people see in a session, as a value.
///
/// The value changes little from one moment to the next, so that a subscription sends the changes.
package struct StageRecord: Sendable {
  /// The maximum number of titles of a stack, counted from the top.
  static let titleCountMax = 12

  let tree: NavigationTree
  /// The screen on top of the key window; nil if there is none.
  let top: ShownScreen?
  /// The screen that a split view shows beside it.
  let beside: ShownScreen?
  /// The screen that what is presented covers.
  let beneath: ShownScreen?

  package init(
    tree: NavigationTree, top: ShownScreen?, beside: ShownScreen?, beneath: ShownScreen?
  ) {
    (self.tree, self.top, self.beside, self.beneath) = (tree, top, beside, beneath)
  }

  /// The ids of the screens that are visible beside and beneath the one on top.
  package static func others(in tree: NavigationTree) -> (beside: Text?, beneath: Text?) {
    guard let window = tree.keyWindowID, let top = tree.topScreen else { return (nil, nil) }
    if tree.coveringScreen(ofWindow: window) != nil {
      var node = tree.windows.first { $0.id == window }?.root
      while let container = node, let index = container.shownIndex {
        node = container.items[index]
      }
      return (nil, node?.screen?.id)
    }
    let beside = tree.visibleScreens.first {
      $0.id != top.id && tree.windowID(of: $0.id) == window
    }
    return (beside?.id, nil)
  }

  /// The record.
  package var value: Value {
    var map: Map = ["windows": .list(List(tree.windows.map { .string($0.id) }))]
    map["window"] = tree.keyWindowID.map { .string($0) }
    guard let top else { return .map(map) }
    for (key, value) in BesideText(ScreenSnapshot(shown: top, tree: tree)).record {
      map[key] = value
    }
    map["screen"] = Self.screen(top)
    map["titles"] = .list(List(titles.map { .string($0) }))
    map["beside"] = beside.map(Self.screen)
    map["beneath"] = beneath.map(Self.screen)
    return .map(map)
  }

  /// The titles of the screens below the one on top in its stack.
  private var titles: [Text] {
    guard let window = tree.keyWindowID,
      let stack = tree.containersOnTop(ofWindow: window).last(where: { node in
        if case .stack = node.content { true } else { false }
      })
    else { return [] }
    return stack.items.suffix(Self.titleCountMax).dropLast().compactMap {
      $0.screen.map(Self.title)
    }
  }

  private static func title(of screen: Screen) -> Text {
    [screen.title, screen.kind, screen.id].first { !$0.isEmpty } ?? screen.id
  }

  private static func screen(_ shown: ShownScreen) -> Value {
    let screen = shown.screen
    var map: Map = ["id": .string(screen.id), "title": .string(title(of: screen))]
    map["url"] = screen.url.map { .string($0) }
    map["module"] = screen.owner.map { .string($0.module) }
    if screen.isPlaceholder { map["placeholder"] = true }
    map["error"] = shown.failure.map(\.report.value)
    guard let card = shown.card else { return .map(map) }
    map["body"] = card.body
    map["inputs"] = .map(shown.maskedInputs)
    map["visibility"] = .map(Map(card.visibility.map { (.string($0.key), .bool($0.value)) }))
    map["refusal"] = shown.refusal.map {
      ["number": .int(Int64($0.number)), "reason": .string(Text($0.reason))]
    }
    return .map(map)
  }
}
