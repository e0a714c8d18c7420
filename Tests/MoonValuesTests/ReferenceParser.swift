import MoonValues

/// A plain parser of JSON texts, with the rules and errors of the real one.
///
/// It reads byte by byte and makes arrays of everything.
struct ReferenceParser {
  struct Failure: Error, Equatable {
    let reason: ParseError.Reason
    let offset: Int
  }

  private let bytes: [UInt8]
  private let limits: ParseLimits
  private var offset = 0
  private var nodeCount = 0

  /// Parses a whole text.
  static func parse(
    _ bytes: [UInt8], _ limits: ParseLimits = ParseLimits()
  ) -> Result<Value, Failure> {
    Result { () throws(Failure) in
      if bytes.count > limits.byteCountMax {
        throw Failure(
          reason: .byteCountExceeded(max: limits.byteCountMax), offset: limits.byteCountMax)
      }
      if let offset = invalidOffset(bytes) { throw Failure(reason: .invalidUTF8, offset: offset) }
      var parser = ReferenceParser(bytes: bytes, limits: limits)
      let value = try parser.value(depth: 0)
      parser.skipSpaces()
      if parser.offset < bytes.count { throw parser.failure(.trailingText) }
      return value
    }
  }

  private init(bytes: [UInt8], limits: ParseLimits) {
    self.bytes = bytes
    self.limits = limits
  }

  /// The offset of the first bytes that the standard library doesn't decode.
  private static func invalidOffset(_ bytes: [UInt8]) -> Int? {
    var offset = 0
    while offset < bytes.count {
      let length = (1...4).first { length in
        offset + length <= bytes.count
          && String(validating: bytes[offset..<(offset + length)], as: UTF8.self)?
            .unicodeScalars.count == 1
      }
      guard let length else { return offset }
      offset += length
    }
    return nil
  }

  private func failure(_ reason: ParseError.Reason, at place: Int? = nil) -> Failure {
    Failure(reason: reason, offset: place ?? offset)
  }

  private mutating func skipSpaces() {
    while offset < bytes.count, [0x20, 0x0A, 0x0D, 0x09].contains(bytes[offset]) { offset += 1 }
  }

  private func byte() throws(Failure) -> UInt8 {
    guard offset < bytes.count else { throw failure(.unexpectedEnd) }
    return bytes[offset]
  }

  private mutating func next() throws(Failure) -> Character {
    skipSpaces()
    return Character(Unicode.Scalar(try byte()))
  }

  private mutating func value(depth: Int) throws(Failure) -> Value {
    let sign = try next()
    nodeCount += 1
    if nodeCount > limits.nodeCountMax {
      throw failure(.nodeCountExceeded(max: limits.nodeCountMax))
    }
    switch sign {
    case "[", "{":
      if depth >= limits.depthMax { throw failure(.depthExceeded(max: limits.depthMax)) }
      offset += 1
      return sign == "[" ? try list(depth: depth + 1) : try map(depth: depth + 1)
    case "\"": return .string(Text(String(decoding: try string(), as: UTF8.self)))
    case "-", "0"..."9": return try number()
    case "n": return try word("null", .null)
    case "t": return try word("true", true)
    case "f": return try word("false", false)
    default: throw failure(.unexpectedByte(bytes[offset]))
    }
  }

  private mutating func word(_ text: String, _ value: Value) throws(Failure) -> Value {
    for expected in text.utf8 {
      guard try byte() == expected else { throw failure(.unexpectedByte(bytes[offset])) }
      offset += 1
    }
    return value
  }

  private mutating func list(depth: Int) throws(Failure) -> Value {
    var values: [Value] = []
    var isMore = try next() != "]"
    if !isMore { offset += 1 }
    while isMore {
      values.append(try value(depth: depth))
      isMore = try goesOn(until: "]")
    }
    return .list(List(values))
  }

  private mutating func map(depth: Int) throws(Failure) -> Value {
    var pairs: [(Key, Value)] = []
    var places: [Int] = []
    var isMore = try next() != "}"
    if !isMore { offset += 1 }
    while isMore {
      guard try next() == "\"" else { throw failure(.unexpectedByte(bytes[offset])) }
      places.append(offset)
      let key = key(String(decoding: try string(), as: UTF8.self))
      guard try next() == ":" else { throw failure(.unexpectedByte(bytes[offset])) }
      offset += 1
      pairs.append((key, try value(depth: depth)))
      isMore = try goesOn(until: "}")
    }
    for index in pairs.indices where pairs[..<index].contains(where: { $0.0 == pairs[index].0 }) {
      throw failure(.duplicateKey(pairs[index].0), at: places[index])
    }
    return .map(Map(pairs))
  }

  private func key(_ text: String) -> Key {
    guard text.utf8.first == UInt8(ascii: "["), text.utf8.last == UInt8(ascii: "]") else {
      return .string(Text(text))
    }
    let inner = String(decoding: text.utf8.dropFirst().dropLast(), as: UTF8.self)
    if let integer = Int64(inner), String(integer) == inner { return .int(integer) }
    let rest = inner.utf8.drop { $0 == UInt8(ascii: "[") }
    let digits = rest.first == UInt8(ascii: "-") ? rest.dropFirst() : rest
    let isEscaped =
      inner.utf8.first == UInt8(ascii: "[") && !digits.isEmpty
      && digits.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
    return .string(
      Text(isEscaped ? String(decoding: text.utf8.dropFirst(), as: UTF8.self) : text))
  }

  private mutating func goesOn(until close: Character) throws(Failure) -> Bool {
    let sign = try next()
    guard sign == close || sign == "," else { throw failure(.unexpectedByte(bytes[offset])) }
    offset += 1
    return sign == ","
  }

  // Expressions that are made once; making them takes longer than matching. They have no state.
  nonisolated(unsafe) private static let loose = /-?[0-9]+(\.[0-9]*)?([eE][+\-]?[0-9]*)?/
  nonisolated(unsafe) private static let strict =
    /-?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][+\-]?[0-9]+)?/

  private mutating func number() throws(Failure) -> Value {
    let start = offset
    let rest = String(
      decoding: bytes[start...].prefix { "0123456789+-.eE".utf8.contains($0) }, as: UTF8.self)
    guard let match = rest.prefixMatch(of: Self.loose),
      let number = match.0.wholeMatch(of: Self.strict)
    else { throw failure(.invalidNumber) }
    offset += number.0.utf8.count
    if number.2 == nil, number.3 == nil, let integer = Int64(number.0) { return .int(integer) }
    guard let double = Double(number.0) else { throw failure(.invalidNumber, at: start) }
    return .double(double)
  }
}

// MARK: Strings

extension ReferenceParser {
  private mutating func string() throws(Failure) -> [UInt8] {
    offset += 1
    var content: [UInt8] = []
    while true {
      let byte = try byte()
      switch byte {
      case UInt8(ascii: "\""):
        offset += 1
        return content
      case UInt8(ascii: "\\"): content += Array(String(try escape()).utf8)
      case 0..<0x20: throw failure(.controlCharacter(byte))
      default:
        content.append(byte)
        offset += 1
      }
    }
  }

  private mutating func escape() throws(Failure) -> Unicode.Scalar {
    let start = offset
    offset += 1
    let byte = try byte()
    offset += 1
    let plain: [Character: Unicode.Scalar] = [
      "\"": "\"", "\\": "\\", "/": "/", "b": "\u{8}", "f": "\u{C}", "n": "\n", "r": "\r",
      "t": "\t",
    ]
    if let scalar = plain[Character(Unicode.Scalar(byte))] { return scalar }
    guard byte == UInt8(ascii: "u") else { throw failure(.invalidEscape, at: start) }
    let high = try unit(start)
    if let scalar = Unicode.Scalar(high) { return scalar }
    guard high < 0xDC00, bytes[offset...].starts(with: "\\u".utf8) else {
      throw failure(.loneSurrogate, at: start)
    }
    offset += 2
    let low = try unit(offset - 2)
    let pair = String(decoding: [high, low], as: UTF16.self).unicodeScalars
    guard (0xDC00...0xDFFF).contains(low), let scalar = pair.first else {
      throw failure(.loneSurrogate, at: start)
    }
    return scalar
  }

  /// Reads four hexadecimal digits of the escape that begins at `start`.
  private mutating func unit(_ start: Int) throws(Failure) -> UInt16 {
    var unit: UInt16 = 0
    for _ in 0..<4 {
      guard let digit = Character(Unicode.Scalar(try byte())).hexDigitValue else {
        throw failure(.invalidEscape, at: start)
      }
      unit = unit << 4 | UInt16(digit)
      offset += 1
    }
    return unit
  }
}
