import Foundation
import Glibc
import MoonFiles
import MoonTestSupport
import Testing

/// A script directory of a test's own, and one around it.
final class ScriptFolder: Sendable {
  private let folder: TemporaryFolder
  /// The script directory; there from the beginning.
  let root: String

  init() throws {
    folder = try TemporaryFolder()
    root = folder.path + "/scripts"
    try makeDirectory("")
  }

  /// The directory in which `root` lies.
  var outside: String { folder.path }
  var directory: ScriptDirectory { ScriptDirectory(root: root) }

  /// The absolute path of a relative one; `../x` lies beside the root, be that there or not.
  func path(_ relative: String) -> String {
    if relative.hasPrefix("../") { return outside + relative.dropFirst(2) }
    return relative.isEmpty ? root : root + "/" + relative
  }

  /// Saves in place: the file is truncated, written and closed.
  func save(_ relative: String, _ text: String = "return {}") throws {
    try save(relative, bytes: Array(text.utf8))
  }

  func save(_ relative: String, bytes: [UInt8]) throws {
    let descriptor = try check(open(path(relative), O_WRONLY | O_CREAT | O_TRUNC, 0o644), relative)
    defer { close(descriptor) }
    try #require(write(descriptor, bytes, bytes.count) == bytes.count)
  }

  func makeDirectory(_ relative: String) throws {
    try check(mkdir(path(relative), 0o755), relative)
  }

  func rename(_ old: String, _ new: String) throws {
    try check(Glibc.rename(path(old), path(new)), old)
  }

  /// Removes a file, a symbolic link or a whole directory.
  func remove(_ relative: String) throws {
    try FileManager.default.removeItem(atPath: path(relative))
  }

  /// Makes a symbolic link that says `target`, word for word.
  func makeLink(_ relative: String, to target: String) throws {
    try check(symlink(target, path(relative)), relative)
  }

  func makeHardLink(_ relative: String, to existing: String) throws {
    try check(link(path(existing), path(relative)), relative)
  }

  @discardableResult
  private func check(_ result: Int32, _ relative: String) throws -> Int32 {
    guard result >= 0 else {
      throw CocoaError(
        .fileWriteUnknown, userInfo: ["path": relative, "reason": String(cString: strerror(errno))])
    }
    return result
  }
}
