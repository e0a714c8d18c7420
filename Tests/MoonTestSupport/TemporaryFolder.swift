import Foundation

/// A temporary folder, removed with its contents after the test.
package final class TemporaryFolder: Sendable {
  private static let removalCountMax = 1_000
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
    // Tests leave hosts and programs behind as if they were killed. What these still write or remove
    // makes a removal fail that meets it, so the removal begins again as long as something is left.
    var failure: (any Error)?
    for _ in 1...Self.removalCountMax where access(path, F_OK) == 0 {
      do { try FileManager.default.removeItem(atPath: path) } catch { failure = error }
    }
    guard access(path, F_OK) == 0, let failure else { return }
    FileHandle.standardError.write(Data("\(path) can't be removed: \(failure)\n".utf8))
  }
}
