/// The parts of an ordinary URL, which needs no decoding or correction.
///
/// It has a scheme and a host in lowercase, and characters in the path and the query that stand for
/// themselves (RFC 3986 §2). Foundation is much slower at the same task.
struct PlainURL {
  let scheme: WebAddress.Scheme
  let host: String
  /// The port; nil if the URL has none.
  let port: Int?
  let path: String
  /// The query; nil if the URL has none.
  let query: String?
  /// Whether the original URL has a path.
  let hasPath: Bool

  /// Reads a URL; nil if it isn't an ordinary one.
  init?(_ text: String) {
    var text = text
    // Reads the bytes in memory, which is faster than reading a string.
    guard let parts = text.withUTF8({ Self($0) }) else { return nil }
    self = parts
  }

  private init?(_ bytes: UnsafeBufferPointer<UInt8>) {
    let scheme: WebAddress.Scheme
    if bytes.starts(with: Self.start(of: .http)) {
      scheme = .http
    } else if bytes.starts(with: Self.start(of: .https)) {
      scheme = .https
    } else {
      return nil
    }
    self.scheme = scheme
    var rest = bytes.dropFirst(Self.start(of: scheme).count)
    let host = rest.prefix(while: Self.isOfHost)
    guard !host.isEmpty, host.count <= 255, !Self.hasDoubleHyphen(host) else { return nil }
    self.host = Self.text(host)
    rest = rest[host.endIndex...]
    if rest.first == UInt8(ascii: ":") {
      let digits = rest.dropFirst().prefix { (48...57).contains($0) }
      guard digits.first != UInt8(ascii: "0"), let port = Int(Self.text(digits)), port <= 65_535
      else { return nil }
      self.port = port
      rest = rest[digits.endIndex...]
    } else {
      port = nil
    }
    let path = rest.prefix { $0 != UInt8(ascii: "?") }
    guard path.isEmpty || path.first == UInt8(ascii: "/"), rest.allSatisfy(Self.isPlain) else {
      return nil
    }
    hasPath = !path.isEmpty
    self.path = hasPath ? Self.text(path) : "/"
    query = path.endIndex == rest.endIndex ? nil : Self.text(rest[path.endIndex...].dropFirst())
  }

  private static func text(_ bytes: Slice<UnsafeBufferPointer<UInt8>>) -> String {
    String(decoding: UnsafeBufferPointer(rebasing: bytes), as: UTF8.self)
  }

  private static func start(of scheme: WebAddress.Scheme) -> String.UTF8View {
    (scheme == .http ? "http://" : "https://").utf8
  }

  /// Returns whether a host may have an internationalized label, such as `xn--…`.
  private static func hasDoubleHyphen(_ host: Slice<UnsafeBufferPointer<UInt8>>) -> Bool {
    zip(host, host.dropFirst()).contains { $0 == UInt8(ascii: "-") && $1 == UInt8(ascii: "-") }
  }

  private static func isOfHost(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"): true
    case UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"): true
    default: false
    }
  }

  /// Returns whether a character stands for itself, in a path and in a query.
  private static func isPlain(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      // From & on: & ' ( ) * + , - . / and the digits, : and ;
      UInt8(ascii: "&")...UInt8(ascii: ";"):
      true
    case UInt8(ascii: "!"), UInt8(ascii: "$"), UInt8(ascii: "="), UInt8(ascii: "?"),
      UInt8(ascii: "@"), UInt8(ascii: "_"), UInt8(ascii: "~"):
      true
    default: false
    }
  }
}
