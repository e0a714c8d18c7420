import Glibc
import MoonTestSupport
import Synchronization
import Testing

@testable import MoonFiles

@Suite(.ownThread) struct RootSentinelsTests {
  typealias Mode = DirectoryWatcher.Mode

  private static let modes: [Mode] = [.automatic, .polling]

  private let folder: ScriptFolder

  init() throws {
    folder = try ScriptFolder()
    try folder.save("a.lua", "1")
  }

  @Test(arguments: modes) func `a root that is removed and made again is watched again`(mode: Mode)
    throws
  {
    let observation = try Observation(of: folder, mode: mode)
    try folder.remove("")
    #expect(observation.log.has(.rescan(.rootVanished)))
    try folder.makeDirectory("")
    #expect(observation.log.has(.rescan(.rootVanished), .rescan(.rootReturned)))
    try folder.save("b.lua")
    #expect(observation.log.hasChanged("b.lua"))
  }

  @Test(arguments: modes) func `a root that is moved away and back is watched again`(mode: Mode)
    throws
  {
    let observation = try Observation(of: folder, mode: mode)
    try folder.rename("", "../parked")
    #expect(observation.log.has(.rescan(.rootVanished)))
    observation.log.clear()
    try folder.save("../parked/hidden.lua")
    try folder.rename("../parked", "../app")
    #expect(observation.log.has(.rescan(.rootReturned)))
    try folder.save("a.lua", "22")
    #expect(observation.log.hasChanged("a.lua"))
  }

  @Test(arguments: modes) func `a directory above the root may go and come back`(mode: Mode) throws
  {
    try folder.makeDirectory("x")
    try folder.makeDirectory("x/y")
    try folder.makeDirectory("x/y/z")
    let directory = ScriptDirectory(root: folder.path("x/y/z"))
    let log = WatchEventLog()
    let watcher = try DirectoryWatcher(
      directory, mode: mode, pollInterval: .milliseconds(10)
    ) { log.add($0) }
    try folder.rename("x", "w")
    #expect(log.has(.rescan(.rootVanished)))
    log.clear()
    try folder.makeDirectory("x")
    try folder.rename("w/y", "x/y")
    #expect(log.has(.rescan(.rootReturned)))
    try folder.save("x/y/z/a.lua")
    #expect(log.hasChanged("a.lua"))
    watcher.stop()
  }

  @Test(arguments: modes) func `a root that isn't there yet is awaited`(mode: Mode) throws {
    try folder.remove("")
    let observation = try Observation(of: folder, mode: mode)
    #expect(observation.log.has(.rescan(.rootVanished)))
    try folder.makeDirectory("")
    #expect(observation.log.has(.rescan(.rootReturned)))
    try folder.save("b.lua")
    #expect(observation.log.hasChanged("b.lua"))
  }

  @Test(arguments: modes) func `a file in the root's place is no root`(mode: Mode) throws {
    let observation = try Observation(of: folder, mode: mode)
    try folder.remove("")
    try folder.save("")
    #expect(observation.log.has(.rescan(.rootVanished)))
    observation.log.clear()
    try folder.remove("")
    try folder.makeDirectory("")
    #expect(observation.log.has(.rescan(.rootReturned)))
  }

  @Test(arguments: modes) func `another directory in the root's place is noticed`(mode: Mode) throws
  {
    try folder.makeDirectory("../next")
    try folder.save("../next/b.lua")
    let observation = try Observation(of: folder, mode: mode)
    try folder.rename("", "../old")
    try folder.rename("../next", "../app")
    #expect(observation.log.has(.rescan(.rootVanished), .rescan(.rootReturned)))
    observation.log.clear()
    try folder.save("b.lua", "22")
    #expect(observation.log.hasChanged("b.lua"))
  }

  @Test(arguments: modes) func `a root that is a link is followed to its new target`(mode: Mode)
    throws
  {
    try folder.makeDirectory("../next")
    try folder.makeLink("../current", to: "app")
    let directory = ScriptDirectory(root: folder.outside + "/current")
    let log = WatchEventLog()
    let watcher = try DirectoryWatcher(
      directory, mode: mode, pollInterval: .milliseconds(10)
    ) { log.add($0) }
    try folder.makeLink("../current.new", to: "next")
    try folder.rename("../current.new", "../current")
    #expect(log.has(.rescan(.rootVanished), .rescan(.rootReturned)))
    try folder.save("../next/b.lua")
    #expect(log.hasChanged("b.lua"))
    watcher.stop()
  }

  @Test func `a directory above the target of a root that is a link may go`() throws {
    try folder.makeDirectory("x")
    try folder.makeDirectory("x/y")
    try folder.makeDirectory("x/y/z")
    try folder.makeLink("../current", to: "scripts/x/y/z")
    let log = WatchEventLog()
    let directory = ScriptDirectory(root: folder.outside + "/current")
    let watcher = try DirectoryWatcher(directory) { log.add($0) }
    try folder.rename("x", "w")
    #expect(log.has(.rescan(.rootVanished)))
    watcher.stop()
  }

  @Test func `a root that goes and comes often is watched in the end`() throws {
    let log = WatchEventLog()
    let seen = Mutex<[String]>([])
    let watcher = try DirectoryWatcher(folder.directory) { [directory = folder.directory] event in
      let paths = (try? directory.scan().entries.map(\.path)) ?? []
      seen.withLock { $0 = paths }
      log.add(event)
    }
    for _ in 0..<50 {
      try folder.remove("")
      try folder.makeDirectory("")
    }
    for number in 1...3 {
      try folder.save("\(number).lua")
      #expect(log.wait { seen.withLock { $0.last } == "\(number).lua" })
    }
    watcher.stop()
  }

  @Test func `changes beside the directories above the root wake nobody`() throws {
    try folder.makeDirectory("x")
    try folder.makeDirectory("x/y")
    try folder.makeDirectory("x/y/z")
    let directory = ScriptDirectory(root: folder.path("x/y/z"))
    let tree = try WatchTree(directory, kernel: Kernel())
    #expect(tree.hasRoot)
    try folder.makeDirectory("x/other")
    try folder.rename("x/other", "other")
    try folder.save("x/a.lua")
    var awaited = pollfd(fd: tree.descriptor, events: Int16(POLLIN), revents: 0)
    #expect(poll(&awaited, 1, 0) == 0)
    // A directory there is still missed.
    try folder.rename("x/y", "x/parked")
    #expect(poll(&awaited, 1, 0) == 1)
    #expect(try tree.takeEvents() == [.rescan(.rootVanished)])
    try folder.rename("x/parked", "x/y")
    #expect(try tree.takeEvents() == [.rescan(.rootReturned)])
  }

  @Test func `a root whose whole path is removed and made again is watched again`() throws {
    try folder.makeDirectory("x")
    try folder.makeDirectory("x/y")
    try folder.makeDirectory("x/y/z")
    let log = WatchEventLog()
    // A process that uses a directory keeps it from reporting its own removal.
    let use = open(folder.path("x"), O_RDONLY | O_DIRECTORY)
    defer { close(use) }
    let watcher = try DirectoryWatcher(ScriptDirectory(root: folder.path("x/y/z"))) { log.add($0) }
    try folder.remove("x")
    #expect(log.has(.rescan(.rootVanished)))
    log.clear()
    try folder.makeDirectory("x")
    try folder.makeDirectory("x/y")
    try folder.makeDirectory("x/y/z")
    #expect(log.has(.rescan(.rootReturned)))
    try folder.save("x/y/z/a.lua")
    #expect(log.hasChanged("a.lua"))
    watcher.stop()
  }

  @Test func `neighbours of the root are not told`() throws {
    let observation = try Observation(of: folder)
    try folder.save("../other.lua")
    try folder.makeDirectory("../other")
    try folder.save("b.lua")
    #expect(observation.log.hasChanged("b.lua"))
    observation.watcher.stop()
    #expect(observation.log.all == [.changed(["b.lua"])])
  }
}
