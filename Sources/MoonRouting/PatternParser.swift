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
    guard components.count < RoutePattern.componentCountMax else {
      throw .tooManyComponents(max: RoutePattern.componentCountMax, column: column(start))
    }
    if let last = components.last, last.kind == .wildcard {
      throw .wildcardNotLast(column: column(last.source.lowerBound))
    }
    try checkBytes(start..<end)
    let kind: RoutePattern.Component.Kind
    switch bytes[start] {
    case .colon: kind = .parameter(try parseParameter(start..<end))
    case UInt8(ascii: "*"):
      guard end == start + 1 else { throw .wildcardWithText(column: column(start)) }
      kind = .wildcard
    default: kind = .literal(canonical(start..<end))
    }
    components.append(
      RoutePattern.Component(kind: kind, group: open.last?.group ?? -1, source: start..<end))
    position = end
  }

  private func parseParameter(
    _ range: Range<Int>
  ) throws(RoutePatternError) -> RoutePattern.Parameter {
    var end = range.upperBound
    let endsPath = bytes[end - 1] == .hash
    if endsPath { end -= 1 }
    let nameStart = range.lowerBound + 1
    if nameStart == end {
      return RoutePattern.Parameter(name: ":", type: .text, suffix: "", endsPath: endsPath)
    }
    var index = bytes[nameStart..<end].firstIndex { !Self.isNameByte($0) } ?? end
    let name = nameStart..<index
    var type = ParameterType.text
    if index < end, bytes[index] == UInt8(ascii: "<") {
      guard let close = bytes[index..<end].firstIndex(of: UInt8(ascii: ">")) else {
        throw .unclosedType(column: column(index))
      }
      let written = Text(validUTF8: bytes[(index + 1)..<close])
      guard let known = ParameterType(named: written) else {
        throw .unknownType(written, column: column(index + 1))
      }
      type = known
      index = close + 1
    }
    guard index == end || bytes[index] == .dot else { throw .invalidName(column: column(index)) }
    guard !name.isEmpty else { throw .emptyName(column: column(range.lowerBound)) }
    return RoutePattern.Parameter(
      name: Text(validUTF8: bytes[name]), type: type, suffix: canonical(index..<end),
      endsPath: endsPath)
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
      guard case .parameter(let parameter) = component.kind else { continue }
      guard names.insert(parameter.name).inserted else {
        throw .duplicateName(
          parameter.name, column: column(component.source.lowerBound))
      }
    }
  }

  private func canonical(_ range: Range<Int>) -> Text {
    var result: [UInt8] = []
    PercentCoding.appendCanonical(bytes[range], to: &result)
    return Text(validUTF8: result[...])
  }

  private func column(_ offset: Int) -> Int {
    bytes[..<offset].count { $0 & 0xC0 != 0x80 } + 1
  }

  private static func isNameByte(_ byte: UInt8) -> Bool {
    byte.isASCIIAlphanumeric || byte == .underscore || byte == .hyphen || byte >= 0x80
  }
}
