import MoonValues

/// Reads elements from values and collects warnings.
struct CardReader {
  var warnings: [CardWarning] = []
  private var partCount = 0
  private var ids: [Text: Path] = [:]
  /// The elements that actions show or hide, with the places of those actions.
  var targets: [(id: Text, path: Path)] = []

  /// Returns the warnings, complete once everything has been read.
  mutating func finish() -> [CardWarning] {
    for (id, path) in targets where ids[id] == nil {
      warnings.append(.unknownTarget(id, path))
    }
    return warnings
  }

  mutating func body(_ value: Value, at path: Path) throws(CardError) -> [Element] {
    switch value {
    case .map(let map) where value["type"] == "AdaptiveCard": try card(map, at: path)
    case .map(let map) where !map.isEmpty && !value.isSparseList: try elements([(value, path)])
    case .string: try elements([(value, path)])
    default: try elements(try Fields.list(value, at: path))
    }
  }

  private mutating func card(_ map: Map, at path: Path) throws(CardError) -> [Element] {
    var fields = Fields(map, at: path)
    fields.ignore(
      "type", "$schema", "version", "fallbackText", "speak", "lang", "rtl", "backgroundImage",
      "minHeight", "verticalContentAlignment", "refresh", "authentication", "metadata")
    var elements = try elements(try fields.optionalList("body") ?? [])
    let selectAction = try selectAction(&fields)
    let actions = try actions(try fields.optionalList("actions") ?? [])
    if !actions.isEmpty { elements.append(Element(content: .actions(actions))) }
    finish(fields)
    guard let selectAction else { return elements }
    return [Element(selectAction: selectAction, content: .container(.plain, elements))]
  }

  /// Adjacent actions form one set.
  mutating func elements(_ items: [(value: Value, path: Path)]) throws(CardError) -> [Element] {
    var elements: [Element] = []
    var bare: [Action] = []
    for (value, path) in try Fields.flattened(items) {
      if value["type"]?.textValue?.hasPrefix("Action.") == true {
        if let action = try action(value, at: path) { bare.append(action) }
        continue
      }
      if !bare.isEmpty {
        elements.append(Element(content: .actions(bare)))
        bare = []
      }
      if let element = try element(value, at: path) { elements.append(element) }
    }
    if !bare.isEmpty { elements.append(Element(content: .actions(bare))) }
    return elements
  }

  /// Returns nil if the element is to be dropped.
  mutating func element(
    _ value: Value, at path: Path, ofType implied: Text? = nil
  ) throws(CardError) -> Element? {
    try count(path)
    if case .string(let text) = value { return Element(content: .text(TextBlock(text: text))) }
    guard case .map(let map) = value else { throw .wrongKind(path, expected: .element) }
    var fields = Fields(map, at: path)
    let type: Text
    if let given = try fields.optionalName("type") {
      type = given
    } else if let implied {
      type = implied
    } else {
      throw .missing(fields.path("type"))
    }
    if try !meetsRequirements(&fields) { return try fallback(&fields, type: type) }
    guard let content = try content(type, &fields) else {
      warnings.append(.unknownElement(type, path))
      return try fallback(&fields, type: type)
    }
    let element = try element(&fields, content)
    finish(fields)
    return element
  }

  private mutating func element(
    _ fields: inout Fields, _ content: Element.Content
  ) throws(CardError) -> Element {
    var element = Element(content: content)
    element.id = try id(&fields)
    element.isVisible = try fields.boolean("isVisible", otherwise: true)
    element.spacing = try fields.word("spacing", otherwise: .standard)
    element.hasSeparator = try fields.boolean("separator")
    element.alignment = try fields.optionalWord("horizontalAlignment")
    if content.isSelectable { element.selectAction = try selectAction(&fields) }
    fields.ignore("height")
    return element
  }

  /// Returns the fallback of an element: a placeholder if it names none, nil if it is to be
  /// dropped.
  private mutating func fallback(
    _ fields: inout Fields, type: Text
  ) throws(CardError) -> Element? {
    guard let value = fields.optional("fallback") else {
      return Element(
        id: try id(&fields), isVisible: try fields.boolean("isVisible", otherwise: true),
        content: .placeholder(type: type))
    }
    return value == "drop" ? nil : try element(value, at: fields.path("fallback"), ofType: type)
  }

  /// Returns whether all requirements are met; only the schema itself is available.
  mutating func meetsRequirements(_ fields: inout Fields) throws(CardError) -> Bool {
    // A known field, which is read only where it is needed.
    fields.ignore("fallback")
    guard let value = fields.optional("requires") else { return true }
    guard case .map(let map) = value else {
      throw .wrongKind(fields.path("requires"), expected: .map)
    }
    var isMet = true
    for (key, version) in map {
      let path = fields.path("requires").appending(Path.Component(key))
      guard let text = version.textValue, let wanted = SchemaVersion(text.string) else {
        throw .wrongKind(path, expected: .version)
      }
      if key == "adaptiveCards", wanted <= .ours { continue }
      warnings.append(.unmetRequirement(Text(key.description), path))
      isMet = false
    }
    return isMet
  }

  /// Returns the id of an element or an action, which must be unique.
  mutating func id(_ fields: inout Fields) throws(CardError) -> Text? {
    guard let id = try fields.optionalName("id") else { return nil }
    if let first = ids[id] { throw .duplicateID(id, fields.path("id"), first: first) }
    ids[id] = fields.path
    return id
  }

  mutating func count(_ path: Path) throws(CardError) {
    partCount += 1
    guard partCount <= Card.partCountMax else {
      throw .limitExceeded(.parts, max: Card.partCountMax, path)
    }
  }

  /// Warns about fields that were never read.
  mutating func finish(_ fields: Fields) {
    for path in fields.unknown {
      warnings.append(.unknownField(path, known: fields.knownNames))
    }
  }
}

/// A version of the schema such as 1.5; `*` is older than any.
private struct SchemaVersion: Comparable {
  static let ours = SchemaVersion(numbers: [1, 5])

  var numbers: [Int]

  static func < (left: SchemaVersion, right: SchemaVersion) -> Bool {
    left.numbers.lexicographicallyPrecedes(right.numbers)
  }
}

extension SchemaVersion {
  init?(_ text: String) {
    if text == "*" {
      numbers = []
      return
    }
    numbers = []
    for part in text.split(separator: ".", omittingEmptySubsequences: false) {
      guard let number = Int(part), number >= 0 else { return nil }
      numbers.append(number)
    }
    // 1.5.0 equals 1.5.
    while numbers.count > 2, numbers.last == 0 { numbers.removeLast() }
  }
}
