import MoonValues

/// The places of the parts of a URL (RFC 3986 appendix B), by the rules of ``RouteRequest``.
///
/// It holds only places, which need neither memory nor reference counting.
struct URLParts {
  /// The place of the scheme; empty if there is none.
  private(set) var scheme = 0..<0
  /// The place of the path in the URL, if the path is there unchanged: nothing has to be escaped,
  /// and neither host nor fragment is added to it.
  private(set) var wholePath: Range<Int>?
  /// Whether there may be entries of a query or of a fragment.
  var hasEntries: Bool { query != nil || fragmentEntries != nil }

  /// The place of the host if it is a component of the path.
  private(set) var host: Range<Int>?
  private var path = 0..<0
  private var query: Range<Int>?
  /// The part of a fragment that continues the path.
  private var fragmentPath: Range<Int>?
  /// The part of a fragment that adds to the query.
  private var fragmentEntries: Range<Int>?
  /// Whether nothing has to be escaped.
  private var isCanonical = true

  /// Finds the parts of the bytes of a valid text, and checks that they form a URL.
  ///
  /// - Throws: ``RouteRequestError`` with the offset of the problem.
  @inline(__always)
  init(
    _ bytes: UnsafeBufferPointer<UInt8>, _ options: RouteRequest.Options
  ) throws(RouteRequestError) {
    guard bytes.count <= RouteRequest.byteCountMax else {
      throw .tooLong(max: RouteRequest.byteCountMax)
    }
    var end = bytes.count
    let all = URLBytes(bytes)
    if !all.areUsual {
      let each = try Self.checkEach(bytes)
      isCanonical = each.isCanonical
      end = each.hash ?? end
    }
    var start = Self.schemeEnd(bytes, before: end)
    if start > 0 {
      scheme = 0..<start
      start += 1
    }
    if end - start >= 2, bytes[start] == .slash, bytes[start + 1] == .slash {
      let isDelimiter = { (byte: UInt8) in byte == .slash || byte == .question }
      let authorityEnd = bytes[(start + 2)..<end].firstIndex(where: isDelimiter) ?? end
      host = try Self.host(bytes, (start + 2)..<authorityEnd, options.host)
      start = authorityEnd
    }
    path = start..<end
    if all.haveQuestion || !all.areUsual, let mark = bytes[path].firstIndex(of: .question) {
      path = start..<mark
      query = (mark + 1)..<end
    }
    if end < bytes.count {
      (fragmentPath, fragmentEntries) = Self.divideFragment(bytes, (end + 1)..<bytes.count)
    }
    if isCanonical, end == bytes.count, host == nil || host?.upperBound == path.lowerBound {
      wholePath = (host?.lowerBound ?? path.lowerBound)..<path.upperBound
    }
  }

  /// Checks the bytes one by one; returns whether nothing has to be escaped, and the place of the
  /// `#`.
  @inline(never)
  private static func checkEach(
    _ bytes: UnsafeBufferPointer<UInt8>
  ) throws(RouteRequestError) -> (isCanonical: Bool, hash: Int?) {
    var isCanonical = true
    var hasEscape = false
    var hash: Int?
    for index in bytes.indices {
      let byte = bytes[index]
      if byte.needsEscape { isCanonical = false }
      if byte.isControl { throw .unexpectedByte(byte, offset: index) }
      if byte == .percent { hasEscape = true }
      if byte == .hash {
        if hash != nil { throw .unexpectedByte(byte, offset: index) }
        hash = index
      }
    }
    guard hasEscape else { return (isCanonical, hash) }
    if let wrong = PercentCoding.malformedEscape(in: bytes, bytes.indices) {
      throw .malformedEscape(offset: wrong)
    }
    if let wrong = PercentCoding.invalidUTF8(in: bytes, bytes.indices) {
      throw .invalidUTF8(offset: wrong)
    }
    return (isCanonical, hash)
  }

  /// Returns the place of the colon that ends the scheme; 0 if there is none.
  private static func schemeEnd(_ bytes: UnsafeBufferPointer<UInt8>, before end: Int) -> Int {
    guard end > 0, bytes[0].isASCIILetter else { return 0 }
    for index in 1..<end {
      let byte = bytes[index]
      if byte == .colon { return index }
      guard byte.isASCIIAlphanumeric || byte == .plus || byte == .hyphen || byte == .dot else {
        return 0
      }
    }
    return 0
  }

  /// Returns the host in an authority if it is a component of the path.
  private static func host(
    _ bytes: UnsafeBufferPointer<UInt8>, _ authority: Range<Int>, _ rule: RouteRequest.HostRule
  ) throws(RouteRequestError) -> Range<Int>? {
    var range = authority
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
    return rule == .alwaysComponent || !isNetworkHost ? range.lowerBound..<hostEnd : nil
  }

  /// Returns the parts of a fragment that add to the path and to the query.
  private static func divideFragment(
    _ bytes: UnsafeBufferPointer<UInt8>, _ range: Range<Int>
  ) -> (path: Range<Int>?, entries: Range<Int>?) {
    let mark = bytes[range].firstIndex(of: .question)
    let path = range.lowerBound..<(mark ?? range.upperBound)
    let entries = mark.map { ($0 + 1)..<range.upperBound } ?? path
    guard FragmentRule.isParameters(bytes[entries]) else { return (path, nil) }
    return (bytes[path].elementsEqual(bytes[entries]) ? nil : path, entries)
  }
}

extension URLParts {
  /// Decodes the entries of the query and the fragment; nil for none, since an empty array would be
  /// retained repeatedly.
  ///
  /// - Throws: ``RouteRequestError/tooManyParameters(max:)``.
  func entries(
    _ bytes: UnsafeBufferPointer<UInt8>, _ plus: PlusRule
  ) throws(RouteRequestError) -> [RouteRequest.QueryEntry]? {
    var entries: [RouteRequest.QueryEntry] = []
    for part in [query, fragmentEntries] {
      guard var start = part?.lowerBound, let end = part?.upperBound else { continue }
      while start < end {
        let entry = start..<(bytes[start..<end].firstIndex(of: .ampersand) ?? end)
        start = entry.upperBound + 1
        guard let equals = bytes[entry].firstIndex(of: .equals) else { continue }
        guard entries.count < RouteRequest.queryCountMax else {
          throw .tooManyParameters(max: RouteRequest.queryCountMax)
        }
        entries.append(
          RouteRequest.QueryEntry(
            name: PercentCoding.decode(bytes.slice(entry.lowerBound..<equals), plus: .kept),
            value: PercentCoding.decode(bytes.slice((equals + 1)..<entry.upperBound), plus: plus)))
      }
    }
    return entries.isEmpty ? nil : entries
  }

  /// Returns the path with the additions of host and fragment, escaped where necessary.
  func writtenPath(_ bytes: UnsafeBufferPointer<UInt8>) -> [UInt8] {
    var written: [UInt8] = []
    written.reserveCapacity(bytes.count + 8)
    func append(_ part: Range<Int>) {
      if isCanonical {
        written.append(contentsOf: bytes[part])
      } else {
        PercentCoding.appendCanonical(bytes[part], to: &written)
      }
    }
    if let host {
      written.append(.slash)
      append(host)
      written.append(.slash)
    }
    append(path)
    if let fragmentPath {
      // After a host, a slash at the end of the path is insignificant, as it is without a fragment.
      if host != nil { while written.last == .slash { written.removeLast() } }
      written.append(.hash)
      append(fragmentPath)
    }
    return written
  }
}
