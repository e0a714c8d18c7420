import Foundation
import Glibc

/// A temporary script directory, and a directory around it.
///
/// Both are removed after the test.
package final class ScriptFolder: Sendable {
  /// The directory that contains ``root``.
  private let folder: TemporaryFolder
  /// The script directory, which exists from the beginning.
  package let root: String

  /// Makes a directory with these files.
  ///
  /// - Throws: The system's error if it refuses.
  package init(_ files: [String: String] = [:]) throws {
    folder = try TemporaryFolder()
    root = folder.path + "/app"
    try makeDirectory("")
    for (path, text) in files { try save(path, text) }
  }

  /// Lets other users in.
  ///
  /// Files keep their own modes.
  ///
  /// - Throws: The system's error if it refuses.
  package func admitOthers() throws { try check(chmod(outside, 0o755), "..") }

  /// The absolute path of the directory around ``root``.
  package var outside: String { folder.path }

  /// Returns the absolute form of a relative path; `../x` is beside the root, whether it exists or
  /// not.
  package func path(_ relative: String) -> String {
    if relative.hasPrefix("../") { return outside + relative.dropFirst(2) }
    return relative.isEmpty ? root : root + "/" + relative
  }

  // MARK: Saving

  /// Saves in place, as `cat >` does: the file is truncated, written and closed.
  ///
  /// Missing folders are created.
  package func save(_ relative: String, _ text: String = "return {}") throws {
    try save(relative, bytes: Array(text.utf8))
  }

  /// Does the same with bytes that needn't be text.
  package func save(_ relative: String, bytes: [UInt8]) throws {
    let name = path(relative)
    let folder = (name as NSString).deletingLastPathComponent
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    let descriptor = try check(open(name, O_WRONLY | O_CREAT | O_TRUNC, 0o644), relative)
    defer { close(descriptor) }
    guard write(descriptor, bytes, bytes.count) == bytes.count else {
      throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO)
    }
  }

  /// Saves as Vim does with `backupcopy=no`: the old file becomes a backup, and a new file gets the
  /// name.
  package func saveAsVim(_ relative: String, _ text: String) throws {
    let folder = (relative as NSString).deletingLastPathComponent
    let probe = folder.isEmpty ? "4913" : folder + "/4913"
    try save(probe, "")
    try remove(probe)
    try rename(relative, relative + "~")
    try save(relative, text)
    try remove(relative + "~")
  }

  /// Saves as Emacs does: a new file replaces the old one in one step.
  package func saveAsEmacs(_ relative: String, _ text: String) throws {
    let name = (relative as NSString).lastPathComponent
    let folder = (relative as NSString).deletingLastPathComponent
    let draft = (folder.isEmpty ? "" : folder + "/") + ".#\(name)x1"
    try save(draft, text)
    try rename(draft, relative)
  }

  // MARK: The rest

  /// Makes one directory.
  package func makeDirectory(_ relative: String) throws {
    try check(mkdir(path(relative), 0o755), relative)
  }

  /// Renames a file, replacing any file that has the new name.
  package func rename(_ old: String, _ new: String) throws {
    try check(Glibc.rename(path(old), path(new)), old)
  }

  /// Removes a file, a symbolic link or a whole directory.
  package func remove(_ relative: String) throws {
    try FileManager.default.removeItem(atPath: path(relative))
  }

  /// Makes a symbolic link to `target`, taken literally.
  package func makeLink(_ relative: String, to target: String) throws {
    try check(symlink(target, path(relative)), relative)
  }

  /// Gives a file a second name.
  package func makeHardLink(_ relative: String, to existing: String) throws {
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
