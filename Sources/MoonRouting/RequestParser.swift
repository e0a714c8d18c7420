import MoonValues

/// Parses a URL (RFC 3986 appendix B) by the rules of ``RouteRequest``.
struct RequestParser {
  var scheme: Text?
  var query: [RouteRequest.QueryEntry] = []
  var path: [UInt8] = []

  private let bytes: [UInt8]
  private let options: RouteRequest.Options
  private var fragmentStart: Int?
  /// Whether nothing has to be escaped.
  private var isCanonical = true
  private var hostIsComponent = false

  init(_ bytes: [UInt8], _ options: RouteRequest.Options) {
    self.bytes = bytes
    self.options = options
  }

  mutating func parse() throws(RouteRequestError) {
    guard bytes.count <= RouteRequest.byteCountMax else {
      throw .tooLong(max: RouteRequest.byteCountMax)
    }
    try checkBytes()
    let end = fragmentStart ?? bytes.count
    var position = parseScheme(before: end)
    path.reserveCapacity(bytes.count + 8)
    if bytes[position..<end].starts(with: [.slash, .slash]) {
      position += 2
      let isDelimiter = { (byte: UInt8) in byte == .slash || byte == .question }
      let authorityEnd = bytes[position..<end].firstIndex(where: isDelimiter) ?? end
      try parseAuthority(position..<authorityEnd)
      position = authorityEnd
    }
    let mark = bytes[position..<end].firstIndex(of: .question)
    appendToPath(bytes[position..<(mark ?? end)])
    if let mark { try parseQuery((mark + 1)..<end) }
    if fragmentStart != nil { try parseFragment((end + 1)..<bytes.count) }
  }

  private mutating func checkBytes() throws(RouteRequestError) {
    var hasEscape = false
    for index in bytes.indices {
      let byte = bytes[index]
      if Self.isOrdinary(byte) { continue }
      if byte.needsEscape { isCanonical = false }
      if byte.isControl { throw .unexpectedByte(byte, offset: index) }
      if byte == .percent { hasEscape = true }
      if byte == .hash {
        if fragmentStart != nil { throw .unexpectedByte(byte, offset: index) }
        fragmentStart = index
      }
    }
    guard hasEscape else { return }
    if let wrong = PercentCoding.malformedEscape(in: bytes, bytes.indices) {
      throw .malformedEscape(offset: wrong)
    }
    if let wrong = PercentCoding.invalidUTF8(in: bytes, bytes.indices) {
      throw .invalidUTF8(offset: wrong)
    }
  }

  /// Whether a byte needs no check.
  ///
  /// Those that need one are a control character, a quotation mark, a space, one of `#%<>\^`{|}` or
  /// beyond ASCII.
  private static func isOrdinary(_ byte: UInt8) -> Bool {
    let low: UInt64 = 0xFFFF_FFFF | 1 << 32 | 1 << 34 | 1 << 35 | 1 << 37 | 1 << 60 | 1 << 62
    let high: UInt64 = 1 << 28 | 1 << 30 | 1 << 32 | 1 << 59 | 1 << 60 | 1 << 61 | 1 << 63
    let special = byte < 64 ? low : high
    return byte < 0x80 && special &>> UInt64(byte & 63) & 1 == 0
  }

  private mutating func appendToPath(_ part: ArraySlice<UInt8>) {
    if isCanonical {
      path.append(contentsOf: part)
    } else {
      PercentCoding.appendCanonical(part, to: &path)
    }
  }

  private mutating func parseScheme(before end: Int) -> Int {
    guard end > 0, bytes[0].isASCIILetter else { return 0 }
    var index = 1
    while index < end {
      let byte = bytes[index]
      if byte == .colon {
        scheme = Text(validUTF8: bytes[..<index])
        return index + 1
      }
      guard byte.isASCIIAlphanumeric || byte == .plus || byte == .hyphen || byte == .dot else {
        return 0
      }
      index += 1
    }
    return 0
  }

  private mutating func parseAuthority(_ range: Range<Int>) throws(RouteRequestError) {
    var range = range
    if let at = bytes[range].lastIndex(of: UInt8(ascii: "@")) {
      range = (at + 1)..<range.upperBound
    }
    let isBracketed = bytes[range].first == UInt8(ascii: "[")
    var hostEnd = range.upperBound
    let bracket = bytes[range].lastIndex(of: UInt8(ascii: "]")) ?? range.lowerBound
    if let colon = bytes[range].lastIndex(of: .colon), !isBracketed || colon > bracket {
      if let wrong = bytes[(colon + 1)..<range.upperBound].firstIndex(where: { !$0.isASCIIDigit }) {
        throw .invalidPort(offset: wrong)
      }
      hostEnd = colon
    }
    let host = bytes[range.lowerBound..<hostEnd]
    guard !host.isEmpty else { return }
    let isNetworkHost =
      isBracketed || host.contains(.dot) || host.elementsEqual("localhost".utf8)
    if options.host == .alwaysComponent || !isNetworkHost {
      hostIsComponent = true
      path.append(.slash)
      appendToPath(host)
      path.append(.slash)
    }
  }

  private mutating func parseQuery(_ range: Range<Int>) throws(RouteRequestError) {
    for entry in bytes[range].split(separator: UInt8(ascii: "&")) {
      guard let equals = entry.firstIndex(of: UInt8(ascii: "=")) else { continue }
      guard query.count < RouteRequest.queryCountMax else {
        throw .tooManyParameters(max: RouteRequest.queryCountMax)
      }
      query.append(
        RouteRequest.QueryEntry(
          name: PercentCoding.decode(entry[..<equals], plus: .kept),
          value: PercentCoding.decode(entry[(equals + 1)...], plus: options.plus)))
    }
  }

  private mutating func parseFragment(_ range: Range<Int>) throws(RouteRequestError) {
    let mark = bytes[range].firstIndex(of: .question)
    let fragmentPath = range.lowerBound..<(mark ?? range.upperBound)
    let entries = mark.map { ($0 + 1)..<range.upperBound } ?? fragmentPath
    // The first entry decides: with a value the fragment is parameters, without one a path.
    let first = bytes[entries].prefix { $0 != UInt8(ascii: "&") }
    let equals = first.firstIndex(of: UInt8(ascii: "="))
    let hasParameters = equals.map { $0 + 1 < first.endIndex } ?? false
    if hasParameters { try parseQuery(entries) }
    if !hasParameters || !bytes[fragmentPath].elementsEqual(bytes[entries]) {
      // After a host, a slash at the end of the path is insignificant, as it is without a fragment.
      if hostIsComponent { while path.last == .slash { path.removeLast() } }
      path.append(.hash)
      appendToPath(bytes[fragmentPath])
    }
  }
}
