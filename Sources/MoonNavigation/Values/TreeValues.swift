package import MoonValues

extension NavigationTree {
  /// Makes ``value``.
  var written: Map {
    var map: Map = [
      "loaded": .list(loaded.list), "windows": .list(List(windows.map(\.value))),
    ]
    map["key"] = keyWindowID.map { .string($0) }
    return map
  }

  /// Reads a tree in the form of ``value``.
  ///
  /// Without `key`, the first window is the key window. `loaded` may be left out; shown screens
  /// always count as loaded.
  ///
  /// - Throws: ``NavigationValueError`` with the path of what is wrong.
  package init(_ value: Value) throws(NavigationValueError) {
    self.init()
    var reader = try FieldReader(value)
    windows = try reader.list("windows", countMax: Self.windowCountMax, of: .windows) {
      value, path throws(NavigationValueError) in
      try NavigationWindow(value, at: path)
    }
    keyWindowID = try reader.optionalText("key") ?? windows.first?.id
    if reader.optional("loaded") != nil {
      loaded = IDList(
        try reader.list("loaded", countMax: Self.nodeCountMax) {
          value, path throws(NavigationValueError) in
          guard let id = value.textValue else { throw .wrongKind(path, expected: .text) }
          return id
        })
    }
    try reader.finish()
    guard value.storageCost <= Self.storageCostMax else {
      throw .invalid(.limitExceeded(.size, max: Self.storageCostMax), Path())
    }
    if let fault { throw .invalid(fault.error, fault.path) }
    if let unknown = loaded.subtracting(IDList(screens.map(\.id))).first {
      throw .invalid(.unknownLoadedID(unknown), reader.path("loaded"))
    }
    ids = TreeIDs(of: windows)
    loadVisible()
  }
}

extension NavigationWindow {
  var value: Value {
    guard let root else { return ["id": .string(id)] }
    return ["id": .string(id), "root": root.value]
  }

  init(_ value: Value, at path: Path) throws(NavigationValueError) {
    var reader = try FieldReader(value, at: path)
    id = try reader.text("id")
    root = try reader.optionalNode("root")
    try reader.finish()
  }
}

extension NavigationNode {
  static func value(of content: Content, presenting presented: NavigationNode?) -> Value {
    switch content {
    case .screen(let screen):
      return presented == nil ? screen.value : .map(screen.written(presenting: presented))
    case .stack(let id, let items):
      var writer = FieldWriter()
      writer.add("id", id)
      writer.add("presented", presented?.value)
      writer.add("stack", Value.list(items.values))
      return writer.value
    case .tabs(let id, let items, let selectedIndex):
      var writer = FieldWriter()
      writer.add("id", id)
      writer.add("presented", presented?.value)
      if !items.isEmpty { writer.add("selected", index: selectedIndex) }
      writer.add("tabs", Value.list(items.values))
      return writer.value
    case .split(let id, let master, let detail, let selected, let isCollapsed):
      var writer = FieldWriter()
      if isCollapsed { writer.add("collapsed", .bool(true)) }
      writer.add("detail", detail.value)
      writer.add("id", id)
      writer.add("master", master.value)
      writer.add("presented", presented?.value)
      writer.add("selected", selected.text)
      return writer.value
    }
  }

  /// Reads a node.
  ///
  /// Whether it fits a tree is checked when it is added to one.
  ///
  /// - Throws: ``NavigationValueError`` with the path of what is wrong, which begins with `path`.
  package init(_ value: Value, at path: Path = Path()) throws(NavigationValueError) {
    var left = NavigationTree.nodeCountMax
    try self.init(value, at: path, depth: NavigationTree.rootDepth, &left)
  }

  /// `left` is how many nodes may still be read.
  private init(
    _ value: Value, at path: Path, depth: Int, _ left: inout Int
  ) throws(NavigationValueError) {
    guard depth < NavigationTree.depthMax else {
      throw .invalid(.limitExceeded(.depth, max: NavigationTree.depthMax), path)
    }
    left -= 1
    guard left >= 0 else {
      throw .invalid(.limitExceeded(.nodes, max: NavigationTree.nodeCountMax), path)
    }
    var reader = try FieldReader(value, at: path)
    let content: Content
    if reader.optional("stack") != nil {
      let id = try reader.text("id")
      content = .stack(
        id: id, items: try Self.nodes(&reader, "stack", depth: depth + 2, &left))
    } else if reader.optional("tabs") != nil {
      let items = try Self.nodes(&reader, "tabs", depth: depth + 2, &left)
      let selectedIndex = try reader.optionalIndex("selected") ?? 0
      content = .tabs(
        id: try reader.text("id"), items: items, selectedIndex: selectedIndex)
    } else if reader.optional("master") != nil || reader.optional("detail") != nil {
      let master = try Self.column(&reader, .master, depth: depth + 2, &left)
      content = .split(
        id: try reader.text("id"), master: master,
        detail: try Self.column(&reader, .detail, depth: depth + 2, &left),
        selected: try reader.optionalColumn("selected") ?? .master,
        isCollapsed: try reader.optionalBoolean("collapsed") ?? false)
    } else {
      content = .screen(try Screen(reading: &reader))
    }
    let presented = try reader.optional("presented").map { value throws(NavigationValueError) in
      try NavigationNode(value, at: reader.path("presented"), depth: depth + 1, &left)
    }
    try reader.finish()
    self.init(content, presented: presented)
  }

  private static func column(
    _ reader: inout FieldReader, _ column: SplitColumn, depth: Int, _ left: inout Int
  ) throws(NavigationValueError) -> NavigationNode {
    try NavigationNode(
      reader.required(column.text), at: reader.path(column.text), depth: depth, &left)
  }

  fileprivate static func nodes(
    _ reader: inout FieldReader, _ name: Text, depth: Int, _ left: inout Int
  ) throws(NavigationValueError) -> NavigationItems {
    // Refused before any is read: a list may have any length.
    let items = try reader.list(name, countMax: NavigationTree.nodeCountMax) {
      value, path throws(NavigationValueError) in
      try NavigationNode(value, at: path, depth: depth, &left)
    }
    return NavigationItems(items)
  }
}

extension Screen {
  /// Reads a screen.
  ///
  /// - Throws: ``NavigationValueError`` with the path of what is wrong, which begins with `path`.
  package init(_ value: Value, at path: Path = Path()) throws(NavigationValueError) {
    var reader = try FieldReader(value, at: path)
    try self.init(reading: &reader)
    try reader.finish()
  }

  /// Returns the screen that a changed copy of its value describes.
  ///
  /// - Throws: ``NavigationValueError`` with the path of what is wrong.
  package func changed(to new: Value) throws(NavigationValueError) -> Screen {
    value.isIdentical(to: new) ? self : try Screen(new)
  }

  fileprivate init(reading reader: inout FieldReader) throws(NavigationValueError) {
    self.init(id: try reader.text("id"))
    kind = try reader.optionalText("kind") ?? ""
    title = try reader.optionalText("title") ?? ""
    url = try reader.optionalText("url")
    if let value = try reader.content("params") { parameters = value }
    if let value = try reader.content("props") { props = value }
    if let value = try reader.content("body") { body = value }
    if let value = try reader.content("presentation") {
      guard let map = value.mapValue else {
        throw .wrongKind(reader.path("presentation"), expected: .map)
      }
      presentation = map
    }
    let generation = try reader.optionalInteger("generation")
    if let module = try reader.optionalText("module") {
      owner = ScreenOwner(module: module, generation: generation)
    } else if generation != nil {
      throw .missing(reader.path("module"))
    }
    isPlaceholder = try reader.optionalBoolean("placeholder") ?? false
  }

  /// Returns the map of a node with the screen.
  func written(presenting presented: NavigationNode?) -> Map {
    var writer = FieldWriter()
    // In the order of the map's keys, so that they needn't be sorted.
    writer.add("body", body)
    writer.add("generation", owner?.generation)
    writer.add("id", id)
    writer.add("kind", kind)
    writer.add("module", owner?.module)
    writer.add("params", parameters)
    if isPlaceholder { writer.add("placeholder", .bool(true)) }
    if !presentation.isEmpty { writer.add("presentation", .map(presentation)) }
    writer.add("presented", presented?.value)
    writer.add("props", props)
    writer.add("title", title)
    writer.add("url", url)
    return writer.map
  }
}

extension FieldReader {
  mutating func node(_ name: Text) throws(NavigationValueError) -> NavigationNode {
    try NavigationNode(required(name), at: path(name))
  }

  mutating func optionalNode(_ name: Text) throws(NavigationValueError) -> NavigationNode? {
    guard let value = optional(name) else { return nil }
    return try NavigationNode(value, at: path(name))
  }

  mutating func nodes(_ name: Text) throws(NavigationValueError) -> [NavigationNode] {
    try list(name, countMax: NavigationTree.nodeCountMax) {
      value, path throws(NavigationValueError) in
      try NavigationNode(value, at: path)
    }
  }

  mutating func screen(_ name: Text) throws(NavigationValueError) -> Screen {
    try Screen(required(name), at: path(name))
  }

  /// A value of a screen; nil if absent, while null stays null.
  mutating func content(_ name: Text) throws(NavigationValueError) -> Value? {
    guard let value = raw(name) else { return nil }
    guard value.depth <= NavigationTree.contentDepthMax else {
      let error = NavigationError.limitExceeded(.content, max: NavigationTree.contentDepthMax)
      throw .invalid(error, path(name))
    }
    return value
  }
}
