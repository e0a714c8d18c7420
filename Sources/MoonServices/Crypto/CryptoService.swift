import Foundation
public import Moonwire

extension Service {
  /// Hashes, authentication codes and random bytes, as `moon.crypto`.
  public static let crypto = Service(
    "crypto", "Hashes, authenticates, and makes what nobody can guess.",
    functions: [
      .pure(
        "hash", "Returns the SHA-2 hash of a string (FIPS 180-4).", .bytes("data"),
        .option(CryptoText.algorithm, or: "sha256"), .option(CryptoText.form, or: "hex"),
        returns: "string"
      ) { _, data, algorithm, form in
        CryptoText.result(try CryptoText.sha2(algorithm).hash(data), form)
      },
      .pure(
        "hmac", "Returns the authentication code of a string (RFC 2104).", .bytes("key"),
        .bytes("data"), .option(CryptoText.algorithm, or: "sha256"),
        .option(CryptoText.form, or: "hex"), returns: "string"
      ) { _, key, data, algorithm, form in
        CryptoText.result(try CryptoText.sha2(algorithm).code(of: data, key), form)
      },
      .pure(
        "verify", "Whether a string has an authentication code; takes the same time for any.",
        .bytes("key"), .bytes("data"), .bytes("code", "Bytes, or hexadecimal digits"),
        .option(CryptoText.algorithm, or: "sha256"), returns: "boolean"
      ) { _, key, data, code, algorithm in
        .boolean(try CryptoText.sha2(algorithm).isValid(code, for: data, key))
      },
      .immediate(
        "bytes", "Returns random bytes.", .integer("count", in: 0...65_536), returns: "string"
      ) { call, count in
        guard !call.isRepeated else { throw ServiceRefusal.notRepeatable }
        // The system's generator is cryptographically secure.
        return .bytes((0..<count).map { _ in UInt8.random(in: .min ... .max) })
      },
      .immediate("uuid", "Returns a random UUID (RFC 9562).", returns: "string") { call in
        guard !call.isRepeated else { throw ServiceRefusal.notRepeatable }
        return .string(UUID().uuidString.lowercased())
      },
    ])
}

/// The parameters and results of `moon.crypto`.
enum CryptoText {
  static var algorithm: ServiceParameter<String> {
    .choice("algorithm", SHA2.allCases.map(\.rawValue))
  }
  static var form: ServiceParameter<String> { .choice("form", ["hex", "base64", "bytes"]) }

  /// Returns the algorithm of a checked name.
  static func sha2(_ name: String) -> SHA2 { SHA2(rawValue: name) ?? .sha256 }

  static func result(_ bytes: [UInt8], _ form: String) -> ServiceResult {
    switch form {
    case "bytes": .bytes(bytes)
    case "base64": .string(Data(bytes).base64EncodedString())
    default: .string(Encodings.hex(bytes))
    }
  }
}
