import MoonValues

/// Parses a URL (RFC 3986 appendix B) by the rules of ``RouteRequest``.
struct RequestParser: ~Copyable {
  private(set) var scheme: Text?
  /// Nil for none: an empty array would be retained again and again.
  private(set) var query: [RouteRequest.QueryEntry]?
  /// Where the path stands in the URL, unless it is ``written`` anew.
  private(set) var pathRange = 0..<0
  /// The path, if something has to be escaped, or host or fragment add to it.
  private(set) var written: [UInt8]?

  private let bytes: UnsafeBufferPointer<UInt8>
  private let options: RouteRequest.Options
  private var fragmentStart: Int?
  private var hasQuestion = false
  /// Whether nothing has to be escaped.
  private var isCanonical = true
  private var hostIsComponent = false

  /// Takes the bytes of a valid text, which must outlive the parser.
  init(_ bytes: UnsafeBufferPointer<UInt8>, _ options: RouteRequest.Options) {
    self.bytes = bytes
    self.options = options
  }

  mutating func parse() throws(RouteRequestError) {
    guard bytes.count <= RouteRequest.byteCountMax else {
      throw .tooLong(max: RouteRequest.byteCountMax)
    }
    try checkBytes()
    let end = fragmentStart ?? bytes.count
    var start = parseScheme(before: end)
    var host: Range<Int>?
    if end - start >= 2, bytes[start] == .slash, bytes[start + 1] == .slash {
      let isDelimiter = { (byte: UInt8) in byte == .slash || byte == .question }
      let authorityEnd = bytes[(start + 2)..<end].firstIndex(where: isDelimiter) ?? end
      host = try parseAuthority((start + 2)..<authorityEnd)
      start = authorityEnd
    }
    let mark = hasQuestion ? bytes[start..<end].firstIndex(of: .question) : nil
    let pathEnd = mark ?? end
    if isCanonical, fragmentStart == nil, host == nil || host?.upperBound == start {
      pathRange = (host?.lowerBound ?? start)..<pathEnd
      if let mark { try parseQuery((mark + 1)..<end) }
      return
    }
    written = []
    written?.reserveCapacity(bytes.count + 8)
    if let host {
      hostIsComponent = true
      written?.append(.slash)
      appendToPath(bytes[host])
      written?.append(.slash)
    }
    appendToPath(bytes[start..<pathEnd])
    if let mark { try parseQuery((mark + 1)..<end) }
    if fragmentStart != nil { try parseFragment((end + 1)..<bytes.count) }
  }

  private mutating func checkBytes() throws(RouteRequestError) {
    guard let start = bytes.baseAddress else { return }
    var hasEscape = false
    var questions: UInt64 = 0
    var index = 0
    // The last block overlaps the one before it.
    let lastBlock = bytes.count &- ByteBlock.count
    while index < bytes.count {
      if lastBlock >= 0 {
        let block = ByteBlock(start, at: min(index, lastBlock))
        if block.isOrdinary {
          questions |= block.questions
          index &+= ByteBlock.count
          continue
        }
      }
      let byte = bytes[index]
      if byte == .question { questions = 1 }
      if byte.needsEscape { isCanonical = false }
      if byte.isControl { throw .unexpectedByte(byte, offset: index) }
      if byte == .percent { hasEscape = true }
      if byte == .hash {
        if fragmentStart != nil { throw .unexpectedByte(byte, offset: index) }
        fragmentStart = index
      }
      index &+= 1
    }
    hasQuestion = questions != 0
    guard hasEscape else { return }
    if let wrong = PercentCoding.malformedEscape(in: bytes, bytes.indices) {
      throw .malformedEscape(offset: wrong)
    }
    if let wrong = PercentCoding.invalidUTF8(in: bytes, bytes.indices) {
      throw .invalidUTF8(offset: wrong)
    }
  }

  private mutating func appendToPath(_ part: Slice<UnsafeBufferPointer<UInt8>>) {
    written?.append(contentsOf: isCanonical ? Array(part) : PercentCoding.canonical(part))
  }

  private mutating func parseScheme(before end: Int) -> Int {
    guard end > 0, bytes[0].isASCIILetter else { return 0 }
    var index = 1
    while index < end {
      let byte = bytes[index]
      if byte == .colon {
        scheme = Text(validUTF8: bytes.slice(0..<index))
        return index + 1
      }
      guard byte.isASCIIAlphanumeric || byte == .plus || byte == .hyphen || byte == .dot else {
        return 0
      }
      index += 1
    }
    return 0
  }

  /// Returns the host if it is a component of the path.
  private func parseAuthority(_ range: Range<Int>) throws(RouteRequestError) -> Range<Int>? {
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
    guard !host.isEmpty else { return nil }
    let isNetworkHost =
      isBracketed || host.contains(.dot) || host.elementsEqual("localhost".utf8)
    return options.host == .alwaysComponent || !isNetworkHost ? range.lowerBound..<hostEnd : nil
  }

  private mutating func parseQuery(_ range: Range<Int>) throws(RouteRequestError) {
    for entry in bytes[range].split(separator: UInt8(ascii: "&")) {
      guard let equals = entry.firstIndex(of: UInt8(ascii: "=")) else { continue }
      guard (query?.count ?? 0) < RouteRequest.queryCountMax else {
        throw .tooManyParameters(max: RouteRequest.queryCountMax)
      }
      query = query ?? []
      query?.append(
        RouteRequest.QueryEntry(
          name: PercentCoding.decode(
            UnsafeBufferPointer(rebasing: entry[..<equals]), plus: .kept),
          value: PercentCoding.decode(
            UnsafeBufferPointer(rebasing: entry[(equals + 1)...]), plus: options.plus)))
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
      if hostIsComponent { while written?.last == .slash { written?.removeLast() } }
      written?.append(.hash)
      appendToPath(bytes[fragmentPath])
    }
  }
}
