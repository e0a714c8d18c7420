import Testing

@testable import MoonFiles

struct ScriptNameTests {
  @Test(arguments: [
    ".a.lua", ".#a.lua", "..data", "a.lua~", "~", ".a.lua.swp", "a.swx", "4913", "#a.lua#", "##",
    "a.tmp", "a.lua.tmp", ".tmp", "",
  ])
  func `an editor's name is ignored`(name: String) {
    #expect(ScriptName.isIgnored(name))
  }

  @Test(arguments: [
    "a.lua", "#a.lua", "a#", "#", "4913.lua", "14913", "tmp", "atmp", "a.sw", "a.swap", "sw.lua",
    "a.tmp.lua", "~a.lua", "a..lua", "init.lua", "lib",
  ])
  func `a name that only resembles an editor's counts`(name: String) {
    #expect(!ScriptName.isIgnored(name))
  }

  @Test func `a path is within a directory by whole components`() {
    #expect(ScriptName.isWithin("a/b", "a"))
    #expect(ScriptName.isWithin("a", "a"))
    #expect(ScriptName.isWithin("a", ""))
    #expect(!ScriptName.isWithin("ab", "a"))
    #expect(!ScriptName.isWithin("a", "a/b"))
  }

  @Test func `the depth of a path is the number of its components`() {
    #expect(["", "a", "a/b", "a/b/c.lua"].map(ScriptName.depth) == [0, 1, 2, 3])
  }
}
