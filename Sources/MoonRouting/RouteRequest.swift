public import MoonValues

/// A parsed and checked URL.
///
/// The rules are JLRoutes' and apply to bytes:
///
/// - A host is the first component of the path unless it has a dot or is `localhost` or bracketed,
///   which leaves it out; user and port never count.
/// - Components are told apart before they are decoded, so `%2F` doesn't separate. Empty ones are
///   left out wherever they stand.
/// - A query entry without `=` is left out; a repeated name makes a list.
/// - A fragment with `name=value` as its first entry gives parameters, one with a path continues
///   the URL's path after a `#`: `a#k=v`, `a#/b`, `a#/b?k=v`. The `#` belongs to the component
///   before it, or begins one of its own after a slash: `/a/#/b` has three. Only where the host is
///   a component, `app://h/a/#/b` is `app://h/a#/b`.
/// - What a URL can't hold as it is, spaces and non-ASCII characters, counts as percent-encoded.
public struct RouteRequest: Sendable {
  /// The maximum length of a URL in bytes, somewhat above the limit of common servers.
  public static let byteCountMax = 16_384
  /// The maximum number of components of a path, and so of a wildcard's list.
  public static let segmentCountMax = 256
  /// The maximum number of entries of the query and the fragment together.
  public static let queryCountMax = 256

  /// When the host is the first component of the path.
  public enum HostRule: Hashable, Sendable {
    /// If it has no dot and isn't `localhost` or an address in brackets.
    case componentWithoutDot
    /// Always, if there is one.
    case alwaysComponent
  }

  /// How to read a URL.
  public struct Options: Hashable, Sendable {
    /// When the host is the first component of the path.
    public var host: HostRule
    /// What a `+` means in parameters from components and in the query's values.
    public var plus: PlusRule

    /// Makes options, by default those of JLRoutes.
    public init(host: HostRule = .componentWithoutDot, plus: PlusRule = .everyPlusIsSpace) {
      self.host = host
      self.plus = plus
    }
  }

  /// An entry of the query or the fragment, decoded.
  public struct QueryEntry: Hashable, Sendable {
    /// The text before the `=`, with each `+` kept.
    public let name: Text
    /// What stands after it.
    public let value: Text
  }

  /// The URL as given.
  public let text: Text
  /// The scheme as written, nil if there is none.
  public let scheme: Text?
  /// The entries of query and fragment, in their order.
  public let query: [QueryEntry]
  /// How it was read.
  public let options: Options
  /// The path, escaped where necessary; segments are ranges of it.
  let path: [UInt8]
  let segments: [PathSegment]

  /// Parses a URL, absolute (`app://counter/3?x=1`) or without a scheme (`/counter/3`).
  ///
  /// - Throws: ``RouteRequestError`` with the offset of what is wrong.
  public init(parsing text: Text, options: Options = Options()) throws(RouteRequestError) {
    try self.init(text: text, bytes: text.bytes, options: options)
  }

  /// Parses the bytes of a URL, which need not be valid UTF-8.
  ///
  /// - Throws: ``RouteRequestError`` with the offset of what is wrong.
  public init(
    parsing bytes: UnsafeBufferPointer<UInt8>, options: Options = Options()
  ) throws(RouteRequestError) {
    if let offset = UTF8Validation.invalidOffset(in: bytes) {
      throw .invalidUTF8(offset: offset)
    }
    try self.init(text: Text(validUTF8: bytes), bytes: Array(bytes), options: options)
  }

  private init(text: Text, bytes: [UInt8], options: Options) throws(RouteRequestError) {
    var parser = RequestParser(bytes, options)
    try parser.parse()
    self.text = text
    self.options = options
    scheme = parser.scheme
    query = parser.query
    path = parser.path
    segments = try RouteRequest.segments(of: parser.path)
  }

  /// The path's components, undecoded.
  public var components: [Text] { segments.map { Text(validUTF8: path[$0.range]) } }

  /// The entries of the query and the fragment as a map; the values of a repeated name form a list.
  public var queryParameters: Map {
    guard !query.isEmpty else { return Map() }
    var map = Map()
    for entry in query {
      let key = Key.string(entry.name)
      switch map[key] {
      case nil: map[key] = .string(entry.value)
      case .list(var list):
        list.append(.string(entry.value))
        map[key] = .list(list)
      case let first?: map[key] = .list(List([first, .string(entry.value)]))
      }
    }
    return map
  }

  /// The bytes of a component that a parameter can capture, without a `#` at the end.
  func valueRange(_ segment: Int) -> Range<Int> {
    let range = segments[segment].range
    return range.count > 1 && path[range.upperBound - 1] == .hash ? range.dropLast() : range
  }

  private static func segments(of path: [UInt8]) throws(RouteRequestError) -> [PathSegment] {
    let slashCount = path.count { $0 == .slash }
    // One more than allowed, to detect that there are too many.
    let capacity = min(slashCount + 1, segmentCountMax + 1)
    let segments = [PathSegment](unsafeUninitializedCapacity: capacity) { buffer, count in
      count = path.withUnsafeBytes { bytes in
        guard let base = bytes.baseAddress, let start = buffer.baseAddress else { return 0 }
        return PathScan.split(base, bytes.count, into: start, capacity)
      }
    }
    guard segments.count <= segmentCountMax else { throw .tooManySegments(max: segmentCountMax) }
    return segments
  }
}
