package import MoonValues

extension NavigationCompletion {
  /// The types of all completions.
  package static let types: [Text] = [
    "nav/did_start", "nav/did_restore", "nav/did_close", "nav/did_focus", "nav/did_set",
    "nav/did_present", "nav/did_dismiss", "nav/did_push", "nav/did_pop", "nav/did_set_navigation",
    "nav/did_insert_tab", "nav/did_remove_tab", "nav/did_set_tabs", "nav/did_select_tab",
    "nav/did_set_column", "nav/did_select_column", "nav/did_collapse", "nav/did_expand",
    "nav/did_update",
  ]

  /// The type of the completion as the store knows it, such as `nav/did_push`.
  package var type: Text { change.typeName }

  /// The payload of the completion as the store knows it.
  ///
  /// Always `animated` and `origin`, and the change's own. `window`, `stack`, `tabs` and `split`
  /// are the ids of where it happened; positions are counted from 1.
  package var payload: Value {
    var writer = FieldWriter()
    change.write(to: &writer)
    writer.write(motion, origin)
    return writer.value
  }

  /// The completion as plain data: `{type = "nav/did_push", payload = {…}}`.
  package var value: Value { ["type": .string(type), "payload": payload] }

  /// Reads a completion, such as a recorded one.
  ///
  /// - Throws: ``NavigationValueError`` with the path in the payload of what is wrong.
  package init(type: Text, payload: Value) throws(NavigationValueError) {
    var reader = try FieldReader(payload)
    change = try NavigationChange(type: type, reading: &reader)
    motion = try reader.motion() ?? .immediate
    origin = try reader.origin() ?? .code
    try reader.finish()
  }
}

extension NavigationChange {
  var typeName: Text {
    switch self {
    case .start: "nav/did_start"
    case .restore: "nav/did_restore"
    case .close: "nav/did_close"
    case .focus: "nav/did_focus"
    case .set: "nav/did_set"
    case .present: "nav/did_present"
    case .dismiss: "nav/did_dismiss"
    case .push: "nav/did_push"
    case .pop: "nav/did_pop"
    case .setNavigation: "nav/did_set_navigation"
    case .insertTab: "nav/did_insert_tab"
    case .removeTab: "nav/did_remove_tab"
    case .setTabs: "nav/did_set_tabs"
    case .selectTab: "nav/did_select_tab"
    case .setColumn: "nav/did_set_column"
    case .selectColumn: "nav/did_select_column"
    case .collapse: "nav/did_collapse"
    case .expand: "nav/did_expand"
    case .update: "nav/did_update"
    }
  }

  fileprivate func write(to writer: inout FieldWriter) {
    switch self {
    case .start(let window, let index), .restore(let window, let index),
      .close(let window, let index):
      writer.add("window", window.value)
      writer.add("at", index: index)
    case .focus(let id, let previous):
      writer.add("window", id)
      writer.add("previous", previous)
    case .set(let root, let previous, let window):
      writer.add("root", root?.value)
      writer.add("previous", previous?.value)
      writer.add("window", window)
    case .present(let node, let id):
      writer.add("node", node.value)
      writer.add("on", id)
    case .dismiss(let node, let id):
      writer.add("node", node.value)
      writer.add("from", id)
    case .push(let node, let id), .pop(let node, let id):
      writer.add("screen", node.value)
      writer.add("stack", id)
    case .setNavigation(let items, let previous, let id):
      writer.add("screens", items.map(\.value))
      writer.add("previous", previous.map(\.value))
      writer.add("stack", id)
    case .insertTab(let node, let index, let id, let selection),
      .removeTab(let node, let index, let id, let selection):
      writer.add("tab", node.value)
      writer.add("at", index: index)
      writer.write(selection, tabs: id)
    case .setTabs(let items, let previous, let id, let selection):
      writer.add("items", items.map(\.value))
      writer.add("previous", previous.map(\.value))
      writer.write(selection, tabs: id)
    case .selectTab(let tab, let id, let selection):
      writer.add("tab", tab)
      writer.write(selection, tabs: id)
    case .setColumn(let column, let node, let previous, let id):
      writer.add("column", column.text)
      writer.add("node", node.value)
      writer.add("previous", previous.value)
      writer.add("split", id)
    case .selectColumn(let column, let id):
      writer.add("column", column.text)
      writer.add("split", id)
    case .collapse(let id), .expand(let id): writer.add("split", id)
    case .update(let screen, let previous):
      writer.add("screen", screen.value)
      writer.add("previous", previous.value)
    }
  }

  fileprivate init(
    type: Text, reading reader: inout FieldReader
  ) throws(NavigationValueError) {
    switch type {
    case "nav/did_start":
      self = .start(try reader.window("window"), at: try reader.index("at"))
    case "nav/did_restore":
      self = .restore(try reader.window("window"), at: try reader.index("at"))
    case "nav/did_close":
      self = .close(try reader.window("window"), at: try reader.index("at"))
    case "nav/did_focus":
      self = .focus(try reader.text("window"), previous: try reader.text("previous"))
    case "nav/did_set":
      self = .set(
        try reader.optionalNode("root"), previous: try reader.optionalNode("previous"),
        window: try reader.text("window"))
    case "nav/did_present":
      self = .present(try reader.node("node"), on: try reader.text("on"))
    case "nav/did_dismiss":
      self = .dismiss(try reader.node("node"), from: try reader.text("from"))
    case "nav/did_push":
      self = .push(try reader.node("screen"), in: try reader.text("stack"))
    case "nav/did_pop":
      self = .pop(try reader.node("screen"), in: try reader.text("stack"))
    case "nav/did_set_navigation":
      self = .setNavigation(
        try reader.nodes("screens"), previous: try reader.nodes("previous"),
        in: try reader.text("stack"))
    case "nav/did_insert_tab":
      self = .insertTab(
        try reader.node("tab"), at: try reader.index("at"), in: try reader.text("tabs"),
        selection: try reader.selection())
    case "nav/did_remove_tab":
      self = .removeTab(
        try reader.node("tab"), at: try reader.index("at"), in: try reader.text("tabs"),
        selection: try reader.selection())
    case "nav/did_set_tabs":
      self = .setTabs(
        try reader.nodes("items"), previous: try reader.nodes("previous"),
        in: try reader.text("tabs"), selection: try reader.selection())
    case "nav/did_select_tab":
      self = .selectTab(
        try reader.text("tab"), in: try reader.text("tabs"), selection: try reader.selection())
    case "nav/did_set_column":
      self = .setColumn(
        try reader.column(), try reader.node("node"), previous: try reader.node("previous"),
        in: try reader.text("split"))
    case "nav/did_select_column":
      self = .selectColumn(try reader.column(), in: try reader.text("split"))
    case "nav/did_collapse": self = .collapse(try reader.text("split"))
    case "nav/did_expand": self = .expand(try reader.text("split"))
    case "nav/did_update":
      self = .update(try reader.screen("screen"), previous: try reader.screen("previous"))
    default: throw .unknownType(type)
    }
  }
}

extension FieldWriter {
  fileprivate mutating func write(_ selection: TabSelection, tabs: Text) {
    add("tabs", tabs)
    add("selected", index: selection.current)
    add("previous_selected", index: selection.previous)
  }
}

extension FieldReader {
  fileprivate mutating func selection() throws(NavigationValueError) -> TabSelection {
    TabSelection(previous: try index("previous_selected"), current: try index("selected"))
  }

  fileprivate mutating func window(_ name: Text) throws(NavigationValueError) -> NavigationWindow {
    try NavigationWindow(required(name), at: path(name))
  }
}
