import Foundation

/// A folder of a test's own, removed with everything in it when the test is over.
package final class TemporaryFolder: Sendable {
  /// Its absolute path.
  package let path: String

  /// Makes an empty folder that only this user can enter.
  ///
  /// - Throws: `POSIXError` if the system refuses.
  package init() throws {
    let folder = ProcessInfo.processInfo.environment["TMPDIR"] ?? "/tmp"
    var template = Array("\(folder)/moonwire-XXXXXX".utf8CString)
    guard let made = mkdtemp(&template) else {
      throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO)
    }
    path = String(cString: made)
  }

  deinit {
    try? FileManager.default.removeItem(atPath: path)
  }
}
