import Foundation
import Glibc

/// A script directory of a test's own, and one around it; both are gone when the test is over.
package final class ScriptFolder: Sendable {
  /// The directory in which ``root`` lies.
  private let folder: TemporaryFolder
  /// The script directory; there from the beginning.
  package let root: String

  /// Makes a directory with these files.
  ///
  /// - Throws: What the system says if it refuses.
  package init(_ files: [String: String] = [:]) throws {
    folder = try TemporaryFolder()
    root = folder.path + "/app"
    try makeDirectory("")
    for (path, text) in files { try save(path, text) }
  }

  /// Lets other users in; what lies in it they may read as its own mode says.
  ///
  /// - Throws: What the system says if it refuses.
  package func admitOthers() throws { try check(chmod(outside, 0o755), "..") }

  /// The absolute path of the directory around ``root``.
  package var outside: String { folder.path }

  /// The absolute path of a relative one; `../x` lies beside the root, be that there or not.
  package func path(_ relative: String) -> String {
    if relative.hasPrefix("../") { return outside + relative.dropFirst(2) }
    return relative.isEmpty ? root : root + "/" + relative
  }

  // MARK: Saving

  /// Saves in place, as `cat >` does: the file is truncated, written and closed.
  ///
  /// Folders that are missing are made.
  package func save(_ relative: String, _ text: String = "return {}") throws {
    try save(relative, bytes: Array(text.utf8))
  }

  /// The same with bytes that needn't be text.
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

  /// Saves as Vim does with `backupcopy=no`: the old file becomes a backup, the name a new file.
  package func saveAsVim(_ relative: String, _ text: String) throws {
    let folder = (relative as NSString).deletingLastPathComponent
    let probe = folder.isEmpty ? "4913" : folder + "/4913"
    try save(probe, "")
    try remove(probe)
    try rename(relative, relative + "~")
    try save(relative, text)
    try remove(relative + "~")
  }

  /// Saves as Emacs does: a file beside it takes its place in one step.
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

  /// Gives a file another name; one that has it goes.
  package func rename(_ old: String, _ new: String) throws {
    try check(Glibc.rename(path(old), path(new)), old)
  }

  /// Removes a file, a symbolic link or a whole directory.
  package func remove(_ relative: String) throws {
    try FileManager.default.removeItem(atPath: path(relative))
  }

  /// Makes a symbolic link that says `target`, word for word.
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
