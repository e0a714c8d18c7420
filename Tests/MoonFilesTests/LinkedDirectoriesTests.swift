import Glibc
import MoonTestSupport
import Testing

@testable import MoonFiles

/// Symbolic links into directories that are allowed, and into others.
struct LinkedDirectoriesTests {
  private typealias Problem = ScriptDirectory.Problem

  private let folder: ScriptFolder
  private let directory: ScriptDirectory

  init() throws {
    folder = try ScriptFolder()
    try folder.save("../checkout/a.lua", "1")
    try folder.save("../checkout/lib/b.lua", "2")
    try folder.save("../checkouts/c.lua", "3")
    try folder.makeLink("../checkout/out.lua", to: "../checkouts/c.lua")
    try folder.makeLink("../checkout/home", to: "../app")
    try folder.makeLink("a.lua", to: "../checkout/a.lua")
    try folder.makeLink("lib", to: "../checkout/lib")
    try folder.makeLink("c.lua", to: "../checkouts/c.lua")
    try folder.makeLink("all", to: "../checkout")
    try folder.makeLink("up", to: "..")
    directory = ScriptDirectory(
      root: folder.root, followingLinksInto: [folder.path("../checkout"), folder.path("../none")])
  }

  @Test func `links into them are followed, and no others`() throws {
    let listing = try directory.scan()
    #expect(listing.entries.map(\.path) == ["a.lua", "all/a.lua", "all/lib/b.lua", "lib/b.lua"])
    let outside = folder.path("../checkouts/c.lua")
    #expect(
      listing.problems == [
        Problem(path: "all/home", reason: .linkLoop(target: folder.root)),
        Problem(path: "all/out.lua", reason: .leavesRoot(target: outside)),
        Problem(path: "c.lua", reason: .leavesRoot(target: outside)),
        Problem(path: "up", reason: .leavesRoot(target: folder.outside)),
      ])
  }

  @Test func `files are read from them, and from nowhere else`() throws {
    #expect(try directory.read("a.lua").bytes == Array("1".utf8))
    #expect(try directory.read("all/lib/b.lua").bytes == Array("2".utf8))
    for path in ["c.lua", "all/out.lua", "up/checkouts/c.lua"] {
      #expect(
        throws: FilesError.leavesRoot(path: path, target: folder.path("../checkouts/c.lua"))
      ) {
        try directory.read(path)
      }
    }
  }

  @Test func `one that goes allows nothing, and allows again when it returns`() throws {
    try folder.rename("../checkout", "../away")
    #expect(try directory.scan().entries.isEmpty)
    #expect(throws: FilesError.notFound(path: "a.lua")) { try directory.read("a.lua") }
    try folder.makeLink("../checkout", to: "away")
    #expect(try directory.read("a.lua").bytes == Array("1".utf8))
  }

  @Test func `what is saved in them is told`() throws {
    let tree = try WatchTree(directory, kernel: Kernel())
    try folder.save("../checkout/a.lua", "4")
    #expect(try tree.takeEvents() == [.changed(["a.lua", "all/a.lua"])])
    try folder.save("../checkout/lib/b.lua", "5")
    #expect(try tree.takeEvents() == [.changed(["all/lib/b.lua", "lib/b.lua"])])
    try folder.save("../checkouts/c.lua", "6")
    #expect(try tree.takeEvents().isEmpty)
  }

  @Test func `what is saved in them is seen by polling`() throws {
    let before = try #require(Snapshot(of: directory))
    try folder.save("../checkout/a.lua", "a longer text")
    let after = try #require(Snapshot(of: directory))
    #expect(before.differences(to: after).isSuperset(of: ["a.lua", "all/a.lua"]))
  }

  @Test func `files that only look like scripts are listed apart`() throws {
    let folder = try ScriptFolder([
      "good.lua": "", ".hidden.lua": "", "shout.LUA": "", "lib/Mixed.Lua": "", ".lua": "",
      ".#lock.lua": "", "._good.lua": "", ".good.lua.swp": "", "good.lua~": "", "shout.LUA~": "",
      "text.txt": "", ".git/x.lua": "", "Folder.LUA/inner.lua": "",
    ])
    let listing = try folder.directory.scan()
    #expect(listing.entries.map(\.path) == ["Folder.LUA/inner.lua", "good.lua"])
    #expect(listing.problems.isEmpty)
    #expect(
      listing.lookalikes == [
        ScriptDirectory.Lookalike(path: ".hidden.lua", reason: .hidden),
        ScriptDirectory.Lookalike(path: "lib/Mixed.Lua", reason: .ending),
        ScriptDirectory.Lookalike(path: "shout.LUA", reason: .ending),
      ])
  }
}
