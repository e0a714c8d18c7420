extension Value {
  /// Parses a JSON text (RFC 8259, strictly) as ``canonicalText`` writes it.
  ///
  /// Integers that don't fit 64 bits become doubles. Numbers too large for a double become
  /// infinity.
  ///
  /// - Throws: The first error, or that the bytes aren't UTF-8 anywhere.
  /// - Complexity: O(length), and O(n log n) for a map whose keys aren't in order.
  package init(parsing text: String, limits: ParseLimits = ParseLimits()) throws(ParseError) {
    self = try ContiguousArray(text.utf8).withUnsafeBufferPointer {
      bytes throws(ParseError) -> Value in
      try Value(parsing: bytes, limits: limits)
    }
  }

  /// Parses the bytes of a JSON text like ``init(parsing:limits:)-(String,_)``.
  ///
  /// - Throws: The first error, or that the bytes aren't UTF-8 anywhere.
  package init(parsing bytes: [UInt8], limits: ParseLimits = ParseLimits()) throws(ParseError) {
    self = try bytes.withUnsafeBufferPointer { bytes throws(ParseError) -> Value in
      try Value(parsing: bytes, limits: limits)
    }
  }

  /// Parses the bytes of a JSON text like ``init(parsing:limits:)-(String,_)``.
  ///
  /// - Throws: The first error, or that the bytes aren't UTF-8 anywhere.
  package init(
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
  package static func parsingPrefix(
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
struct ValueParser: ~Copyable {
  let bytes: UnsafeBufferPointer<UInt8>
  var offset = 0
  /// The content of a string with escapes.
  var scratch: [UInt8] = []
  private let limits: ParseLimits
  private var nodeCount = 0
  private var items = ParsedItems()

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

  /// Begins in the middle of a text that was parsed before.
  private init(again other: borrowing ValueParser, at offset: Int) {
    bytes = other.bytes
    limits = other.limits
    self.offset = offset
  }

  /// Parses a value after white space.
  mutating func parseValue(depth: Int) throws(ParseError) -> Value {
    let byte = try nextByte()
    // There are no more values than bytes.
    nodeCount &+= 1
    if nodeCount > limits.nodeCountMax {
      throw failure(.nodeCountExceeded(max: limits.nodeCountMax), at: offset)
    }
    switch byte {
    case UInt8(ascii: "\""): return .string(try parseText())
    case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): return try parseNumber()
    case UInt8(ascii: "{"):
      try enter(depth)
      return .map(try parseMap(depth: depth &+ 1))
    case UInt8(ascii: "["):
      try enter(depth)
      return .list(try parseList(depth: depth &+ 1))
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

  /// Makes an error about a place.
  @inline(never)
  func failure(_ reason: ParseError.Reason, at offset: Int) -> ParseError {
    ParseError(reason, at: offset, in: bytes)
  }

  private mutating func parseWord(_ word: StaticString, _ value: Value) throws(ParseError) -> Value
  {
    for index in 0..<word.utf8CodeUnitCount {
      guard offset < bytes.count else { throw failure(.unexpectedEnd, at: offset) }
      guard bytes[offset] == word.utf8Start[index] else {
        throw failure(.unexpectedByte(bytes[offset]), at: offset)
      }
      offset &+= 1
    }
    return value
  }

  /// Passes the bracket that opens a list or map within others.
  private mutating func enter(_ depth: Int) throws(ParseError) {
    let depthMax = min(limits.depthMax, Value.wrappedDepthMax)
    if depth >= depthMax { throw failure(.depthExceeded(max: depthMax), at: offset) }
    offset &+= 1
  }

  private mutating func parseList(depth: Int) throws(ParseError) -> List {
    if try nextByte() == UInt8(ascii: "]") {
      offset &+= 1
      return List()
    }
    let mark = items.mark
    repeat {
      items.append(try parseValue(depth: depth))
    } while try parseSeparator(closing: UInt8(ascii: "]")) == .more
    return items.takeList(from: mark)
  }

  private mutating func parseMap(depth: Int) throws(ParseError) -> Map {
    if try nextByte() == UInt8(ascii: "}") {
      offset &+= 1
      return Map()
    }
    let start = offset
    let mark = items.mark
    var isAscending = true
    repeat {
      let isGreater = items.append(try parseKey(), after: mark)
      isAscending = isAscending && isGreater
      items.append(try parseValue(depth: depth))
    } while try parseSeparator(closing: UInt8(ascii: "}")) == .more
    if isAscending { return items.takeMap(from: mark) }
    return try map(sorting: items.takeEntries(from: mark), from: start, depth)
  }

  /// Makes a map of entries that don't ascend and begin at an offset.
  private func map(
    sorting entries: [(key: Key, value: Value)], from start: Int, _ depth: Int
  ) throws(ParseError) -> Map {
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
  private mutating func parseKey() throws(ParseError) -> PackedKey {
    let byte = try nextByte()
    if byte != UInt8(ascii: "\"") { throw failure(.unexpectedByte(byte), at: offset) }
    let key = try parseKeyText()
    let colon = try nextByte()
    if colon != UInt8(ascii: ":") { throw failure(.unexpectedByte(colon), at: offset) }
    offset &+= 1
    return key
  }

  /// Finds a key of a map again, whose entries begin at an offset and have been parsed.
  private func offsetOfKey(
    _ index: Int, from start: Int, _ depth: Int
  ) throws(ParseError) -> Int {
    var parser = ValueParser(again: self, at: start)
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
    offset &+= 1
    return byte == closing ? .end : .more
  }

  /// The byte after white space, not consumed.
  private mutating func nextByte() throws(ParseError) -> UInt8 {
    if offset < bytes.count, bytes[offset] > UInt8(ascii: " ") { return bytes[offset] }
    skipWhitespace()
    guard offset < bytes.count else { throw failure(.unexpectedEnd, at: offset) }
    return bytes[offset]
  }

  @inline(never)
  private mutating func skipWhitespace() {
    while offset < bytes.count {
      switch bytes[offset] {
      case UInt8(ascii: " "), UInt8(ascii: "\n"), UInt8(ascii: "\r"), UInt8(ascii: "\t"):
        offset &+= 1
      default: return
      }
    }
  }
}
