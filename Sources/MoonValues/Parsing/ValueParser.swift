extension Value {
  /// Parses a JSON text (RFC 8259, strictly) as ``canonicalText`` writes it.
  ///
  /// Integers that don't fit 64 bits become doubles. Numbers too large for a double become
  /// infinity.
  ///
  /// - Throws: The first error, or that the bytes aren't UTF-8 anywhere.
  /// - Complexity: O(length), and O(n log n) for a map whose keys aren't in order.
  public init(parsing text: String, limits: ParseLimits = ParseLimits()) throws(ParseError) {
    self = try ContiguousArray(text.utf8).withUnsafeBufferPointer {
      bytes throws(ParseError) -> Value in
      try Value(parsing: bytes, limits: limits)
    }
  }

  /// Parses the bytes of a JSON text like ``init(parsing:limits:)-(String,_)``.
  ///
  /// - Throws: The first error, or that the bytes aren't UTF-8 anywhere.
  public init(parsing bytes: [UInt8], limits: ParseLimits = ParseLimits()) throws(ParseError) {
    self = try bytes.withUnsafeBufferPointer { bytes throws(ParseError) -> Value in
      try Value(parsing: bytes, limits: limits)
    }
  }

  /// Parses the bytes of a JSON text like ``init(parsing:limits:)-(String,_)``.
  ///
  /// - Throws: The first error, or that the bytes aren't UTF-8 anywhere.
  public init(
    parsing bytes: UnsafeBufferPointer<UInt8>, limits: ParseLimits = ParseLimits()
  ) throws(ParseError) {
    var parser = try ValueParser(bytes, limits)
    self = try parser.parseValue(depth: 0)
    try parser.parseEnd()
  }

  /// Parses one value at the front of a text, and returns it with the number of bytes read.
  ///
  /// White space before the value is counted. The text after it isn't read, so `1x` is 1.
  ///
  /// - Throws: The first error in the value, or that the text is too long.
  public static func parsingPrefix(
    of text: String, limits: ParseLimits = ParseLimits()
  ) throws(ParseError) -> (value: Value, byteCount: Int) {
    try ContiguousArray(text.utf8).withUnsafeBufferPointer {
      bytes throws(ParseError) -> (value: Value, byteCount: Int) in
      var parser = try ValueParser(bytes, limits)
      let value = try parser.parseValue(depth: 0)
      return (value, parser.offset)
    }
  }
}

/// A recursive-descent parser over bytes known to be UTF-8.
struct ValueParser {
  /// The number of parts of a map or list that memory is reserved for at first.
  private static let expectedCount = 8

  private(set) var offset = 0
  private let bytes: UnsafeBufferPointer<UInt8>
  private let limits: ParseLimits
  private var nodeCount = 0
  private var scratch: [UInt8] = []

  init(_ bytes: UnsafeBufferPointer<UInt8>, _ limits: ParseLimits) throws(ParseError) {
    self.bytes = bytes
    self.limits = limits
    if bytes.count > limits.byteCountMax {
      throw failure(.byteCountExceeded(max: limits.byteCountMax), at: max(0, limits.byteCountMax))
    }
    if let offset = UTF8Validation.invalidOffset(in: bytes) {
      throw failure(.invalidUTF8, at: offset)
    }
  }

  /// Parses a value after white space.
  mutating func parseValue(depth: Int) throws(ParseError) -> Value {
    let byte = try nextByte()
    nodeCount += 1
    if nodeCount > limits.nodeCountMax {
      throw failure(.nodeCountExceeded(max: limits.nodeCountMax), at: offset)
    }
    switch byte {
    case UInt8(ascii: "{"), UInt8(ascii: "["):
      let depthMax = min(limits.depthMax, Value.wrappedDepthMax)
      if depth >= depthMax { throw failure(.depthExceeded(max: depthMax), at: offset) }
      offset += 1
      return byte == UInt8(ascii: "{")
        ? .map(try parseMap(depth: depth + 1)) : .list(try parseList(depth: depth + 1))
    case UInt8(ascii: "\""):
      return try parseString { .string(Text(validUTF8: $0)) }
    case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"):
      return try parseNumber()
    case UInt8(ascii: "n"): return try parseWord("null", .null)
    case UInt8(ascii: "t"): return try parseWord("true", .bool(true))
    case UInt8(ascii: "f"): return try parseWord("false", .bool(false))
    default: throw failure(.unexpectedByte(byte), at: offset)
    }
  }

  /// Accepts white space up to the end.
  mutating func parseEnd() throws(ParseError) {
    skipWhitespace()
    if offset < bytes.count { throw failure(.trailingText, at: offset) }
  }

  /// Parses a quoted string at the offset and converts its bytes.
  mutating func parseString<R>(
    _ make: (UnsafeBufferPointer<UInt8>) -> R
  ) throws(ParseError) -> R {
    offset += 1
    let start = offset
    while offset < bytes.count {
      let byte = bytes[offset]
      if byte == UInt8(ascii: "\"") {
        let slice = UnsafeBufferPointer(rebasing: bytes[start..<offset])
        offset += 1
        return make(slice)
      }
      if byte == UInt8(ascii: "\\") {
        try unescape(from: start)
        return scratch.withUnsafeBufferPointer(make)
      }
      if byte < 0x20 { throw failure(.controlCharacter(byte), at: offset) }
      offset += 1
    }
    throw failure(.unexpectedEnd, at: offset)
  }

  private mutating func parseWord(_ word: StaticString, _ value: Value) throws(ParseError) -> Value
  {
    for index in 0..<word.utf8CodeUnitCount {
      guard offset < bytes.count else { throw failure(.unexpectedEnd, at: offset) }
      guard bytes[offset] == word.utf8Start[index] else {
        throw failure(.unexpectedByte(bytes[offset]), at: offset)
      }
      offset += 1
    }
    return value
  }

  private mutating func parseList(depth: Int) throws(ParseError) -> List {
    if try nextByte() == UInt8(ascii: "]") {
      offset += 1
      return List()
    }
    var values: [Value] = []
    values.reserveCapacity(Self.expectedCount)
    while true {
      values.append(try parseValue(depth: depth))
      if try parseSeparator(closing: UInt8(ascii: "]")) == .end {
        return values.withUnsafeBufferPointer { List($0) }
      }
    }
  }

  private mutating func parseMap(depth: Int) throws(ParseError) -> Map {
    if try nextByte() == UInt8(ascii: "}") {
      offset += 1
      return Map()
    }
    let start = offset
    var entries: [(key: Key, value: Value)] = []
    entries.reserveCapacity(Self.expectedCount)
    while true {
      let key = try parseKey()
      entries.append((key, try parseValue(depth: depth)))
      if try parseSeparator(closing: UInt8(ascii: "}")) == .end { break }
    }
    let isAscending = entries.indices.dropFirst().allSatisfy {
      entries[$0 - 1].key < entries[$0].key
    }
    if isAscending { return Map(uniqueSorted: entries) }
    let order = entries.indices.sorted {
      entries[$0].key == entries[$1].key ? $0 < $1 : entries[$0].key < entries[$1].key
    }
    // If several keys are repeated, the error is about the first repetition in the text.
    let repeated = order.indices.dropFirst().filter {
      entries[order[$0 - 1]].key == entries[order[$0]].key
    }
    if let index = repeated.map({ order[$0] }).min() {
      throw failure(
        .duplicateKey(entries[index].key), at: try offsetOfKey(index, from: start, depth))
    }
    return Map(uniqueSorted: order.map { entries[$0] })
  }

  /// Parses a key and the colon after it.
  private mutating func parseKey() throws(ParseError) -> Key {
    let byte = try nextByte()
    if byte != UInt8(ascii: "\"") { throw failure(.unexpectedByte(byte), at: offset) }
    let key = try parseString(BracketedKey.key(writtenAs:))
    let colon = try nextByte()
    if colon != UInt8(ascii: ":") { throw failure(.unexpectedByte(colon), at: offset) }
    offset += 1
    return key
  }

  /// Finds a key of a map again, whose entries begin at an offset and have been parsed.
  private func offsetOfKey(
    _ index: Int, from start: Int, _ depth: Int
  ) throws(ParseError) -> Int {
    var parser = self
    parser.offset = start
    parser.nodeCount = 0
    for _ in 0..<index {
      _ = try parser.parseKey()
      _ = try parser.parseValue(depth: depth)
      _ = try parser.parseSeparator(closing: UInt8(ascii: "}"))
    }
    _ = try parser.nextByte()
    return parser.offset
  }

  private enum Separator {
    case more
    case end
  }

  private mutating func parseSeparator(closing: UInt8) throws(ParseError) -> Separator {
    let byte = try nextByte()
    guard byte == closing || byte == UInt8(ascii: ",") else {
      throw failure(.unexpectedByte(byte), at: offset)
    }
    offset += 1
    return byte == closing ? .end : .more
  }

  /// The byte after white space, not consumed.
  private mutating func nextByte() throws(ParseError) -> UInt8 {
    skipWhitespace()
    guard offset < bytes.count else { throw failure(.unexpectedEnd, at: offset) }
    return bytes[offset]
  }

  private mutating func skipWhitespace() {
    while offset < bytes.count {
      switch bytes[offset] {
      case UInt8(ascii: " "), UInt8(ascii: "\n"), UInt8(ascii: "\r"), UInt8(ascii: "\t"):
        offset += 1
      default: return
      }
    }
  }

  private func failure(_ reason: ParseError.Reason, at offset: Int) -> ParseError {
    ParseError(reason, at: offset, in: bytes)
  }
}

// MARK: Numbers

extension ValueParser {
  private mutating func parseNumber() throws(ParseError) -> Value {
    let start = offset
    if bytes[offset] == UInt8(ascii: "-") { offset += 1 }
    let integerStart = offset
    try skipDigits(start)
    if bytes[integerStart] == UInt8(ascii: "0"), offset > integerStart + 1 {
      throw failure(.invalidNumber, at: start)
    }
    var isInteger = true
    if offset < bytes.count, bytes[offset] == UInt8(ascii: ".") {
      isInteger = false
      offset += 1
      try skipDigits(start)
    }
    if offset < bytes.count, bytes[offset] | 0x20 == UInt8(ascii: "e") {
      isInteger = false
      offset += 1
      if offset < bytes.count,
        bytes[offset] == UInt8(ascii: "+") || bytes[offset] == UInt8(ascii: "-")
      {
        offset += 1
      }
      try skipDigits(start)
    }
    if isInteger, let integer = integer(start..<offset) { return .int(integer) }
    let text = String(decoding: bytes[start..<offset], as: UTF8.self)
    // The standard library reads everything that the grammar above accepts, correctly rounded.
    guard let double = Double(text) else { throw failure(.invalidNumber, at: start) }
    return .double(double)
  }

  /// Passes at least one digit.
  private mutating func skipDigits(_ start: Int) throws(ParseError) {
    let first = offset
    while offset < bytes.count, bytes[offset] &- UInt8(ascii: "0") < 10 { offset += 1 }
    if offset == first { throw failure(.invalidNumber, at: start) }
  }

  /// The integer in the range; nil if it doesn't fit 64 bits.
  private func integer(_ range: Range<Int>) -> Int64? {
    let isNegative = bytes[range.lowerBound] == UInt8(ascii: "-")
    var result: Int64 = 0
    for index in (range.lowerBound + (isNegative ? 1 : 0))..<range.upperBound {
      let digit = Int64(bytes[index] - UInt8(ascii: "0"))
      let (product, overflow) = result.multipliedReportingOverflow(by: 10)
      let (sum, carry) = product.addingReportingOverflow(isNegative ? -digit : digit)
      if overflow || carry { return nil }
      result = sum
    }
    return result
  }
}

// MARK: Escapes

extension ValueParser {
  /// Reads a string with escapes, whose content begins at `start`, into the scratch buffer.
  private mutating func unescape(from start: Int) throws(ParseError) {
    scratch.removeAll(keepingCapacity: true)
    scratch.append(contentsOf: bytes[start..<offset])
    while offset < bytes.count {
      let byte = bytes[offset]
      if byte == UInt8(ascii: "\"") {
        offset += 1
        return
      }
      if byte == UInt8(ascii: "\\") {
        try parseEscape()
        continue
      }
      if byte < 0x20 { throw failure(.controlCharacter(byte), at: offset) }
      scratch.append(byte)
      offset += 1
    }
    throw failure(.unexpectedEnd, at: offset)
  }

  private mutating func parseEscape() throws(ParseError) {
    let start = offset
    guard start + 1 < bytes.count else { throw failure(.unexpectedEnd, at: bytes.count) }
    offset += 2
    switch bytes[start + 1] {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): scratch.append(bytes[start + 1])
    case UInt8(ascii: "b"): scratch.append(0x08)
    case UInt8(ascii: "f"): scratch.append(0x0C)
    case UInt8(ascii: "n"): scratch.append(0x0A)
    case UInt8(ascii: "r"): scratch.append(0x0D)
    case UInt8(ascii: "t"): scratch.append(0x09)
    case UInt8(ascii: "u"): try parseCodePoint(from: start)
    default: throw failure(.invalidEscape, at: start)
    }
  }

  private mutating func parseCodePoint(from start: Int) throws(ParseError) {
    var code = try parseHex(from: start)
    if code & 0xFC00 == 0xD800 {
      guard offset + 1 < bytes.count, bytes[offset] == UInt8(ascii: "\\"),
        bytes[offset + 1] == UInt8(ascii: "u")
      else { throw failure(.loneSurrogate, at: start) }
      offset += 2
      let low = try parseHex(from: offset - 2)
      guard low & 0xFC00 == 0xDC00 else { throw failure(.loneSurrogate, at: start) }
      code = 0x10000 + (code & 0x3FF) << 10 + (low & 0x3FF)
    }
    guard let scalar = Unicode.Scalar(code) else { throw failure(.loneSurrogate, at: start) }
    scratch.append(contentsOf: UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter)
  }

  private mutating func parseHex(from start: Int) throws(ParseError) -> UInt32 {
    var code: UInt32 = 0
    for _ in 0..<4 {
      guard offset < bytes.count else { throw failure(.unexpectedEnd, at: offset) }
      let byte = bytes[offset]
      let lower = byte | 0x20
      if byte &- UInt8(ascii: "0") < 10 {
        code = code << 4 | UInt32(byte - UInt8(ascii: "0"))
      } else if lower >= UInt8(ascii: "a"), lower <= UInt8(ascii: "f") {
        code = code << 4 | UInt32(lower - UInt8(ascii: "a") + 10)
      } else {
        throw failure(.invalidEscape, at: start)
      }
      offset += 1
    }
    return code
  }
}
