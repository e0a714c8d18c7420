import Foundation
import Glibc
import MoonFiles
import MoonTestSupport
import Testing

struct PrivateFileTests {
  private static func mode(_ path: String) -> mode_t? {
    var status = stat()
    return stat(path, &status) == 0 ? status.st_mode & 0o777 : nil
  }

  @Test func `a file is made with its directories, for its owner only, and replaced`() throws {
    let folder = try TemporaryFolder()
    let directory = folder.path + "/one/two"
    for text in ["first", "", String(repeating: "x", count: 300_000)] {
      try PrivateFile.replace(directory + "/file", with: Array(text.utf8))
      #expect(try Data(contentsOf: URL(filePath: directory + "/file")) == Data(text.utf8))
    }
    #expect(Self.mode(directory + "/file") == 0o600)
    #expect(Self.mode(directory) == 0o700)
    #expect(Self.mode(folder.path + "/one") == 0o700)
    #expect(try FileManager.default.contentsOfDirectory(atPath: directory) == ["file"])
  }

  @Test func `a file that can't be replaced stays as it is, and nothing is left beside it`() throws
  {
    let folder = try TemporaryFolder()
    mkdir(folder.path + "/file", 0o700)
    #expect(throws: SystemError(code: EISDIR)) {
      try PrivateFile.replace(folder.path + "/file", with: [1])
    }
    #expect(throws: SystemError(code: ENOTDIR)) {
      try PrivateFile.replace("/dev/null/file", with: [1])
    }
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["file"])
  }

  @Test func `what a killed process has left is cleared, and nothing else`() throws {
    let folder = try TemporaryFolder()
    let path = folder.path + "/file"
    // The number of a process, and when it began; the first can't be one.
    let own = try #require(DraftName.random().split(separator: "-").dropFirst(1).first)
    let left = [".moonwire-2147483647-5-ab", ".moonwire-\(own)-1-ab"]
    let kept = [
      DraftName.random(), ".moonwire-0-1-ab", ".moonwire-1-ab", ".moonwire-x-1-ab",
      "file.2147483647",
      "moonwire-2147483647-5-ab", ".moonwire-2147483647-5-ab-c",
    ]
    for name in left + kept {
      #expect(FileManager.default.createFile(atPath: folder.path + "/" + name, contents: nil))
    }
    try PrivateFile.replace(path, with: [1])
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
    #expect(names.sorted() == (kept + ["file"]).sorted())
  }

  @Test func `a lock is one holder's until it is released`() throws {
    let folder = try TemporaryFolder()
    let path = folder.path + "/lock"
    #expect(throws: SystemError(code: ENOENT)) { try FileLock(path, creating: false) }
    let lock = try FileLock(path, creating: true)
    #expect(Self.mode(path) == 0o600)
    #expect(throws: SystemError(code: EWOULDBLOCK)) {
      try FileLock(path, creating: true, within: 0.03)
    }
    #expect(lock.isInPlace)
    unlink(path)
    #expect(!lock.isInPlace)
    lock.release()
    lock.release()
    try FileLock(path, creating: true).release()
    let again = try FileLock(path, creating: false)
    withExtendedLifetime(again) {}
  }

  @Test func `a locked file that is moved isn't in place, whatever has its name`() throws {
    let folder = try TemporaryFolder()
    let path = folder.path + "/lock"
    let lock = try FileLock(path, creating: true)
    defer { lock.release() }
    #expect(FileLock.isHeld(path))
    #expect(rename(path, path + "2") == 0)
    #expect(!lock.isInPlace)
    #expect(FileLock.isHeld(path + "2") && !FileLock.isHeld(path))
    try PrivateFile.replace(path, with: [])
    #expect(!lock.isInPlace && !FileLock.isHeld(path))
    #expect(symlink(path + "2", path + "3") == 0 && rename(path + "3", path) == 0)
    #expect(lock.isInPlace)
  }

  @Test func `a released lock isn't kept by a process that has a copy of its descriptor`() throws {
    let folder = try TemporaryFolder()
    let path = folder.path + "/lock"
    let lock = try FileLock(path, creating: true)
    // As a process has that is being started.
    let copies = try descriptors(of: path).map { dup($0) }
    defer { for copy in copies { close(copy) } }
    #expect(copies.count == 1)
    lock.release()
    try FileLock(path, creating: false).release()
  }

  /// Returns the descriptors of this process that are open for a file.
  private func descriptors(of path: String) throws -> [Int32] {
    let file = URL(filePath: path).resolvingSymlinksInPath().path
    return try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")
      .filter {
        (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\($0)")) == file
      }
      .compactMap { Int32($0) }
  }

  @Test func `a file is read as a whole, or not at all`() throws {
    let folder = try TemporaryFolder()
    let path = folder.path + "/file"
    let bytes = (0..<200_000).map { UInt8(truncatingIfNeeded: $0) }
    try PrivateFile.replace(path, with: bytes)
    #expect(try WholeFile.bytes(of: path, upTo: 200_000) == bytes)
    #expect(throws: SystemError(code: EFBIG)) { try WholeFile.bytes(of: path, upTo: 199_999) }
    #expect(throws: SystemError(code: ENOENT)) { try WholeFile.bytes(of: path + "2", upTo: 1) }
    #expect(throws: SystemError(code: EISDIR)) { try WholeFile.bytes(of: folder.path, upTo: 1) }
  }
}
