import CCrypto
import Glibc

/// The name of the contents of a file.
///
/// It is their SHA-256 hash, so that nobody can make other contents of the same name.
package struct ContentHash: Hashable, Sendable {
  private static let byteCount = 32

  /// The hash as hexadecimal digits.
  package let digits: String

  /// Makes a name that was written down.
  package init(digits: String) { self.digits = digits }

  /// Names contents.
  ///
  /// - Throws: ``SystemError`` if libcrypto can't hash them.
  package init(of contents: [UInt8]) throws(SystemError) {
    var (hash, count) = ([UInt8](repeating: 0, count: Self.byteCount), 0)
    guard
      EVP_Q_digest(nil, "sha256", nil, contents, contents.count, &hash, &count) == 1,
      count == Self.byteCount
    else {
      // Otherwise the next user of libcrypto on this thread would see the errors.
      ERR_clear_error()
      throw SystemError(code: ENOSYS)
    }
    digits = hash.map { Self.digits(of: UInt64($0), count: 2) }.joined()
  }

  /// Returns a short mark of a path, for the names of what belongs to a directory.
  ///
  /// It is long enough that nobody finds a path with the mark of a given one.
  package static func mark(of path: String) -> String {
    let bytes = Array(path.utf8)
    return String(((try? Self(of: bytes)) ?? Self(formerlyOf: bytes)).digits.prefix(16))
  }

  /// Names contents as journals of earlier versions do, by their 64-bit FNV-1a hash
  /// (draft-eastlake-fnv).
  package init(formerlyOf contents: [UInt8]) {
    let hash = contents.reduce(0xcbf2_9ce4_8422_2325 as UInt64) {
      ($0 ^ UInt64($1)) &* 0x0000_0100_0000_01b3
    }
    digits = Self.digits(of: hash, count: 16)
  }

  private static func digits(of number: UInt64, count: Int) -> String {
    let digits = String(number, radix: 16)
    return String(repeating: "0", count: count - digits.count) + digits
  }
}
