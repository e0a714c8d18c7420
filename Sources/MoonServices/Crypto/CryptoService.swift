import Crypto
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
        CryptoText.result(Hashing(algorithm).hash(data), form)
      },
      .pure(
        "hmac", "Returns the authentication code of a string (RFC 2104).", .bytes("key"),
        .bytes("data"), .option(CryptoText.algorithm, or: "sha256"),
        .option(CryptoText.form, or: "hex"), returns: "string"
      ) { _, key, data, algorithm, form in
        CryptoText.result(Hashing(algorithm).code(of: data, key), form)
      },
      .pure(
        "verify", "Whether a string has an authentication code; takes the same time for any.",
        .bytes("key"), .bytes("data"), .bytes("code", "Bytes, or hexadecimal digits"),
        .option(CryptoText.algorithm, or: "sha256"), returns: "boolean"
      ) { _, key, data, code, algorithm in
        .boolean(Hashing(algorithm).isValid(code, for: data, key))
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
    .choice("algorithm", ["sha256", "sha384", "sha512"])
  }
  static var form: ServiceParameter<String> { .choice("form", ["hex", "base64", "bytes"]) }

  static func result(_ bytes: [UInt8], _ form: String) -> ServiceResult {
    switch form {
    case "bytes": .bytes(bytes)
    case "base64": .string(Data(bytes).base64EncodedString())
    default: .string(Encodings.hex(bytes))
    }
  }
}

/// An algorithm of SHA-2.
private enum Hashing {
  case sha256, sha384, sha512

  init(_ name: String) {
    self = name == "sha512" ? .sha512 : name == "sha384" ? .sha384 : .sha256
  }

  func hash(_ data: [UInt8]) -> [UInt8] {
    switch self {
    case .sha256: Array(SHA256.hash(data: data))
    case .sha384: Array(SHA384.hash(data: data))
    case .sha512: Array(SHA512.hash(data: data))
    }
  }

  func code(of data: [UInt8], _ key: [UInt8]) -> [UInt8] {
    let key = SymmetricKey(data: key)
    return switch self {
    case .sha256: Array(HMAC<SHA256>.authenticationCode(for: data, using: key))
    case .sha384: Array(HMAC<SHA384>.authenticationCode(for: data, using: key))
    case .sha512: Array(HMAC<SHA512>.authenticationCode(for: data, using: key))
    }
  }

  func isValid(_ code: [UInt8], for data: [UInt8], _ key: [UInt8]) -> Bool {
    let count = hash([]).count
    var code = code
    if code.count == 2 * count {
      code = Encodings.bytes(ofHex: String(decoding: code, as: UTF8.self)) ?? []
    }
    let key = SymmetricKey(data: key)
    return switch self {
    case .sha256: HMAC<SHA256>.isValidAuthenticationCode(code, authenticating: data, using: key)
    case .sha384: HMAC<SHA384>.isValidAuthenticationCode(code, authenticating: data, using: key)
    case .sha512: HMAC<SHA512>.isValidAuthenticationCode(code, authenticating: data, using: key)
    }
  }
}
