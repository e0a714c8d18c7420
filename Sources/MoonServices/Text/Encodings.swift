import Foundation
public import Moonwire

extension Service {
  /// Base64 (RFC 4648), as `moon.base64`.
  public static let base64 = Service(
    "base64", "Writes bytes as text in Base64 (RFC 4648).",
    functions: [
      .pure(
        "encode", "Returns the Base64 text of a string.", .bytes("data"),
        .option(.boolean("url", "With - and _, without padding"), or: false), returns: "string"
      ) { _, data, isForURL in
        let text = Data(data).base64EncodedString()
        return .string(isForURL ? Encodings.forURL(text) : text)
      },
      .pure(
        "decode", "Returns the string that a Base64 text stands for, of either alphabet.",
        .string("text"), returns: "string"
      ) { _, text in
        guard let data = Encodings.standard(text).flatMap({ Data(base64Encoded: $0) }) else {
          throw EncodingFailure.notBase64
        }
        return .bytes(Array(data))
      },
    ])

  /// Hexadecimal digits, as `moon.hex`.
  public static let hex = Service(
    "hex", "Writes bytes as hexadecimal digits.",
    functions: [
      .pure(
        "encode", "Returns two digits for each byte of a string.", .bytes("data"),
        returns: "string"
      ) { _, data in
        .string(Encodings.hex(data))
      },
      .pure(
        "decode", "Returns the string that digits stand for.", .string("text"), returns: "string"
      ) { _, text in
        guard let bytes = Encodings.bytes(ofHex: text) else { throw EncodingFailure.notHex }
        return .bytes(bytes)
      },
    ])
}

/// Texts that encode bytes.
enum Encodings {
  /// Returns a Base64 text in the alphabet for URLs, without padding.
  static func forURL(_ text: String) -> String {
    text.replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
  }

  /// Returns a Base64 text in the standard alphabet, with padding; nil if its own padding is wrong.
  static func standard(_ text: String) -> String? {
    let digits = text.replacing("-", with: "+").replacing("_", with: "/")
      .prefix { $0 != "=" }
    let padding = String(repeating: "=", count: (4 - digits.utf8.count % 4) % 4)
    let given = text.utf8.dropFirst(digits.utf8.count)
    guard given.isEmpty || given.elementsEqual(padding.utf8) else { return nil }
    return digits + padding
  }

  /// Returns two lowercase digits for each byte.
  static func hex(_ bytes: [UInt8]) -> String {
    let digits = Array("0123456789abcdef".utf8)
    return String(
      decoding: bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
  }

  /// Returns the bytes of pairs of digits; nil if the text has anything else.
  static func bytes(ofHex text: String) -> [UInt8]? {
    let digits = text.utf8.map { $0 < 128 ? Character(Unicode.Scalar($0)).hexDigitValue : nil }
    guard digits.count.isMultiple(of: 2) else { return nil }
    var bytes: [UInt8] = []
    for index in stride(from: 0, to: digits.count, by: 2) {
      guard let high = digits[index], let low = digits[index + 1] else { return nil }
      bytes.append(UInt8(high << 4 | low))
    }
    return bytes
  }
}

/// The reason that a text doesn't encode bytes.
enum EncodingFailure: ServiceFailure {
  case notBase64
  case notHex

  var code: String { "malformed" }

  var description: String {
    switch self {
    case .notBase64: "the text isn't Base64"
    case .notHex: "the text isn't pairs of hexadecimal digits"
    }
  }
}
