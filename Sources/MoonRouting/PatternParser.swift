import MoonValues

/// Parses a pattern's text into components and groups; the grammar is ``RoutePattern``'s.
struct PatternParser {
  var scheme: Text?
  var components: [RoutePattern.Component] = []
  var groupParents: [Int] = []

  private let bytes: [UInt8]
  private var position = 0
  /// The open groups, outermost first, each with the place of its bracket and the number of
  /// components and groups before it.
  private var open: [(group: Int, position: Int, componentCount: Int)] = []
  /// The number of parameters that aren't the first of their component.
  private var extraCount = 0
  private var fragmentPosition: Int?
  /// The column of the `#`; nil if there is none.
  var fragmentColumn: Int? { fragmentPosition.map(column) }

  init(_ text: Text) {
    bytes = text.bytes
  }

  mutating func parse() throws(RoutePatternError) {
    guard bytes.count <= RoutePattern.byteCountMax else {
      throw .tooLong(max: RoutePattern.byteCountMax)
    }
    try parseScheme()
    while position < bytes.count {
      switch bytes[position] {
      case .slash: position += 1
      case UInt8(ascii: "("): try openGroup()
      case UInt8(ascii: ")"): try closeGroup()
      default: try parseComponent()
      }
    }
    if let unclosed = open.last { throw .unclosedGroup(column: column(unclosed.position)) }
    guard VariantCount.count(groupParents) <= RoutePattern.variantCountMax else {
      throw .tooManyVariants(max: RoutePattern.variantCountMax)
    }
    try checkNames()
  }

  private mutating func parseScheme() throws(RoutePatternError) {
    guard let first = bytes.first, first.isASCIILetter else { return }
    let end =
      bytes.firstIndex {
        !($0.isASCIIAlphanumeric || $0 == .plus || $0 == .hyphen || $0 == .dot)
      } ?? bytes.count
    guard bytes[end...].starts(with: [.colon, .slash, .slash]) else { return }
    scheme = Text(validUTF8: bytes[..<end])
    position = end + 3
    if RoutePattern.isHost(bytes[position...]) {
      throw .hostInPattern(column: column(position))
    }
  }

  private mutating func openGroup() throws(RoutePatternError) {
    guard groupParents.count < RoutePattern.groupCountMax else {
      throw .tooManyGroups(max: RoutePattern.groupCountMax, column: column(position))
    }
    open.append((groupParents.count, position, components.count))
    groupParents.append(open.count > 1 ? open[open.count - 2].group : -1)
    position += 1
  }

  private mutating func closeGroup() throws(RoutePatternError) {
    guard let last = open.popLast() else {
      throw .unopenedGroup(column: column(position))
    }
    guard components.count > last.componentCount else {
      throw .emptyGroup(column: column(last.position))
    }
    position += 1
  }

  private mutating func parseComponent() throws(RoutePatternError) {
    let start = position
    let end =
      bytes[start...].firstIndex {
        $0 == .slash || $0 == UInt8(ascii: "(") || $0 == UInt8(ascii: ")")
      } ?? bytes.count
    try checkCount(at: start)
    if let last = components.last, last.kind == .wildcard {
      throw .wildcardNotLast(column: column(last.source.lowerBound))
    }
    try checkBytes(start..<end)
    let kind: RoutePattern.Component.Kind
    switch bytes[start] {
    case UInt8(ascii: "*"):
      guard end == start + 1 else { throw .wildcardWithText(column: column(start)) }
      kind = .wildcard
    default: kind = try parseParts(start..<end)
    }
    components.append(
      RoutePattern.Component(kind: kind, group: open.last?.group ?? -1, source: start..<end))
    position = end
  }

  /// Parses a component that isn't a wildcard: a literal, or parameters with the texts around them.
  private mutating func parseParts(
    _ range: Range<Int>
  ) throws(RoutePatternError) -> RoutePattern.Component.Kind {
    let endsPath = bytes[range.upperBound - 1] == .hash
    let end = endsPath ? range.upperBound - 1 : range.upperBound
    var parameters: [RoutePattern.Parameter] = []
    var text: [UInt8] = []
    var index = range.lowerBound
    if index + 1 == end, bytes[index] == .colon {
      return .parameters([
        RoutePattern.Parameter(name: ":", type: .text, prefix: "", suffix: "", endsPath: endsPath)
      ])
    }
    while index < end {
      guard bytes[index] == .colon else {
        text.append(bytes[index])
        index += 1
        continue
      }
      if index + 1 < end, bytes[index + 1] == .colon {
        text.append(.colon)
        index += 2
        continue
      }
      let colon = index
      let name = name(after: colon, before: end)
      guard !name.isEmpty else { throw .emptyName(column: column(colon)) }
      index = name.upperBound
      let type = try parseType(&index, before: end)
      if !parameters.isEmpty {
        guard !text.isEmpty else { throw .adjacentParameters(column: column(colon)) }
        extraCount += 1
        try checkCount(at: colon)
      }
      parameters.append(
        RoutePattern.Parameter(
          name: Text(validUTF8: bytes[name]), type: type, prefix: canonical(text), suffix: "",
          endsPath: endsPath))
      text = []
    }
    guard !parameters.isEmpty else {
      return .literal(canonical(text + (endsPath ? [.hash] : [])))
    }
    parameters[parameters.count - 1].suffix = canonical(text)
    return .parameters(parameters)
  }

  /// Returns the place of a parameter's name, without hyphens that stand before another colon.
  private func name(after colon: Int, before end: Int) -> Range<Int> {
    let start = colon + 1
    var nameEnd = bytes[start..<end].firstIndex { !Self.isNameByte($0) } ?? end
    if nameEnd < end, bytes[nameEnd] == .colon {
      while nameEnd > start, bytes[nameEnd - 1] == .hyphen { nameEnd -= 1 }
    }
    return start..<nameEnd
  }

  private func parseType(
    _ index: inout Int, before end: Int
  ) throws(RoutePatternError) -> ParameterType {
    guard index < end, bytes[index] == UInt8(ascii: "<") else { return .text }
    guard let close = bytes[index..<end].firstIndex(of: UInt8(ascii: ">")) else {
      throw .unclosedType(column: column(index))
    }
    let written = Text(validUTF8: bytes[(index + 1)..<close])
    guard let type = ParameterType(named: written) else {
      throw .unknownType(written, column: column(index + 1))
    }
    index = close + 1
    return type
  }

  private func checkCount(at place: Int) throws(RoutePatternError) {
    guard components.count + extraCount < RoutePattern.componentCountMax else {
      throw .tooManyComponents(max: RoutePattern.componentCountMax, column: column(place))
    }
  }

  /// Rejects bytes that no component can have, and records where the fragment begins.
  private mutating func checkBytes(_ range: Range<Int>) throws(RoutePatternError) {
    for index in range {
      let byte = bytes[index]
      if byte.isControl { throw .unexpectedByte(byte, column: column(index)) }
      if byte == .question { throw .queryInPattern(column: column(index)) }
      if byte == .hash {
        guard fragmentPosition == nil else { throw .secondFragment(column: column(index)) }
        fragmentPosition = index
      }
    }
    if let wrong = bytes.withUnsafeBufferPointer({ PercentCoding.malformedEscape(in: $0, range) }) {
      throw .malformedEscape(column: column(wrong))
    }
    if let wrong = bytes.withUnsafeBufferPointer({ PercentCoding.invalidUTF8(in: $0, range) }) {
      throw .invalidUTF8(column: column(wrong))
    }
  }

  private func checkNames() throws(RoutePatternError) {
    var names: Set<Text> = components.last?.kind == .wildcard ? ["wildcard"] : []
    for component in components {
      guard case .parameters(let parameters) = component.kind else { continue }
      for parameter in parameters where !names.insert(parameter.name).inserted {
        throw .duplicateName(parameter.name, column: column(component.source.lowerBound))
      }
    }
  }

  private func canonical(_ text: [UInt8]) -> Text {
    var result: [UInt8] = []
    PercentCoding.appendCanonical(text, to: &result)
    return Text(validUTF8: result[...])
  }

  private func column(_ offset: Int) -> Int {
    bytes[..<offset].count { $0 & 0xC0 != 0x80 } + 1
  }

  private static func isNameByte(_ byte: UInt8) -> Bool {
    byte.isASCIIAlphanumeric || byte == .underscore || byte == .hyphen || byte >= 0x80
  }
}
