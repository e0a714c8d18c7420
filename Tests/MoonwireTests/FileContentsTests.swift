import MoonFiles
import MoonTestSupport
import Moonwire
import Testing

@testable import MoonScripts

struct FileContentsTests {
  @Test func `a check reads each file once`() throws {
    let folder = try ScriptFolder(["a.lua": "return 1"])
    let directory = ScriptDirectory(root: folder.root)
    let contents = FileContents(of: directory)
    let first = try contents.source("a.lua")
    #expect(!contents.have("b.lua"))
    try folder.save("a.lua", "return 2")
    try folder.save("b.lua", "return 3")
    #expect(try contents.source("a.lua") === first)
    #expect(!contents.have("b.lua"))
    #expect(try FileContents(of: directory).source("a.lua").bytes == Array("return 2".utf8))
  }

  @Test func `a file that hasn't changed is the one of the earlier load`() throws {
    let folder = try ScriptFolder(["a.lua": "return 1", "b.lua": "\u{FEFF}return 1"])
    let directory = ScriptDirectory(root: folder.root)
    let first = try FileContents(of: directory).source("a.lua")
    #expect(try FileContents(of: directory).source("a.lua", since: first) === first)
    let marked = try FileContents(of: directory).source("b.lua", since: first)
    #expect(marked !== first && marked.bytes == first.bytes)
  }

  @Test func `a finished load reads nothing more`() throws {
    let folder = try ScriptFolder(["a.lua": "return 1"])
    let files = LoadedFiles(from: FileContents(of: ScriptDirectory(root: folder.root)))
    _ = try files.read("a.lua")
    files.close()
    #expect(throws: FilesError.notFound(path: "a.lua")) { try files.read("a.lua") }
    #expect(try FileContents(of: files).source("a.lua").bytes == Array("return 1".utf8))
  }
}
