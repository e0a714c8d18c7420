import Glibc

/// The hosts and ports of a scope `net:`: `example.com`, `*.example.com:443`, `[::1]:8080`, `*`.
///
/// A pattern without a port means all ports. Names are compared without regard to case. Loopback,
/// private and other local addresses match only patterns that name addresses: `localhost`,
/// `127.0.0.1`, `192.168.*`.
package struct NetPattern: Hashable, Sendable {
  private let host: StarPattern
  private let port: Int?
  /// Whether it names local addresses.
  let isLocal: Bool

  /// Parses a pattern; nil if the text isn't one.
  init?(_ text: String) {
    guard let parts = Self.split(text), Self.isHost(parts.host) else { return nil }
    self.init(host: parts.host, port: parts.port)
  }

  init(host: String, port: Int?) {
    let host = Self.canonical(host)
    self.host = StarPattern(host)
    self.port = port
    isLocal = Self.isLocal(canonical: host) || Self.isAddressPattern(host)
  }

  /// Returns whether this pattern matches everything that another one matches.
  ///
  /// A denial also matches local addresses that it doesn't name, and one of `localhost` those that
  /// a connection takes for it.
  func covers(_ other: NetPattern, asDenial: Bool = false) -> Bool {
    let spellings =
      asDenial && Self.unspecified.contains(other.host)
      ? [other.host] + Self.spellingsOfLocalhost : other.spellings
    return spellings.contains { host.covers($0) } && (port == nil || port == other.port)
      && (isLocal || !other.isLocal || asDenial)
  }

  /// Returns whether anything matches both patterns.
  func overlaps(_ other: NetPattern) -> Bool {
    other.spellings.contains { theirs in spellings.contains { $0.overlaps(theirs) } }
      && (port == nil || other.port == nil || port == other.port)
  }

  /// The texts that a pattern with a star may match: of `localhost`, also its addresses.
  private var spellings: [StarPattern] {
    host == Self.localhost ? Self.spellingsOfLocalhost : [host]
  }

  private static let localhost = StarPattern("localhost")
  /// The addresses that stand for all of the machine's.
  private static let unspecified = ["0.0.0.0", "::", "::ffff:0.0.0.0"].map { StarPattern($0) }
  private static let spellingsOfLocalhost = [
    localhost, StarPattern("127.0.0.1"), StarPattern("::1"),
  ]

  /// Whether a host is a local address, or a name for one: loopback, private (RFC 1918, RFC 4193),
  /// link-local, shared (RFC 6598), multicast, or reserved.
  package static func isLocal(host: String) -> Bool {
    isLocal(canonical: canonical(host))
  }

  private static func isLocal(canonical host: String) -> Bool {
    if host == "localhost" || host.hasSuffix(".localhost") { return true }
    if let address = IPAddress(host) { return address.isLocal }
    return false
  }

  /// Whether a pattern with a star stands for IPv4 addresses: `10.*`, `192.168.*`.
  private static func isAddressPattern(_ host: String) -> Bool {
    host.utf8.contains(UInt8(ascii: "*")) && (host.first?.isNumber ?? false)
      && host.utf8.allSatisfy { (48...57).contains($0) || $0 == 46 || $0 == 42 }
  }

  /// Returns the form in which hosts are compared: lowercase, without a final dot, addresses as the
  /// system writes them, and `localhost` for its addresses.
  private static func canonical(_ host: String) -> String {
    var host = host.lowercased()
    if host.hasPrefix("["), host.hasSuffix("]") { host = String(host.dropFirst().dropLast()) }
    if host.utf8.count > 1, host.utf8.last == UInt8(ascii: ".") { host.removeLast() }
    guard let address = IPAddress(host)?.text else { return host }
    return ["127.0.0.1", "::1", "::ffff:127.0.0.1"].contains(address) ? "localhost" : address
  }

  private static func split(_ text: String) -> (host: String, port: Int?)? {
    if text.hasPrefix("[") {
      guard let end = text.firstIndex(of: "]") else { return nil }
      let rest = text[text.index(after: end)...]
      let host = String(text[...end])
      guard IPAddress(String(host.dropFirst().dropLast())) != nil else { return nil }
      if rest.isEmpty { return (host, nil) }
      guard rest.hasPrefix(":"), let port = port(rest.dropFirst()) else { return nil }
      return (host, port)
    }
    let parts = text.split(separator: ":", omittingEmptySubsequences: false)
    if parts.count > 2 { return IPAddress(text) == nil ? nil : (text, nil) }
    guard parts.count == 2 else { return (text, nil) }
    guard let port = port(parts[1]) else { return nil }
    return (String(parts[0]), port)
  }

  private static func port(_ text: Substring) -> Int? {
    guard text.utf8.allSatisfy({ (48...57).contains($0) }), let port = Int(text),
      (1...65_535).contains(port)
    else { return nil }
    return port
  }

  /// Whether a text has only characters of host names and IPv4 addresses, in ASCII.
  static func isPlainName(_ text: String) -> Bool {
    !text.isEmpty
      && text.utf8.allSatisfy { byte in
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"): true
        case UInt8(ascii: "0")...UInt8(ascii: "9"): true
        case UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"): true
        default: false
        }
      }
  }

  /// Whether a text has only characters of host names, addresses and patterns (RFC 3986 §3.2.2).
  private static func isHost(_ text: String) -> Bool {
    !text.isEmpty
      && text.unicodeScalars.allSatisfy { scalar in
        scalar.properties.isAlphabetic || ("0"..."9").contains(scalar)
          || ["-", ".", "*", "_", ":", "[", "]"].contains(scalar)
      }
  }
}

/// An IP address, read from its text.
private struct IPAddress {
  /// The bytes, 4 or 16.
  private let bytes: [UInt8]

  init?(_ text: String) {
    // IPv6 has colons, and IPv4 ends with a digit, which few names do.
    guard let last = text.utf8.last,
      (48...57).contains(last) || text.utf8.contains(UInt8(ascii: ":"))
    else { return nil }
    var bytes = [UInt8](repeating: 0, count: 16)
    if inet_pton(AF_INET, text, &bytes) == 1 {
      self.bytes = Array(bytes[..<4])
    } else if inet_pton(AF_INET6, text, &bytes) == 1 {
      self.bytes = bytes
    } else {
      return nil
    }
  }

  /// The address as the system writes it.
  var text: String {
    var buffer = [CChar](repeating: 0, count: 64)
    let family = bytes.count == 4 ? AF_INET : AF_INET6
    guard inet_ntop(family, bytes, &buffer, socklen_t(buffer.count)) != nil else { return "" }
    return String(decoding: buffer.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
  }

  /// Whether it isn't globally reachable (IANA's registries of special-purpose addresses).
  var isLocal: Bool {
    guard bytes.count == 16 else { return Self.isLocal(bytes[...]) }
    // IPv4 within IPv6: mapped, compatible (RFC 4291), translated (RFC 6052), 6to4 (RFC 3056).
    let isLowest = bytes[..<10].allSatisfy { $0 == 0 }
    if isLowest, bytes[10] == bytes[11], [0, 0xFF].contains(bytes[10]) {
      return Self.isLocal(bytes[12...])
    }
    let isTranslated =
      bytes[0] == 0 && bytes[1] == 0x64 && bytes[2] == 0xFF && bytes[3] == 0x9B
    if isTranslated { return Self.isLocal(bytes[12...]) }
    if bytes[0] == 0x20, bytes[1] == 0x02 { return Self.isLocal(bytes[2..<6]) }
    // Unique local, link-local, site-local, multicast.
    return bytes[0] & 0xFE == 0xFC || (bytes[0] == 0xFE && bytes[1] & 0x80 == 0x80)
      || bytes[0] == 0xFF
  }

  private static func isLocal(_ bytes: ArraySlice<UInt8>) -> Bool {
    let (first, second) = (bytes[bytes.startIndex], bytes[bytes.startIndex + 1])
    let third = bytes[bytes.startIndex + 2]
    return switch (first, second) {
    case (0, _), (10, _), (127, _), (224..., _): true
    case (100, 64...127), (169, 254), (172, 16...31), (192, 168), (198, 18...19): true
    case (192, 0): third == 0
    default: false
    }
  }
}
