import Moonwire

/// The parts of a request that scripts write as tables: headers, query and form.
enum RequestFields {
  /// The headers that describe the connection or the body, which the host sets.
  static let ownHeaders: Set = [
    "connection", "content-length", "expect", "host", "keep-alive", "proxy-authorization",
    "proxy-connection", "te", "trailer", "transfer-encoding", "upgrade",
  ]

  /// Returns headers; a list stands for several headers of one name.
  ///
  /// - Throws: ``HTTPFailure/badHeader(_:reason:)``.
  static func headers(_ map: Map?) throws(HTTPFailure) -> HTTPHeaders {
    var headers = HTTPHeaders()
    for (key, value) in map ?? Map() {
      let name = "\(key)"
      guard isToken(name) else { throw .badHeader(name, reason: "has no valid name") }
      let lowered = name.lowercased()
      guard !ownHeaders.contains(lowered), !lowered.hasPrefix("sec-websocket-") else {
        throw .badHeader(name, reason: "is set by the host")
      }
      guard let texts = texts(value) else {
        throw .badHeader(name, reason: "must be a string, a number, or a list of these")
      }
      for text in texts { headers.add(name, try valid(text, of: name)) }
    }
    return headers
  }

  /// Returns the value of a header if no other line can begin in it.
  ///
  /// - Throws: ``HTTPFailure/badHeader(_:reason:)``.
  static func valid(_ text: String, of name: String) throws(HTTPFailure) -> String {
    guard text.utf8.allSatisfy({ $0 == 9 || ($0 >= 32 && $0 != 127) }) else {
      throw .badHeader(name, reason: "has a line break or another control character")
    }
    return text
  }

  /// Returns the pairs of a query or form, written as in the URL standard: `q=a%20b&tag=1&tag=2`.
  ///
  /// - Throws: ``HTTPFailure/badField(_:)``.
  static func pairs(_ map: Map?, space: String = "%20") throws(HTTPFailure) -> String {
    var pairs: [String] = []
    for (key, value) in map ?? Map() {
      let name = "\(key)"
      guard let texts = texts(value) else { throw .badField(name) }
      for text in texts { pairs.append("\(encoded(name, space))=\(encoded(text, space))") }
    }
    return pairs.joined(separator: "&")
  }

  /// Returns a method in capitals.
  ///
  /// - Throws: ``HTTPFailure/badMethod(_:)`` for one that isn't a word, and for those that change
  ///   the connection.
  static func method(_ text: String) throws(HTTPFailure) -> HTTPMethod {
    let name = text.uppercased()
    guard isToken(name), name.utf8.count <= 32, name != "CONNECT", name != "TRACE" else {
      throw .badMethod(text)
    }
    return HTTPMethod(name: name)
  }

  private static func texts(_ value: Value) -> [String]? {
    switch value {
    case .string(let text): return [text.string]
    case .int, .double, .bool: return [value.canonicalText]
    case .list(let list):
      let texts = list.compactMap { element -> String? in
        if case .list = element { nil } else { Self.texts(element)?.first }
      }
      return texts.count == list.count ? texts : nil
    case .map(let map) where map.isEmpty: return []
    case .map, .null: return nil
    }
  }

  /// Whether a text is a token (RFC 9110 §5.6.2).
  static func isToken(_ text: String) -> Bool {
    !text.isEmpty
      && text.utf8.allSatisfy { byte in
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
          UInt8(ascii: "0")...UInt8(ascii: "9"):
          true
        default: "!#$%&'*+-.^_`|~".utf8.contains(byte)
        }
      }
  }

  private static func encoded(_ text: String, _ space: String) -> String {
    let digits = Array("0123456789ABCDEF".utf8)
    var bytes: [UInt8] = []
    for byte in text.utf8 {
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."),
        UInt8(ascii: "_"), UInt8(ascii: "~"):
        bytes.append(byte)
      case UInt8(ascii: " "): bytes += space.utf8
      default: bytes += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}
