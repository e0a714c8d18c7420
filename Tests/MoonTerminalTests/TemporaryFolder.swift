import Foundation

/// A folder of a test's own, gone with it.
final class TemporaryFolder {
  let path = NSTemporaryDirectory() + "moonwire-\(UUID().uuidString)"

  init() {
    try? FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
  }

  deinit {
    try? FileManager.default.removeItem(atPath: path)
  }
}
