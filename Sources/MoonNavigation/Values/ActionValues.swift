package import MoonValues

extension NavigationAction {
  /// The types of all actions of this kind.
  package static let types: [Text] = [
    "nav/start", "nav/close", "nav/focus", "nav/set", "nav/present", "nav/dismiss",
    "nav/dismiss_to", "nav/dismiss_to_root", "nav/set_navigation", "nav/push", "nav/pop",
    "nav/pop_to", "nav/pop_to_root", "nav/set_tabs", "nav/insert_tab", "nav/remove_tab",
    "nav/select_tab", "nav/set_column", "nav/select_column", "nav/show_detail", "nav/collapse",
    "nav/expand", "nav/back", "nav/back_to", "nav/replace", "nav/root", "nav/show",
    "nav/update",
  ]

  /// The type of the action as the store knows it, such as `nav/push`.
  package var type: Text {
    switch operation {
    case .start: "nav/start"
    case .close: "nav/close"
    case .focus: "nav/focus"
    case .set: "nav/set"
    case .present: "nav/present"
    case .dismiss: "nav/dismiss"
    case .dismissTo: "nav/dismiss_to"
    case .dismissToRoot: "nav/dismiss_to_root"
    case .setNavigation: "nav/set_navigation"
    case .push: "nav/push"
    case .pop: "nav/pop"
    case .popTo: "nav/pop_to"
    case .popToRoot: "nav/pop_to_root"
    case .setTabs: "nav/set_tabs"
    case .insertTab: "nav/insert_tab"
    case .removeTab: "nav/remove_tab"
    case .selectTab, .selectTabAt: "nav/select_tab"
    case .setColumn: "nav/set_column"
    case .selectColumn: "nav/select_column"
    case .showDetail: "nav/show_detail"
    case .collapse: "nav/collapse"
    case .expand: "nav/expand"
    case .back: "nav/back"
    case .backTo: "nav/back_to"
    case .replace: "nav/replace"
    case .root: "nav/root"
    case .show: "nav/show"
    case .update: "nav/update"
    }
  }

  /// The payload of the action as the store knows it.
  ///
  /// Always `animated` and `origin`, `window` if one is named, and the operation's own: `id`,
  /// `screen`, `node`, `root`, `on`, `count`, `screens`, `tabs`, `tab`, `at`, `index`, `column`,
  /// `url`.
  /// Positions are counted from 1.
  package var payload: Value {
    var writer = FieldWriter()
    switch operation {
    case .start(let id), .close(let id), .focus(let id), .dismissTo(let id), .popTo(let id),
      .removeTab(let id), .selectTab(let id), .backTo(.id(let id)):
      writer.add("id", id)
    case .set(let root): writer.add("root", root?.value)
    case .present(let node, let id):
      writer.add("node", node.value)
      writer.add("on", id)
    case .dismiss(let count), .pop(let count): writer.add("count", count)
    case .setNavigation(let screens): writer.add("screens", screens.map(\.value))
    case .push(let screen), .replace(let screen), .root(let screen), .show(let screen),
      .showDetail(let screen), .update(let screen), .backTo(.screen(let screen)):
      writer.add("screen", screen.value)
    case .setTabs(let tabs): writer.add("tabs", tabs.map(\.value))
    case .insertTab(let node, let position):
      writer.add("tab", node.value)
      switch position {
      case .first: writer.add("at", Value.string("first"))
      case .last: writer.add("at", Value.string("last"))
      case .index(let index): writer.add("at", index: index)
      }
    case .selectTabAt(let index): writer.add("index", index: index)
    case .setColumn(let column, let node):
      writer.add("column", column.text)
      writer.add("node", node.value)
    case .selectColumn(let column): writer.add("column", column.text)
    case .collapse(let id), .expand(let id): writer.add("id", id)
    case .backTo(.url(let url)): writer.add("url", url)
    case .dismissToRoot, .popToRoot, .back: break
    }
    writer.add("window", windowID)
    writer.write(motion, origin)
    return writer.value
  }

  /// The approximate size of ``payload``: that of its screens, since the other fields are small.
  ///
  /// See `Value.storageCost`.
  package var storageCost: Int {
    switch operation {
    case .set(let root): root?.storageCost ?? 0
    case .present(let node, _), .insertTab(let node, _), .setColumn(_, let node):
      node.storageCost
    case .setNavigation(let screens): screens.reduce(0) { $0 + $1.value.storageCost }
    case .push(let screen), .replace(let screen), .root(let screen), .show(let screen),
      .showDetail(let screen), .update(let screen), .backTo(.screen(let screen)):
      screen.value.storageCost
    case .setTabs(let tabs): tabs.reduce(0) { $0 + $1.storageCost }
    case .start, .close, .focus, .dismiss, .dismissTo, .dismissToRoot, .pop, .popTo, .popToRoot,
      .removeTab, .selectTab, .selectTabAt, .selectColumn, .collapse, .expand, .back, .backTo:
      0
    }
  }

  /// The action as plain data: `{type = "nav/push", payload = {…}}`.
  package var value: Value { ["type": .string(type), "payload": payload] }

  /// Reads an action of the store.
  ///
  /// `count` is 1 and `at` is `"last"` if left out; without `animated` the action moves as it
  /// usually does, and without `origin` it is the code's.
  ///
  /// - Throws: ``NavigationValueError`` with the path in the payload of what is wrong.
  package init(type: Text, payload: Value) throws(NavigationValueError) {
    var reader = try FieldReader(payload == .null ? [:] : payload)
    operation = try Operation(type: type, reading: &reader)
    windowID = try reader.optionalText("window")
    motion = try reader.motion() ?? operation.usualMotion
    origin = try reader.origin() ?? .code
    try reader.finish()
  }
}

extension NavigationAction.Operation {
  fileprivate init(
    type: Text, reading reader: inout FieldReader
  ) throws(NavigationValueError) {
    switch type {
    case "nav/start": self = .start(window: try reader.text("id"))
    case "nav/close": self = .close(window: try reader.text("id"))
    case "nav/focus": self = .focus(window: try reader.text("id"))
    case "nav/set": self = .set(try reader.optionalNode("root"))
    case "nav/present":
      self = .present(try reader.node("node"), on: try reader.optionalText("on"))
    case "nav/dismiss": self = .dismiss(count: try reader.optionalInteger("count") ?? 1)
    case "nav/dismiss_to": self = .dismissTo(try reader.text("id"))
    case "nav/dismiss_to_root": self = .dismissToRoot
    case "nav/set_navigation":
      self = .setNavigation(
        try reader.list("screens", countMax: NavigationTree.nodeCountMax) {
          value, path throws(NavigationValueError) in
          try Screen(value, at: path)
        })
    case "nav/push": self = .push(try reader.screen("screen"))
    case "nav/pop": self = .pop(count: try reader.optionalInteger("count") ?? 1)
    case "nav/pop_to": self = .popTo(try reader.text("id"))
    case "nav/pop_to_root": self = .popToRoot
    case "nav/set_tabs": self = .setTabs(try reader.nodes("tabs"))
    case "nav/insert_tab":
      self = .insertTab(try reader.node("tab"), at: try reader.tabPosition("at"))
    case "nav/remove_tab": self = .removeTab(try reader.text("id"))
    case "nav/select_tab":
      if try reader.one(of: ["id", "index"]) == "id" {
        self = .selectTab(try reader.text("id"))
      } else {
        self = .selectTabAt(try reader.index("index"))
      }
    case "nav/set_column":
      self = .setColumn(try reader.column(), try reader.node("node"))
    case "nav/select_column": self = .selectColumn(try reader.column())
    case "nav/show_detail": self = .showDetail(try reader.screen("screen"))
    case "nav/collapse": self = .collapse(try reader.optionalText("id"))
    case "nav/expand": self = .expand(try reader.optionalText("id"))
    case "nav/back": self = .back
    case "nav/back_to":
      switch try reader.one(of: ["id", "url", "screen"]) {
      case "id": self = .backTo(.id(try reader.text("id")))
      case "url": self = .backTo(.url(try reader.text("url")))
      default: self = .backTo(.screen(try reader.screen("screen")))
      }
    case "nav/replace": self = .replace(try reader.screen("screen"))
    case "nav/root": self = .root(try reader.screen("screen"))
    case "nav/show": self = .show(try reader.screen("screen"))
    case "nav/update": self = .update(try reader.screen("screen"))
    default: throw .unknownType(type)
    }
  }
}

extension FieldWriter {
  mutating func write(_ motion: NavigationAction.Motion, _ origin: NavigationOrigin) {
    add("animated", Value.bool(motion == .animated))
    add("origin", origin.text)
  }
}

extension FieldReader {
  mutating func motion() throws(NavigationValueError) -> NavigationAction.Motion? {
    try optionalBoolean("animated").map { $0 ? .animated : .immediate }
  }

  fileprivate mutating func tabPosition(
    _ name: Text
  ) throws(NavigationValueError) -> NavigationAction.TabPosition {
    switch optional(name) {
    case nil, .string("last"): return .last
    case .string("first"): return .first
    case .string(let word): throw .unknownWord(word, path(name))
    default: return .index(try index(name))
    }
  }
}
