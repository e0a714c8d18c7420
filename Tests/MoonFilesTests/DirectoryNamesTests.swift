import Foundation
import Glibc
import MoonTestSupport
import Testing

@testable import MoonFiles

struct DirectoryNamesTests {
  @Test func `names are sorted, and hidden ones are left out`() throws {
    let folder = try ScriptFolder(["b.lua": "", "a.lua": "", ".hidden": "", "sub/c.lua": ""])
    #expect(try DirectoryNames.all(in: folder.root) == ["a.lua", "b.lua", "sub"])
  }

  @Test func `names of any length and any bytes are read`() throws {
    let folder = try ScriptFolder([:])
    let long = String(repeating: "x", count: 255)
    for name in [Array(long.utf8), [0x61, 0xFF]] {
      let path =
        (folder.root + "/").utf8CString.dropLast() + (name + [0]).map(CChar.init(bitPattern:))
      let file = try #require(fopen(Array(path), "w"))
      fclose(file)
    }
    #expect(try DirectoryNames.all(in: folder.root) == ["a\u{FFFD}", long])
  }

  @Test func `what can't be read is an error`() throws {
    let folder = try ScriptFolder(["a.lua": ""])
    #expect(throws: SystemError(code: ENOENT)) { try DirectoryNames.all(in: folder.path("none")) }
    #expect(throws: SystemError(code: ENOTDIR)) { try DirectoryNames.all(in: folder.path("a.lua")) }
  }
}
