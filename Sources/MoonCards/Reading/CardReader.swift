import MoonValues

/// Reads elements from values and collects warnings.
struct CardReader {
  var warnings: [CardWarning] = []
  private var partCount = 0
  private var ids: [Text: Path] = [:]
  /// Whether a detail of the element or action being read is left out.
  var isFlawed = false
  /// The elements that actions show or hide, with the places of those actions.
  var targets: [(id: Text, path: Path)] = []
  /// The cards that the actions of the set being read show, hidden at first.
  var shownCards: [(id: Text, card: Element)] = []

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

  mutating func card(_ map: Map, at path: Path) throws(CardError) -> [Element] {
    var fields = Fields(map, at: path)
    fields.ignore(
      "type", "$schema", "version", "fallbackText", "speak", "lang", "rtl", "backgroundImage",
      "minHeight", "verticalContentAlignment", "refresh", "authentication", "metadata")
    var elements = try elements(try fields.optionalList("body") ?? [])
    let selectAction = try selectAction(&fields)
    do throws(CardError) {
      elements += try actionSet(try fields.optionalList("actions") ?? [])
    } catch {
      try leaveOut(error)
    }
    finish(fields)
    guard let selectAction else { return elements }
    return [Element(selectAction: selectAction, content: .container(.plain, elements))]
  }

  /// Adjacent actions form one set.
  mutating func elements(_ items: [(value: Value, path: Path)]) throws(CardError) -> [Element] {
    var elements: [Element] = []
    var bare: [(value: Value, path: Path)] = []
    for (value, path) in Fields.flattened(items) {
      if value["type"]?.textValue?.hasPrefix("Action.") == true {
        bare.append((value, path))
        continue
      }
      if !bare.isEmpty { elements += try actionSet(bare) }
      bare = []
      if let element = try element(value, at: path) { elements.append(element) }
    }
    return try bare.isEmpty ? elements : elements + actionSet(bare)
  }

  /// Returns nil if the element is to be dropped; an element that is wrong becomes a placeholder.
  mutating func element(
    _ value: Value, at path: Path, ofType implied: Text? = nil
  ) throws(CardError) -> Element? {
    try count(path)
    if case .string(let text) = value { return Element(content: .text(TextBlock(text: text))) }
    let outer = isFlawed
    isFlawed = false
    defer { isFlawed = outer }
    var fields = Fields(value.mapValue ?? Map(), at: path)
    do throws(CardError) {
      guard value.mapValue != nil else { throw .wrongKind(path, expected: .element) }
      var element = try element(&fields, ofType: implied)
      element?.isFlawed = isFlawed
      return element
    } catch {
      try leaveOut(error)
      let type = fields.map["type"]?.textValue ?? implied ?? ""
      return placeholder(&fields, type: type.isEmpty ? "element" : type)
    }
  }

  private mutating func element(
    _ fields: inout Fields, ofType implied: Text?
  ) throws(CardError) -> Element? {
    let type: Text =
      if let implied, fields.optional("type") == nil { implied } else { try fields.name("type") }
    if try !meetsRequirements(&fields) { return try fallback(&fields, type: type) }
    guard let content = try content(type, &fields) else {
      warnings.append(.unknownElement(type, fields.path))
      return try fallback(&fields, type: type)
    }
    var element = try element(&fields, content)
    element.list = try ListReading.list(type, element, &fields)
    finish(fields)
    return element
  }

  private mutating func element(
    _ fields: inout Fields, _ content: Element.Content
  ) throws(CardError) -> Element {
    var element = Element(content: content)
    // An input can't do without its id, which is the key of its value.
    if case .input = content {
      element.id = try id(&fields)
    } else {
      element.id = uniqueID(&fields)
    }
    element.isVisible = fields.boolean("isVisible", otherwise: true)
    element.spacing = fields.word("spacing", otherwise: .standard)
    element.hasSeparator = fields.boolean("separator")
    element.alignment = fields.optionalWord("horizontalAlignment")
    if content.isSelectable { element.selectAction = try selectAction(&fields) }
    fields.ignore("height")
    return element
  }

  /// Returns the fallback of an element: a placeholder if it names none, nil if it is to be
  /// dropped.
  private mutating func fallback(
    _ fields: inout Fields, type: Text
  ) throws(CardError) -> Element? {
    guard let value = fields.optional("fallback") else { return placeholder(&fields, type: type) }
    return value == "drop" ? nil : try element(value, at: fields.path("fallback"), ofType: type)
  }

  private mutating func placeholder(_ fields: inout Fields, type: Text) -> Element {
    Element(
      id: uniqueID(&fields), isVisible: fields.boolean("isVisible", otherwise: true),
      content: .placeholder(type: type))
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
  private mutating func id(_ fields: inout Fields) throws(CardError) -> Text? {
    guard let id = fields.optionalName("id") else { return nil }
    if let first = ids[id], first != fields.path {
      throw .duplicateID(id, fields.path("id"), first: first)
    }
    ids[id] = fields.path
    return id
  }

  /// Returns the id of an element or an action; nil if it has none, or if another one has it.
  mutating func uniqueID(_ fields: inout Fields) -> Text? {
    do throws(CardError) { return try id(&fields) } catch { fields.leaveOut(error) }
    return nil
  }

  mutating func count(_ path: Path) throws(CardError) {
    partCount += 1
    guard partCount <= Card.partCountMax else {
      throw .limitExceeded(.parts, max: Card.partCountMax, path)
    }
  }

  /// Warns about fields that were left out or never read.
  mutating func finish(_ fields: Fields) {
    for problem in fields.problems { warnings.append(.leftOut(problem)) }
    if !fields.problems.isEmpty { isFlawed = true }
    for path in fields.unknown {
      warnings.append(.unknownField(path, known: fields.knownNames))
    }
  }

  /// Warns about a part that is left out; the limits of the whole card stay errors.
  mutating func leaveOut(_ error: CardError) throws(CardError) {
    if case .limitExceeded = error { throw error }
    warnings.append(.leftOut(error))
    isFlawed = true
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
