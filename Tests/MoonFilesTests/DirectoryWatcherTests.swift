import Dispatch
import Foundation
import Glibc
import MoonFiles
import MoonTestSupport
import Synchronization
import Testing

@Suite(.ownThread) struct DirectoryWatcherTests {
  typealias Mode = DirectoryWatcher.Mode

  private static let modes: [Mode] = [.automatic, .polling]

  private let folder: ScriptFolder

  init() throws {
    folder = try ScriptFolder()
  }

  @Test(arguments: modes) func `a save in place is told`(mode: Mode) throws {
    try folder.save("a.lua", "1")
    try folder.save("b.lua", "1")
    let observation = try Observation(of: folder, mode: mode)
    try folder.save("a.lua", "22")
    #expect(observation.log.hasChanged("a.lua"))
    observation.watcher.stop()
    #expect(observation.log.all.allSatisfy { $0.isChanged(within: ["a.lua", "b.lua"]) })
  }

  @Test(arguments: modes) func `a save by renaming a new file over is told`(mode: Mode) throws {
    try folder.save("a.lua", "1")
    let observation = try Observation(of: folder, mode: mode)
    try folder.save("a.lua.tmp", "22")
    try folder.rename("a.lua.tmp", "a.lua")
    #expect(observation.log.hasChanged("a.lua"))
    observation.watcher.stop()
    #expect(observation.log.changed == ["a.lua"])
  }

  @Test(arguments: modes) func `a save as Vim does it is told under the one name`(mode: Mode) throws
  {
    try folder.save("a.lua", "1")
    let observation = try Observation(of: folder, mode: mode)
    try folder.save("4913", "")
    try folder.remove("4913")
    try folder.save(".a.lua.swp", "swap")
    try folder.rename("a.lua", "a.lua~")
    observation.log.clear()
    try folder.save("a.lua", "22")
    #expect(observation.log.hasChanged("a.lua"))
    try folder.remove("a.lua~")
    observation.watcher.stop()
    #expect(observation.log.changed == ["a.lua"])
    #expect(try folder.directory.read("a.lua").bytes == Array("22".utf8))
  }

  @Test(arguments: modes) func `a save as Emacs does it is told under the one name`(mode: Mode)
    throws
  {
    try folder.save("a.lua", "1")
    let observation = try Observation(of: folder, mode: mode)
    try folder.makeLink(".#a.lua", to: "me@machine.1:2")
    try folder.save("#a.lua#", "2")
    try folder.save("a.lua", "22")
    try folder.remove("#a.lua#")
    try folder.remove(".#a.lua")
    #expect(observation.log.hasChanged("a.lua"))
    observation.watcher.stop()
    #expect(observation.log.changed == ["a.lua"])
  }

  @Test func `of 200 saves of one file the last is not missed`() throws {
    let lastSeen = Mutex("")
    let log = WatchEventLog()
    let watcher = try DirectoryWatcher(folder.directory) { [directory = folder.directory] event in
      let bytes = (try? directory.read("a.lua").bytes) ?? []
      lastSeen.withLock { $0 = String(decoding: bytes, as: UTF8.self) }
      log.add(event)
    }
    for number in 1...200 { try folder.save("a.lua", "return \(number)") }
    #expect(log.wait { lastSeen.withLock { $0 } == "return 200" })
    watcher.stop()
    #expect(log.changed == ["a.lua"])
  }

  @Test func `what happened while a delivery ran is delivered together after it`() throws {
    let (entered, finish) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    let log = WatchEventLog()
    let watcher = try DirectoryWatcher(folder.directory) { event in
      log.add(event)
      entered.signal()
      finish.wait()
    }
    try folder.save("first.lua")
    try #require(entered.wait(timeout: .now() + WatchEventLog.patience) == .success)
    for name in ["a", "b", "c"] { try folder.save("\(name).lua") }
    finish.signal()
    finish.signal()
    #expect(log.hasChanged("a.lua", "b.lua", "c.lua"))
    watcher.stop()
    #expect(log.all == [.changed(["first.lua"]), .changed(["a.lua", "b.lua", "c.lua"])])
  }

  @Test(arguments: modes) func `creating, renaming and removing a file is told`(mode: Mode) throws {
    let observation = try Observation(of: folder, mode: mode)
    try folder.save("a.lua", "")
    #expect(observation.log.hasChanged("a.lua"))
    observation.log.clear()
    try folder.rename("a.lua", "b.lua")
    #expect(observation.log.hasChanged("a.lua", "b.lua"))
    observation.log.clear()
    try folder.remove("b.lua")
    #expect(observation.log.hasChanged("b.lua"))
  }

  @Test(arguments: modes) func `a file gets and loses its ending by renaming`(mode: Mode) throws {
    try folder.save("a.txt")
    let observation = try Observation(of: folder, mode: mode)
    try folder.rename("a.txt", "a.lua")
    #expect(observation.log.hasChanged("a.lua"))
    observation.log.clear()
    try folder.rename("a.lua", "a.lua~")
    #expect(observation.log.hasChanged("a.lua"))
    observation.watcher.stop()
    #expect(observation.log.changed == ["a.lua"])
  }

  @Test(arguments: modes) func `a directory that comes is told with what is in it`(mode: Mode)
    throws
  {
    try folder.makeDirectory("../elsewhere")
    try folder.makeDirectory("../elsewhere/deep")
    try folder.save("../elsewhere/a.lua")
    try folder.save("../elsewhere/deep/b.lua")
    let observation = try Observation(of: folder, mode: mode)
    try folder.rename("../elsewhere", "lib")
    #expect(observation.log.hasChanged("lib", "lib/a.lua", "lib/deep", "lib/deep/b.lua"))
    observation.log.clear()
    try folder.save("lib/deep/b.lua", "22")
    #expect(observation.log.hasChanged("lib/deep/b.lua"))
    observation.log.clear()
    try folder.rename("lib", "library")
    #expect(observation.log.hasChanged("lib", "library", "library/a.lua", "library/deep/b.lua"))
    observation.log.clear()
    try folder.rename("library", "../elsewhere")
    #expect(observation.log.hasChanged("library"))
    observation.log.clear()
    try folder.save("../elsewhere/a.lua", "333")
    try folder.save("fence.lua")
    #expect(observation.log.hasChanged("fence.lua"))
    observation.watcher.stop()
    #expect(observation.log.changed == ["fence.lua"])
  }

  @Test(arguments: modes) func `a directory that is removed with all in it is told`(mode: Mode)
    throws
  {
    try folder.makeDirectory("lib")
    try folder.makeDirectory("lib/deep")
    try folder.save("lib/deep/a.lua")
    let observation = try Observation(of: folder, mode: mode)
    try folder.remove("lib")
    #expect(observation.log.hasChanged("lib", "lib/deep", "lib/deep/a.lua"))
  }

  @Test func `files saved at once in new nested directories are never missed`() throws {
    let observation = try Observation(of: folder)
    for number in 0..<100 {
      try folder.makeDirectory("d\(number)")
      try folder.makeDirectory("d\(number)/e")
      try folder.save("d\(number)/e/x.lua")
      try folder.makeDirectory("d\(number)/e/f")
      try folder.save("d\(number)/e/f/y.lua")
    }
    for number in 0..<100 {
      #expect(observation.log.hasChanged("d\(number)/e/x.lua", "d\(number)/e/f/y.lua"))
    }
  }

  @Test(arguments: modes, ["1", ""])
  func `a second name for a finished file is told`(mode: Mode, text: String) throws {
    try folder.save("a.txt", text)
    let observation = try Observation(of: folder, mode: mode)
    try folder.makeHardLink("a.lua", to: "a.txt")
    #expect(observation.log.hasChanged("a.lua"))
  }

  @Test(arguments: modes) func `what looks like a script and is no file is told`(mode: Mode) throws
  {
    let observation = try Observation(of: folder, mode: mode)
    try #require(mkfifo(folder.path("pipe.lua"), 0o600) == 0)
    #expect(observation.log.hasChanged("pipe.lua"))
  }

  @Test(arguments: modes) func `ignored names and other endings are not told`(mode: Mode) throws {
    try folder.makeDirectory(".git")
    let observation = try Observation(of: folder, mode: mode)
    for name in [".a.lua", "a.lua~", "a.swp", "4913", "#a.lua#", "a.tmp", "a.txt", ".git/b.lua"] {
      try folder.save(name)
    }
    try folder.makeDirectory(".hidden")
    try folder.makeLink("notes", to: "a.txt")
    try folder.save("real.lua")
    #expect(observation.log.hasChanged("real.lua"))
    observation.watcher.stop()
    #expect(observation.log.changed == ["real.lua"])
    #expect(observation.log.all.allSatisfy { $0.isChanged(within: ["real.lua"]) })
  }

  @Test(arguments: modes) func `nothing is delivered after stop, which may be repeated`(mode: Mode)
    throws
  {
    let observation = try Observation(of: folder, mode: mode)
    try folder.save("a.lua")
    #expect(observation.log.hasChanged("a.lua"))
    observation.watcher.stop()
    let count = observation.log.all.count
    try folder.save("b.lua")
    observation.watcher.stop()
    #expect(observation.log.all.count == count)
  }

  @Test func `a delivery may stop its watcher, and is the last then`() throws {
    let log = WatchEventLog()
    let holder = Mutex<DirectoryWatcher?>(nil)
    let watcher = try DirectoryWatcher(folder.directory) { event in
      holder.withLock { $0 }?.stop()
      log.add(event)
    }
    holder.withLock { $0 = watcher }
    try folder.save("a.lua")
    #expect(log.hasChanged("a.lua"))
    try folder.save("b.lua")
    watcher.stop()
    #expect(log.all == [.changed(["a.lua"])])
  }

  @Test func `a delivery may drop the last reference to its watcher`() throws {
    let log = WatchEventLog()
    let holder = Mutex<DirectoryWatcher?>(nil)
    let prepared = DispatchSemaphore(value: 0)
    do {
      let watcher = try DirectoryWatcher(folder.directory) { event in
        prepared.wait()
        holder.withLock { $0.take() }?.stop()
        log.add(event)
      }
      holder.withLock { $0 = watcher }
    }
    try folder.save("a.lua")
    prepared.signal()
    #expect(log.hasChanged("a.lua"))
    #expect(holder.withLock { $0 == nil })
  }

  @Test func `several threads may stop one watcher while it delivers`() throws {
    for _ in 0..<20 {
      let observation = try Observation(of: folder)
      try folder.save("a.lua")
      DispatchQueue.concurrentPerform(iterations: 4) { _ in observation.watcher.stop() }
      let count = observation.log.all.count
      try folder.save("a.lua", "22")
      #expect(observation.log.all.count == count)
    }
  }

  /// Other tests of the process have descriptors too, but far fewer than a leak would leave here.
  @Test(arguments: modes) func `200 watchers leave no descriptor open`(mode: Mode) throws {
    let before = TestProcess.descriptorCount
    for number in 0..<200 {
      let observation = try Observation(of: folder, mode: mode)
      if number.isMultiple(of: 2) { observation.watcher.stop() }
    }
    #expect(TestProcess.descriptorCount < before + 100)
  }
}

extension DirectoryWatcher.Event {
  fileprivate func isChanged(within paths: Set<String>) -> Bool {
    if case .changed(let changed) = self { changed.isSubset(of: paths) } else { false }
  }
}
