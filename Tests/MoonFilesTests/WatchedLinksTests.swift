import MoonFiles
import MoonTestSupport
import Testing

@Suite(.ownThread) struct WatchedLinksTests {
  private let folder: ScriptFolder

  init() throws {
    folder = try ScriptFolder()
    try folder.makeDirectory("lib")
    try folder.save("lib/a.lua", "1")
    try folder.save("lib/a.txt", "1")
  }

  @Test(arguments: ["lib/a.lua", "lib/a.txt", "second.lua"])
  func `a link to a file changes when its target is saved`(target: String) throws {
    try folder.makeLink("second.lua", to: "lib/a.lua")
    try folder.makeLink("link.lua", to: target)
    let observation = try Observation(of: folder)
    try folder.save(target, "22")
    #expect(observation.log.hasChanged("link.lua"))
  }

  @Test func `a link that comes is watched like one that was there`() throws {
    let observation = try Observation(of: folder)
    try folder.makeLink("link.lua", to: "lib/a.txt")
    #expect(observation.log.hasChanged("link.lua"))
    observation.log.clear()
    try folder.save("lib/a.txt", "22")
    #expect(observation.log.hasChanged("link.lua"))
    observation.log.clear()
    try folder.remove("link.lua")
    #expect(observation.log.hasChanged("link.lua"))
  }

  @Test func `files in a linked directory change under both names`() throws {
    try folder.makeLink("alias", to: "lib")
    let observation = try Observation(of: folder)
    try folder.save("lib/a.lua", "22")
    #expect(observation.log.hasChanged("lib/a.lua", "alias/a.lua"))
    observation.log.clear()
    try folder.remove("alias")
    #expect(observation.log.hasChanged("alias"))
    observation.log.clear()
    try folder.save("lib/a.lua", "333")
    #expect(observation.log.hasChanged("lib/a.lua"))
    #expect(!observation.log.changed.contains("alias/a.lua"))
  }

  @Test func `a dangling link changes when its target appears`() throws {
    try folder.makeLink("link.lua", to: "lib/later.txt")
    let observation = try Observation(of: folder)
    try folder.save("lib/later.txt")
    #expect(observation.log.hasChanged("link.lua"))
  }

  /// Kubernetes mounts configuration this way, and replaces all of it by one renaming.
  @Test func `links through a hidden link change when that is swapped`() throws {
    try folder.makeDirectory("..one")
    try folder.makeDirectory("..two")
    try folder.makeDirectory("..one/lib")
    try folder.makeDirectory("..two/lib")
    for file in ["a.lua", "lib/b.lua"] {
      try folder.save("..one/" + file, "1")
      try folder.save("..two/" + file, "1")
    }
    try folder.makeLink("..data", to: "..one")
    try folder.makeLink("a.lua", to: "..data/a.lua")
    try folder.makeLink("dir", to: "..data/lib")
    let observation = try Observation(of: folder)
    try folder.makeLink("..data_tmp", to: "..two")
    try folder.rename("..data_tmp", "..data")
    #expect(observation.log.hasChanged("a.lua", "dir", "dir/b.lua"))
    observation.log.clear()
    try folder.save("..two/lib/b.lua", "22")
    #expect(observation.log.hasChanged("dir/b.lua"))
  }

  @Test func `a link changes when a directory on its way is swapped and swapped back`() throws {
    try folder.makeDirectory("..hidden")
    try folder.makeDirectory("..hidden/deep")
    try folder.save("..hidden/deep/a.lua", "1")
    try folder.makeLink("alias", to: "..hidden/deep")
    let observation = try Observation(of: folder)
    try folder.rename("..hidden", "../parked")
    #expect(observation.log.hasChanged("alias"))
    observation.log.clear()
    try folder.rename("../parked", "..hidden")
    #expect(observation.log.hasChanged("alias", "alias/a.lua"))
    observation.log.clear()
    try folder.save("..hidden/deep/a.lua", "22")
    #expect(observation.log.hasChanged("alias/a.lua"))
  }

  @Test func `a link that leads back into the root through others outside is watched`() throws {
    try folder.makeLink("../way", to: "app/lib")
    try folder.makeLink("alias", to: "../way")
    let observation = try Observation(of: folder)
    try folder.save("lib/a.lua", "22")
    #expect(observation.log.hasChanged("lib/a.lua", "alias/a.lua"))
    observation.log.clear()
    try folder.remove("../way")
    #expect(observation.log.hasChanged("alias"))
    try folder.makeLink("../way", to: "app/lib")
    #expect(observation.log.hasChanged("alias/a.lua"))
  }

  @Test func `a link that leaves the root or comes back into it changes`() throws {
    try folder.makeDirectory("../outer")
    try folder.makeLink("alias", to: "lib")
    let observation = try Observation(of: folder)
    for target in ["../outer", "lib"] {
      observation.log.clear()
      try folder.makeLink("next.tmp", to: target)
      try folder.rename("next.tmp", "alias")
      #expect(observation.log.hasChanged("alias"))
    }
  }

  @Test func `a loop of links is no end of the watching`() throws {
    try folder.makeLink("alias", to: "lib")
    let observation = try Observation(of: folder)
    try folder.remove("alias")
    try folder.makeLink("alias", to: "other")
    try folder.makeLink("other", to: "alias")
    try folder.save("lib/a.lua", "22")
    #expect(observation.log.hasChanged("lib/a.lua"))
    observation.watcher.stop()
    #expect(!observation.log.all.contains { if case .notice = $0 { true } else { false } })
  }
}
