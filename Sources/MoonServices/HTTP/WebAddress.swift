import CCurl
import Foundation
import Glibc
import Moonwire

/// The URL of a request, checked and split.
///
/// libcurl reads ``requestText`` again. It must find the same host and port, since those were
/// checked against the grants.
struct WebAddress: Sendable, Equatable {
  /// The maximum length of a URL, in bytes.
  static let byteCountMax = 16_384
  /// The kinds of connection.
  enum Scheme: String, Sendable {
    case http, https, ws, wss

    var isSecure: Bool { self == .https || self == .wss }
    var standardPort: Int { isSecure ? 443 : 80 }
  }

  /// The kinds of connection of a request.
  static let requestSchemes: Set<Scheme> = [.http, .https]

  let scheme: Scheme
  /// The name or address in lowercase, an IPv6 address without brackets.
  let host: String
  let port: Int
  /// The URL without a fragment.
  let text: String
  /// The path and the query, as a request contains them.
  let target: String

  /// The URL for libcurl, which connects for WebSockets as for requests.
  var requestText: String {
    switch scheme {
    case .http, .https: text
    case .ws, .wss: "http" + text.dropFirst("ws".count)
    }
  }

  /// Reads a URL and adds fields to its query.
  ///
  /// - Throws: ``HTTPFailure/badURL(_:reason:)``.
  init(
    _ text: String, schemes: Set<Scheme> = Self.requestSchemes, query: String = ""
  ) throws(HTTPFailure) {
    guard text.utf8.count + query.utf8.count <= Self.byteCountMax else {
      throw .badURL(text, reason: "it is longer than \(Self.byteCountMax) bytes")
    }
    if let plain = PlainURL(text), schemes.contains(plain.scheme) {
      self = Self(plain, query: query, read: text)
    } else {
      self = try Self(read: text, schemes, query)
    }
  }

  /// Makes the address of a URL with fields added to its query.
  ///
  /// `given` is the text that the URL was read from; it is kept if nothing is added.
  init(_ plain: PlainURL, query added: String = "", read given: String? = nil) {
    scheme = plain.scheme
    host = plain.host
    port = plain.port ?? plain.scheme.standardPort
    var target = plain.path
    if let query = plain.query { target += "?\(query)" }
    if !added.isEmpty { target += (plain.query.map { $0.isEmpty ? "" : "&" } ?? "?") + added }
    self.target = target
    if let given, plain.hasPath, added.isEmpty {
      text = given
    } else {
      text = plain.scheme.rawValue + "://" + host + (plain.port.map { ":\($0)" } ?? "") + target
    }
  }

  /// Reads a URL of any kind.
  init(
    read text: String, _ schemes: Set<Scheme> = Self.requestSchemes, _ query: String = ""
  ) throws(HTTPFailure) {
    guard var parts = URLComponents(string: text) else {
      throw .badURL(text, reason: "it isn't a URL")
    }
    guard let scheme = parts.scheme.flatMap({ Scheme(rawValue: $0.lowercased()) }),
      schemes.contains(scheme)
    else {
      let known = schemes.map { "\($0)://" }.sorted()
      throw .badURL(text, reason: "it must begin with \(known.joined(separator: " or "))")
    }
    guard parts.user == nil, parts.password == nil else {
      throw .badURL(
        Self.withoutUser(text),
        reason: "a name and password belong into the header Authorization")
    }
    let host = Self.bare(parts.host ?? "").lowercased()
    guard Self.isHost(host) else {
      throw .badURL(text, reason: host.isEmpty ? "it names no host" : "'\(host)' isn't a host")
    }
    // Setting one part takes as long as reading them all.
    let bracketed = Self.bracketed(host)
    if parts.scheme != scheme.rawValue { parts.scheme = scheme.rawValue }
    if parts.host != bracketed { parts.host = bracketed }
    if parts.fragment != nil { parts.fragment = nil }
    if parts.percentEncodedPath.isEmpty { parts.percentEncodedPath = "/" }
    if !query.isEmpty {
      let given = parts.percentEncodedQuery ?? ""
      parts.percentEncodedQuery = given.isEmpty ? query : "\(given)&\(query)"
    }
    guard parts.port != nil || !Self.hasPort(text) else {
      throw .badURL(text, reason: "ports are from 1 to 65535")
    }
    let port = parts.port ?? scheme.standardPort
    guard let whole = parts.string, (1...65_535).contains(port),
      let read = Self.place(inURL: whole), Self.isSame(Self.bare(read.host), host),
      read.port == port
    else { throw .badURL(text, reason: "it isn't a URL") }
    self.scheme = scheme
    self.host = host
    self.port = port
    self.text = whole
    target = parts.percentEncodedPath + (parts.percentEncodedQuery.map { "?\($0)" } ?? "")
  }

  /// Returns the target address of a redirect.
  ///
  /// - Throws: ``HTTPFailure/badURL(_:reason:)``.
  func following(_ location: String) throws(HTTPFailure) -> WebAddress {
    guard let base = URL(string: text),
      let url = URL(string: location, relativeTo: base)?.absoluteString
    else { throw .badURL(location, reason: "it isn't a URL") }
    return try WebAddress(url)
  }

  /// The host and the port, as in `Host` and in messages: `example.com`, `[::1]:8080`.
  var place: String {
    let name = Self.bracketed(host)
    return port == scheme.standardPort ? name : "\(name):\(port)"
  }

  /// Returns whether requests to another address may contain the same secrets.
  func hasSameOrigin(as other: WebAddress) -> Bool {
    scheme == other.scheme && host == other.host && port == other.port
  }

  private static func bracketed(_ host: String) -> String {
    host.utf8.contains(UInt8(ascii: ":")) ? "[\(host)]" : host
  }

  private static func bare(_ host: String) -> String {
    host.hasPrefix("[") && host.hasSuffix("]") ? String(host.dropFirst().dropLast()) : host
  }

  /// Returns the host and the port that libcurl finds in a URL.
  private static func place(inURL text: String) -> (host: String, port: Int)? {
    guard let url = curl_url() else { return nil }
    defer { curl_url_cleanup(url) }
    func part(_ part: CURLUPart, _ flags: Int32 = 0) -> String? {
      var found: UnsafeMutablePointer<CChar>?
      guard curl_url_get(url, part, &found, UInt32(flags)) == CURLUE_OK, let found else {
        return nil
      }
      defer { curl_free(found) }
      return String(cString: found)
    }
    guard curl_url_set(url, CURLUPART_URL, text, UInt32(CURLU_NON_SUPPORT_SCHEME)) == CURLUE_OK,
      let host = part(CURLUPART_HOST)
    else { return nil }
    let scheme = part(CURLUPART_SCHEME).flatMap(Scheme.init(rawValue:))
    guard let port = part(CURLUPART_PORT).flatMap({ Int($0) }) ?? scheme?.standardPort else {
      return nil
    }
    return (host, port)
  }

  /// Returns whether a host that libcurl found is a given one.
  ///
  /// libcurl writes IPv4 addresses with four numbers: `127.0.0.1` for `127.1`.
  private static func isSame(_ found: String, _ given: String) -> Bool {
    var (address, other) = (in_addr(), in_addr())
    return found == given
      || inet_pton(AF_INET, found, &address) == 1 && inet_aton(given, &other) != 0
        && address.s_addr == other.s_addr
  }

  /// Returns whether a URL has a text for the port, even if the parser rejects it.
  private static func hasPort(_ text: String) -> Bool {
    text.contains(/^[^:\/?#]*:\/\/[^\/?#]*:[^\/?#:\]]+(?:[\/?#]|$)/)
  }

  /// Returns whether a text has only the characters of names and addresses (RFC 3986 §3.2.2,
  /// without percent-encoding; other alphabets are written as `xn--…`).
  private static func isHost(_ text: String) -> Bool {
    !text.isEmpty && text.utf8.count <= 255
      && text.utf8.allSatisfy { byte in
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"): true
        case UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: ":"): true
        default: false
        }
      }
  }

  /// Returns a URL for a message that must not show a password.
  private static func withoutUser(_ text: String) -> String {
    guard let start = text.range(of: "//")?.upperBound, let end = text.lastIndex(of: "@"),
      start <= end
    else { return "the URL" }
    return text[..<start] + "…" + text[end...]
  }
}
