import Foundation
import Glibc
import MoonTestSupport
import Testing

/// A script directory of a test's own.
final class ScriptFolder: Sendable {
  /// The directory in which `root` lies.
  private let folder: TemporaryFolder
  let root: String

  init(_ files: [String: String] = [:]) throws {
    folder = try TemporaryFolder()
    root = folder.path + "/scripts"
    try makeDirectory("")
    for (path, text) in files { try save(path, text) }
  }

  /// The absolute path of a relative one; `../x` lies beside the root.
  func path(_ relative: String) -> String {
    if relative.hasPrefix("../") { return folder.path + relative.dropFirst(2) }
    return relative.isEmpty ? root : root + "/" + relative
  }

  /// Saves in place, as `cat >` does: the file is truncated, written and closed.
  func save(_ relative: String, _ text: String) throws {
    let name = path(relative)
    let folder = (name as NSString).deletingLastPathComponent
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    let descriptor = try check(open(name, O_WRONLY | O_CREAT | O_TRUNC, 0o644), relative)
    defer { close(descriptor) }
    let bytes = Array(text.utf8)
    try #require(write(descriptor, bytes, bytes.count) == bytes.count)
  }

  /// Saves as Vim does with `backupcopy=no`: the old file becomes a backup, the name a new file.
  func saveAsVim(_ relative: String, _ text: String) throws {
    let folder = (relative as NSString).deletingLastPathComponent
    let probe = folder.isEmpty ? "4913" : folder + "/4913"
    try save(probe, "")
    try remove(probe)
    try rename(relative, relative + "~")
    try save(relative, text)
    try remove(relative + "~")
  }

  /// Saves as Emacs does: a file beside it takes its place in one step.
  func saveAsEmacs(_ relative: String, _ text: String) throws {
    let name = (relative as NSString).lastPathComponent
    let folder = (relative as NSString).deletingLastPathComponent
    let draft = (folder.isEmpty ? "" : folder + "/") + ".#\(name)x1"
    try save(draft, text)
    try rename(draft, relative)
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

  func makeLink(_ relative: String, to target: String) throws {
    try check(symlink(target, path(relative)), relative)
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
