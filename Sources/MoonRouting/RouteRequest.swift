package import MoonValues

/// A parsed and checked URL.
///
/// The rules are JLRoutes' and apply to bytes:
///
/// - A host is the first component of the path unless it has a dot or is `localhost` or bracketed,
///   in which case it is left out; user and port are always ignored.
/// - The case of letters in the scheme and in a host that is a component doesn't matter (RFC 3986,
///   sections 3.1 and 3.2.2).
/// - Components are separated before they are decoded, so `%2F` doesn't separate. Empty ones are
///   ignored everywhere.
/// - A query entry without `=` is ignored; a repeated name makes a list.
/// - A fragment with `name=value` as its first entry gives parameters; one with a path continues
///   the URL's path after a `#`: `a#k=v`, `a#/b`, `a#/b?k=v`. The `#` belongs to the component
///   before it, or begins its own after a slash: `/a/#/b` has three. Only if the host is a
///   component is `app://h/a/#/b` the same as `app://h/a#/b`.
/// - Spaces and non-ASCII characters, which a URL can't hold, count as percent-encoded.
public struct RouteRequest {
  /// The maximum length of a URL in bytes, somewhat above the limit of common servers.
  package static let byteCountMax = 16_384
  /// The maximum number of components of a path, and so of a wildcard's list.
  package static let segmentCountMax = 256
  /// The maximum number of entries of the query and the fragment together.
  package static let queryCountMax = 256

  /// The condition for the host to be the first component of the path.
  public enum HostRule: Hashable, Sendable {
    /// The host has no dot and isn't `localhost` or an address in brackets.
    case componentWithoutDot
    /// There is a host.
    case alwaysComponent
  }

  /// The options for reading a URL.
  public struct Options: Hashable, Sendable {
    /// The condition for the host to be the first component of the path.
    public var host: HostRule
    /// The meaning of a `+` in parameters from components and in the query's values.
    public var plus: PlusRule

    /// Makes options, by default those of JLRoutes.
    public init(host: HostRule = .componentWithoutDot, plus: PlusRule = .everyPlusIsSpace) {
      self.host = host
      self.plus = plus
    }
  }

  /// An entry of the query or the fragment, decoded.
  package struct QueryEntry: Hashable, Sendable {
    /// The text before the `=`, with each `+` kept.
    package let name: Text
    /// The text after the `=`.
    package let value: Text
  }

  let storage: RequestStorage

  /// The URL as given.
  package var text: Text { storage.head.text }
  /// The scheme as written; nil if there is none.
  package var scheme: Text? { storage.head.scheme }
  /// The entries of the query and the fragment, in order.
  package var query: [QueryEntry] { storage.head.query ?? [] }
  /// The options that the URL was read with.
  package var options: Options { storage.head.options }

  /// Parses a URL, absolute (`app://counter/3?x=1`) or without a scheme (`/counter/3`).
  ///
  /// - Throws: ``RouteRequestError`` with the offset of the problem.
  package init(parsing text: Text, options: Options = Options()) throws(RouteRequestError) {
    // The bytes of a long text don't move, so that the request can refer to them.
    if let bytes = text.stableBytes {
      storage = try RequestStorage.make(text, bytes, isStable: true, options)
    } else {
      storage = try text.withSmallBytes { bytes throws(RouteRequestError) in
        try RequestStorage.make(text, bytes, isStable: false, options)
      }
    }
  }

  /// Parses the bytes of a URL, which need not be valid UTF-8.
  ///
  /// - Throws: ``RouteRequestError`` with the offset of the problem.
  package init(
    parsing bytes: UnsafeBufferPointer<UInt8>, options: Options = Options()
  ) throws(RouteRequestError) {
    if let offset = UTF8Validation.invalidOffset(in: bytes) {
      throw .invalidUTF8(offset: offset)
    }
    try self.init(parsing: Text(validUTF8: bytes), options: options)
  }

  var hasQuery: Bool { storage.head.query != nil }
  /// Whether the first component is the host.
  var hasHost: Bool { storage.head.hasHost }

  /// The number of components of the path.
  var segmentCount: Int { storage.head.segmentCount }

  /// The path's components, undecoded.
  package var components: [Text] { (0..<segmentCount).map(component) }

  /// A component of the path, undecoded.
  func component(_ index: Int) -> Text {
    withPath { path, segments in Text(validUTF8: path.slice(segments[index].range)) }
  }

  /// Calls `body` with the path, escaped where necessary, and its components, which are ranges of
  /// it.
  @inline(__always)
  func withPath<R>(
    _ body: (UnsafeBufferPointer<UInt8>, UnsafeBufferPointer<PathSegment>) -> R
  ) -> R {
    withExtendedLifetime(storage) { body(storage.path, storage.segments) }
  }

  /// Calls `body` as ``withPath(_:)`` does, with small letters in the first component.
  @inline(__always)
  func withLowercasedPath<R>(
    _ body: (UnsafeBufferPointer<UInt8>, UnsafeBufferPointer<PathSegment>) -> R
  ) -> R {
    withPath { path, segments in
      hasCapitals(path, segments) ? lowercased(path, segments, body) : body(path, segments)
    }
  }

  /// Whether the first component has capitals.
  var hasCapitals: Bool { withPath { hasCapitals($0, $1) } }

  private func hasCapitals(
    _ path: UnsafeBufferPointer<UInt8>, _ segments: UnsafeBufferPointer<PathSegment>
  ) -> Bool {
    segments.first.map { path[$0.range].contains(where: \.isASCIICapital) } ?? false
  }

  @inline(never)
  private func lowercased<R>(
    _ path: UnsafeBufferPointer<UInt8>, _ segments: UnsafeBufferPointer<PathSegment>,
    _ body: (UnsafeBufferPointer<UInt8>, UnsafeBufferPointer<PathSegment>) -> R
  ) -> R {
    var bytes = Array(path)
    var components = Array(segments)
    for index in components[0].range { bytes[index] = bytes[index].lowercased }
    return bytes.withUnsafeBufferPointer { bytes in
      if let base = bytes.baseAddress {
        let range = components[0].range
        components[0] = PathSegment(
          UnsafeRawPointer(base), from: range.lowerBound, to: range.upperBound)
      }
      return components.withUnsafeBufferPointer { body(bytes, $0) }
    }
  }

  /// The entries of the query and the fragment as a map; the values of a repeated name form a list.
  package var queryParameters: Map {
    guard let query = storage.head.query else { return Map() }
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
  @inline(__always)
  static func valueRange(_ path: UnsafeBufferPointer<UInt8>, _ segment: PathSegment) -> Range<Int> {
    let range = segment.range
    return range.count > 1 && path[range.upperBound - 1] == .hash ? range.dropLast() : range
  }
}

// Sendable, because the storage is written once, before the request is made. The storage can't
// conform itself, because `ManagedBuffer` can't be Sendable.
extension RouteRequest: @unchecked Sendable {}

/// The contents of a ``RouteRequest`` in one object: the components of the path, then the bytes of
/// the path unless it is in the URL unchanged.
///
/// It is written once, when it is made.
final class RequestStorage: ManagedBuffer<RequestStorage.Header, PathSegment> {
  struct Header {
    let text: Text
    let scheme: Text?
    let query: [RouteRequest.QueryEntry]?
    let options: RouteRequest.Options
    let hasHost: Bool
    /// The first byte of the path, in the text or after the components; nil for an empty path.
    var pathStart: UnsafePointer<UInt8>?
    var pathCount = 0
    var segmentCount = 0
  }

  /// The length from which the number of components is estimated: most are longer.
  private static let expectedComponentLength = 4

  /// The fields before the components.
  ///
  /// Reading `header` checks for overlapping accesses, which is slow and unnecessary, since nothing
  /// changes once the object is made.
  @inline(__always) var head: Header {
    _read { yield withUnsafeMutablePointerToHeader { $0 }.pointee }
  }

  /// The path's bytes, valid as long as the object is.
  @inline(__always) var path: UnsafeBufferPointer<UInt8> {
    UnsafeBufferPointer(start: head.pathStart, count: head.pathCount)
  }

  /// The path's components, valid as long as the object is.
  @inline(__always) var segments: UnsafeBufferPointer<PathSegment> {
    withUnsafeMutablePointers {
      UnsafeBufferPointer(start: UnsafePointer($1), count: $0.pointee.segmentCount)
    }
  }

  /// Parses the bytes of a text; `isStable` says whether they stay in place as long as the text is
  /// held.
  ///
  /// - Throws: ``RouteRequestError`` with the offset of the problem.
  static func make(
    _ text: consuming Text, _ bytes: UnsafeBufferPointer<UInt8>, isStable: Bool,
    _ options: RouteRequest.Options
  ) throws(RouteRequestError) -> RequestStorage {
    let parts = try URLParts(bytes, options)
    let header = Header(
      text: text,
      scheme: parts.scheme.isEmpty ? nil : Text(validUTF8: bytes.slice(parts.scheme)),
      query: parts.hasEntries ? try parts.entries(bytes, options.plus) : nil, options: options,
      hasHost: parts.host != nil)
    // One more than allowed, to detect that there are too many.
    let segmentMax = RouteRequest.segmentCountMax + 1
    let expected = min(bytes.count / expectedComponentLength + 4, segmentMax)
    let storage: RequestStorage
    if let path = parts.wholePath {
      storage = make(header, bytes.slice(path), isStable, room: expected)
    } else {
      storage = parts.writtenPath(bytes).withUnsafeBufferPointer {
        make(header, $0, false, room: expected)
      }
    }
    guard storage.head.segmentCount == expected else { return storage }
    let whole = make(storage.head, storage.path, false, room: segmentMax)
    guard whole.head.segmentCount < segmentMax else {
      throw .tooManySegments(max: RouteRequest.segmentCountMax)
    }
    return whole
  }

  /// Makes the object with room for a number of components, and finds no more than that.
  private static func make(
    _ header: consuming Header, _ path: UnsafeBufferPointer<UInt8>, _ isStable: Bool, room: Int
  ) -> RequestStorage {
    let copied = isStable ? 0 : path.count
    let stride = MemoryLayout<PathSegment>.stride
    let header = header
    let buffer = RequestStorage.create(minimumCapacity: room + (copied + stride - 1) / stride) {
      _ in header
    }
    let storage = unsafeDowncast(buffer, to: RequestStorage.self)
    storage.withUnsafeMutablePointers { header, segments in
      let path = isStable ? path : path.copied(to: UnsafeMutableRawPointer(segments + room))
      guard let start = path.baseAddress else { return }
      header.pointee.pathStart = start
      header.pointee.pathCount = path.count
      header.pointee.segmentCount = PathScan.split(start, path.count, into: segments, room)
    }
    return storage
  }
}

extension Text {
  /// Calls `body` with the bytes of a text that is too short for its own storage; they are valid
  /// during the call.
  ///
  /// `withUTF8` isn't specialized, which makes it slower.
  @inline(__always)
  fileprivate func withSmallBytes<R, Failure: Error>(
    _ body: (UnsafeBufferPointer<UInt8>) throws(Failure) -> R
  ) throws(Failure) -> R {
    let words = packed ?? (0, 0)
    return try withUnsafeBytes(of: (words.0.bigEndian, words.1.bigEndian)) {
      raw throws(Failure) in
      try raw.withMemoryRebound(to: UInt8.self) { bytes throws(Failure) in
        try body(UnsafeBufferPointer(rebasing: bytes[..<utf8Count]))
      }
    }
  }
}

extension UnsafeBufferPointer<UInt8> {
  /// Returns the bytes in a range, which must be within these.
  @inline(__always)
  func slice(_ range: Range<Int>) -> UnsafeBufferPointer<UInt8> {
    UnsafeBufferPointer(rebasing: self[range])
  }

  /// Copies the bytes to memory with room for them, and returns the copy.
  fileprivate func copied(to room: UnsafeMutableRawPointer) -> UnsafeBufferPointer<UInt8> {
    let copy = room.bindMemory(to: UInt8.self, capacity: count)
    if let baseAddress { copy.initialize(from: baseAddress, count: count) }
    return UnsafeBufferPointer(start: copy, count: count)
  }
}
