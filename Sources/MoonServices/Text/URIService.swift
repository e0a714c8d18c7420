import Foundation
public import Moonwire

extension Service {
  /// The parts of URLs, as `moon.uri`.
  public static let uri = Service(
    "uri", "Takes URLs apart and puts them together (RFC 3986).",
    functions: [
      .pure(
        "parse", "Returns the parts of a URL, decoded; the parameters of its query by name.",
        .string("url"),
        returns: "{scheme, user, host, port, path, query, parameters, fragment}"
      ) { _, text in
        guard let parts = URLComponents(string: text, encodingInvalidCharacters: false) else {
          throw URIFailure.malformed
        }
        return URIText.fields(of: parts)
      },
      .pure(
        "build", "Returns the URL of parts.", .option(.string("scheme")), .option(.string("user")),
        .option(.string("host")), .option(.integer("port", in: 0...65_535)),
        .option(.string("path"), or: ""), .option(.map("parameters", "Texts, numbers or lists")),
        .option(.string("fragment")), returns: "string"
      ) { _, scheme, user, host, port, path, parameters, fragment in
        var parts = URLComponents()
        guard scheme.map(URIText.isScheme) ?? true else { throw URIFailure.malformed }
        parts.scheme = scheme
        parts.user = user
        parts.host = host
        parts.port = port
        parts.path = path
        parts.queryItems = parameters.map(URIText.items)
        parts.fragment = fragment
        guard let text = parts.string else { throw URIFailure.malformed }
        return .string(text)
      },
      .pure(
        "encode", "Returns a text with all but letters, digits and -._~ as %XX.", .bytes("text"),
        returns: "string"
      ) { _, bytes in
        .string(URIText.encoded(bytes))
      },
      .pure(
        "decode", "Returns a text with the bytes that %XX stands for.", .string("text"),
        returns: "string"
      ) { _, text in
        guard let bytes = URIText.decoded(text) else { throw URIFailure.malformed }
        return .bytes(bytes)
      },
    ])
}

/// The texts of URLs.
enum URIText {
  static func fields(of parts: URLComponents) -> ServiceResult {
    .fields([
      ("scheme", .string(parts.scheme)), ("user", .string(parts.user)),
      ("host", .string(parts.host)), ("port", parts.port.map { .integer($0) } ?? .nothing),
      ("path", .string(parts.path)), ("query", .string(parts.query)),
      ("parameters", .value(.map(parameters(of: parts.queryItems ?? [])))),
      ("fragment", .string(parts.fragment)),
    ])
  }

  /// Returns parameters by name; a repeated name has a list.
  private static func parameters(of items: [URLQueryItem]) -> Map {
    var map = Map()
    for (name, items) in Dictionary(grouping: items, by: \.name) {
      let values = items.map { Value.string(Text($0.value ?? "")) }
      map[.string(Text(name))] = values.count == 1 ? values[0] : .list(List(values))
    }
    return map
  }

  static func items(of map: Map) -> [URLQueryItem] {
    map.flatMap { key, value in
      (value.listValue.map { Array($0) } ?? [value]).map { element in
        URLQueryItem(name: "\(key)", value: element.stringValue ?? element.canonicalText)
      }
    }
  }

  static func isScheme(_ text: String) -> Bool {
    guard let first = text.utf8.first, Character(Unicode.Scalar(first)).isLetter else {
      return false
    }
    return text.utf8.allSatisfy { isUnreserved($0) && $0 != 95 && $0 != 126 || $0 == 43 }
  }

  static func encoded(_ bytes: [UInt8]) -> String {
    let digits = Array("0123456789ABCDEF".utf8)
    var text: [UInt8] = []
    text.reserveCapacity(bytes.count)
    for byte in bytes {
      if isUnreserved(byte) {
        text.append(byte)
      } else {
        text += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 0xF)]]
      }
    }
    return String(decoding: text, as: UTF8.self)
  }

  static func decoded(_ text: String) -> [UInt8]? {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(text.utf8.count)
    var rest = Array(text.utf8)[...]
    while let byte = rest.popFirst() {
      guard byte == UInt8(ascii: "%") else {
        bytes.append(byte)
        continue
      }
      guard let high = rest.popFirst().flatMap(digit), let low = rest.popFirst().flatMap(digit)
      else { return nil }
      bytes.append(high << 4 | low)
    }
    return bytes
  }

  /// The value of a hexadecimal digit; nil if it isn't one.
  private static func digit(_ byte: UInt8) -> UInt8? {
    switch byte {
    case 48...57: byte - 48
    case 65...70: byte - 55
    case 97...102: byte - 87
    default: nil
    }
  }

  /// Whether a byte needs no escape (RFC 3986 §2.3).
  private static func isUnreserved(_ byte: UInt8) -> Bool {
    switch byte {
    case 48...57, 65...90, 97...122, 45, 46, 95, 126: true
    default: false
    }
  }
}

/// The reason that a text isn't a URL.
enum URIFailure: ServiceFailure {
  case malformed

  var code: String { "malformed" }
  var description: String { "it isn't a URL (RFC 3986)" }
}
