import Foundation

/// A temporary folder, removed with its contents after the test.
package final class TemporaryFolder: Sendable {
  /// The absolute path.
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
