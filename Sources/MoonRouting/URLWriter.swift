package import MoonValues

/// Fills in a pattern's parameters.
struct URLWriter {
  private let pattern: RoutePattern
  private let plus: PlusRule
  private var rest: Map
  private var path: [UInt8] = []
  private var fragment: [UInt8]?

  init(_ pattern: RoutePattern, _ parameters: Map, plus: PlusRule) {
    self.pattern = pattern
    self.plus = plus
    rest = parameters
  }

  mutating func write() throws(RouteURLError) -> Text {
    let included = includedGroups
    let present = pattern.components.indices.filter {
      let group = pattern.components[$0].group
      return group < 0 || included.contains(group)
    }
    for index in present { try append(pattern.components[index]) }
    var url = prefix(of: present)
    url.append(contentsOf: path)
    try appendQuery(to: &url)
    if let fragment {
      url.append(.hash)
      url.append(contentsOf: fragment)
    }
    let text = Text(validUTF8: url[...])
    try check(text, present)
    return text
  }

  /// The groups that are present: those whose own parameters are all given, or that hold a present
  /// group.
  ///
  /// A group with neither is left out.
  private var includedGroups: Set<Int> {
    var included: Set<Int> = []
    for group in pattern.groupParents.indices.reversed() {
      let names: [Text] = pattern.components.filter { $0.group == group }.flatMap {
        component -> [Text] in
        switch component.kind {
        case .literal: []
        case .parameters(let parameters): parameters.map(\.name)
        case .wildcard: ["wildcard"]
        }
      }
      let isGiven = !names.isEmpty && names.allSatisfy { rest[.string($0)] != nil }
      if isGiven || included.contains(where: { pattern.groupParents[$0] == group }) {
        included.insert(group)
      }
    }
    return included
  }

  private mutating func append(_ component: RoutePattern.Component) throws(RouteURLError) {
    switch component.kind {
    case .literal(let text): text.withUTF8 { appendSegment($0) }
    case .parameters(let parameters):
      // A value that has a text which separates it from the next one is read back only if the text
      // is escaped there.
      let separators = Set(parameters.dropFirst().flatMap(\.prefix.bytes))
      var segment: [UInt8] = []
      for parameter in parameters {
        segment += parameter.prefix.bytes
        var value: [UInt8] = []
        PercentCoding.appendEncoded(try text(for: parameter), to: &value)
        PercentCoding.append(value, escaping: separators, to: &segment)
        segment += parameter.suffix.bytes
      }
      if parameters.contains(where: \.endsPath) { segment.append(.hash) }
      appendSegment(segment)
    case .wildcard: try appendWildcard()
    }
  }

  /// Takes the value of a parameter.
  private mutating func text(
    for parameter: RoutePattern.Parameter
  ) throws(RouteURLError) -> Text {
    guard let value = take(parameter.name) else {
      throw .missingParameter(parameter.name, pattern: pattern.text)
    }
    let text = try text(of: value, parameter.name)
    guard !text.isEmpty else {
      throw .emptyParameter(parameter.name, pattern: pattern.text)
    }
    guard text.withUTF8({ parameter.type.accepts($0) }) else {
      throw .wrongType(parameter.name, expected: parameter.type, pattern: pattern.text)
    }
    return text
  }

  private mutating func appendWildcard() throws(RouteURLError) {
    let items: List
    switch take("wildcard") {
    case nil: return
    case .list(let list): items = list
    case let item?: items = [item]
    }
    for item in items {
      guard let text = item.scalarText else {
        throw .unsupportedValue("wildcard", pattern: pattern.text)
      }
      guard !text.isEmpty else { throw .emptyParameter("wildcard", pattern: pattern.text) }
      var segment: [UInt8] = []
      PercentCoding.appendEncoded(text, to: &segment)
      appendSegment(segment)
    }
  }

  /// Appends a component to the path, or to the fragment once a `#` has begun it.
  private mutating func appendSegment(_ segment: some Collection<UInt8>) {
    if fragment != nil {
      fragment?.append(.slash)
      fragment?.append(contentsOf: segment)
      return
    }
    path.append(.slash)
    if let mark = segment.firstIndex(of: .hash) {
      path.append(contentsOf: segment[..<mark])
      fragment = Array(segment[segment.index(after: mark)...])
    } else {
      path.append(contentsOf: segment)
    }
  }

  private mutating func take(_ name: Text) -> Value? {
    defer { rest[.string(name)] = nil }
    return rest[.string(name)]
  }

  /// Returns the text of a scalar, which must be read back from the URL unchanged.
  private func text(of value: Value, _ name: Text) throws(RouteURLError) -> Text {
    guard let text = value.scalarText else {
      throw .unsupportedValue(name, pattern: pattern.text)
    }
    if plus == .everyPlusIsSpace, text.withUTF8({ $0.contains(.plus) }) {
      throw .plusInParameter(name, pattern: pattern.text)
    }
    return text
  }

  private mutating func appendQuery(to url: inout [UInt8]) throws(RouteURLError) {
    var mark = UInt8.question
    for (key, value) in rest {
      let name = Text(key.description)
      let items: List = if case .list(let list) = value { list } else { [value] }
      for item in items {
        let text = try text(of: item, name)
        url.append(mark)
        mark = UInt8(ascii: "&")
        PercentCoding.appendEncoded(name, to: &url)
        url.append(UInt8(ascii: "="))
        PercentCoding.appendEncoded(text, to: &url)
      }
    }
  }

  /// Returns the part before the path: nothing, or the scheme, with the path's first component as
  /// the host if it is read back as a component.
  private mutating func prefix(of present: [Int]) -> [UInt8] {
    guard let scheme = pattern.scheme else {
      if path.isEmpty { path.append(.slash) }
      return []
    }
    let start = scheme.bytes + [.colon, .slash]
    // After a host, a `#` that begins a component would be read as part of the one before.
    let hidesHash = fragment != nil && path.last == .slash
    if !hidesHash, let first = present.first,
      case .literal(let text) = pattern.components[first].kind, text != "localhost",
      text.withUTF8({ $0.allSatisfy { $0.isASCIIAlphanumeric || $0 == .hyphen } })
    {
      return start
    }
    return start + [.slash] + (path.isEmpty ? [.slash] : [])
  }

  /// Checks that the URL, parsed again, matches the intended variant.
  private func check(_ url: Text, _ present: [Int]) throws(RouteURLError) {
    let options = RouteRequest.Options(plus: plus)
    guard let request = try? RouteRequest(parsing: url, options: options) else {
      throw .tooLong(pattern: pattern.text)
    }
    guard !pattern.groupParents.isEmpty else { return }
    let table = RouteTable(TrieBuild([RouteEntry(pattern, owner: "", id: 0)], closedSchemes: []))
    guard let match = table.firstMatch(request),
      pattern.variants[match.ordinal].components == present
    else { throw .ambiguousGroups(pattern: pattern.text) }
  }
}

extension Value {
  /// The text of a scalar in a URL; nil for null, lists and maps.
  ///
  /// An exponent has no `+`, as that may mean a space.
  var scalarText: Text? {
    switch self {
    case .bool, .int: Text(canonicalText)
    case .double: Text(canonicalText.filter { $0 != "+" })
    case .string(let text): text
    case .null, .list, .map: nil
    }
  }
}

extension RouteMatch {
  /// The index of the variant that matched.
  var ordinal: Int { Int(trie.variants[Int(variant)].ordinal) }
}

extension RoutePattern {
  /// Makes a URL that the pattern matches.
  ///
  /// Parameters are percent-encoded. A group is present if all parameters directly in it are given,
  /// or a group within it is present. The components for a `*` are taken from `wildcard`, a list of
  /// texts. Other parameters become the query, with lists as repeated names. Parsing the URL with
  /// the same rule for `+` gives the parameters back, as texts unless they have a type.
  ///
  /// - Throws: ``RouteURLError``.
  package func url(
    _ parameters: Map, plus: PlusRule = .everyPlusIsSpace
  ) throws(RouteURLError) -> Text {
    var writer = URLWriter(self, parameters, plus: plus)
    return try writer.write()
  }
}

extension RouteTable {
  /// Makes the URL of the route with a name, as ``RoutePattern/url(_:plus:)`` does.
  ///
  /// Among several routes with the name, the first by priority, owner and text is used.
  ///
  /// - Throws: ``RouteURLError``.
  package func url(
    for name: Text, _ parameters: Map = Map(), plus: PlusRule = .everyPlusIsSpace
  ) throws(RouteURLError) -> Text {
    guard let index = trie.names[name] else { throw .unknownRoute(name) }
    return try trie.route(Int(index)).pattern.url(parameters, plus: plus)
  }
}
