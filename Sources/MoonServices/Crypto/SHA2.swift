import CCrypto
import Moonwire

/// An algorithm of SHA-2 (FIPS 180-4), as implemented by libcrypto.
package enum SHA2: String, CaseIterable {
  case sha256, sha384, sha512

  /// The size of a hash and of a code.
  var byteCount: Int {
    switch self {
    case .sha256: 32
    case .sha384: 48
    case .sha512: 64
    }
  }

  /// The size of the blocks that are hashed in turn.
  private var blockByteCount: Int { self == .sha256 ? 64 : 128 }

  /// Returns the hash of bytes.
  func hash(_ data: [UInt8]) throws(CryptoFailure) -> [UInt8] {
    var (hash, count) = ([UInt8](repeating: 0, count: byteCount), 0)
    guard EVP_Q_digest(nil, rawValue, nil, data, data.count, &hash, &count) == 1,
      count == byteCount
    else { throw .refused(self) }
    return hash
  }

  /// Returns the hash of bytes, in hexadecimal digits.
  package func digits(of data: [UInt8]) throws(CryptoFailure) -> String {
    Encodings.hex(try hash(data))
  }

  /// Returns the authentication code of bytes (RFC 2104).
  func code(of data: [UInt8], _ key: [UInt8]) throws(CryptoFailure) -> [UInt8] {
    // The address of an empty array may be nil, which means no key, so an empty key gets the first
    // zero of its padding. libcrypto stores the length as an `int`, so a long key is hashed here.
    let key = key.isEmpty ? [0] : key.count > blockByteCount ? try hash(key) : key
    var (code, count) = ([UInt8](repeating: 0, count: byteCount), 0)
    let made = EVP_Q_mac(
      nil, "HMAC", nil, rawValue, nil, key, key.count, data, data.count, &code, code.count, &count)
    guard made != nil, count == byteCount else { throw .refused(self) }
    return code
  }

  /// Returns whether a code, in bytes or hexadecimal digits, is that of bytes.
  ///
  /// The time doesn't depend on where the codes differ.
  func isValid(
    _ code: [UInt8], for data: [UInt8], _ key: [UInt8]
  ) throws(CryptoFailure) -> Bool {
    let own = try self.code(of: data, key)
    var code = code
    if code.count == 2 * byteCount {
      code = Encodings.bytes(ofHex: String(decoding: code, as: UTF8.self)) ?? []
    }
    return code.count == own.count && CRYPTO_memcmp(code, own, own.count) == 0
  }
}

/// The reason that nothing can be hashed.
package enum CryptoFailure: ServiceFailure, Equatable {
  /// libcrypto can't run the algorithm: its configuration lacks it, or memory has run out.
  case unavailable(SHA2)

  /// Makes the error for what libcrypto has just refused.
  fileprivate static func refused(_ algorithm: SHA2) -> CryptoFailure {
    // Otherwise the next user of libcrypto on this thread would see the errors.
    ERR_clear_error()
    return .unavailable(algorithm)
  }

  package var code: String { "unavailable" }

  package var description: String {
    switch self {
    case .unavailable(let algorithm): "libcrypto can't carry out \(algorithm.rawValue)"
    }
  }
}
