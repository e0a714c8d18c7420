import Logging
import MoonTestSupport
import Testing

@testable import Moonwire

/// The removal of modules whose files are missing, and the reports of broken files.
struct AwayTests {
  private let folder: ScriptFolder
  private let reloader: Reloader
  private let modules = ModuleSet()

  init() throws {
    folder = try ScriptFolder(["a.lua": ReloaderTests.counter(1)])
    var options = HostOptions()
    options.logger.logLevel = .critical
    options.budgets = .generous
    let loader = ModuleLoader(
      directory: ScriptDirectory(root: folder.root), options: options.loading, watchdog: nil,
      bindings: try Bindings(options))
    reloader = Reloader(
      loader: loader, modules: modules, observers: ModuleObservers(options: options))
    _ = try reloader.loadAll(sessions: [])
  }

  private func look(_ attempt: Reloader.Attempt) -> [String] {
    reloader.update(["a.lua"], attempt: attempt, sessions: []).map(\.summary)
  }

  @Test func `a file that is away at two looks takes its module with it`() throws {
    try folder.rename("a.lua", "a.lua~")
    #expect(look(.first) == [])
    #expect(reloader.takeRetries() == ["a.lua"])
    #expect(look(.second) == ["removed a"])
  }

  @Test func `the second look at a broken file is the first at one that is away`() throws {
    try folder.save("a.lua", "return { half")
    #expect(look(.first) == [])
    #expect(reloader.takeRetries() == ["a.lua"])
    // An editor moves the file away for a moment, just when it is checked again.
    try folder.rename("a.lua", "a.lua~")
    #expect(look(.second) == [])
    #expect(try modules[#require(ModuleName("a"))] != nil)
    #expect(look(.first) == [])
    #expect(reloader.takeRetries() == ["a.lua"])
    #expect(look(.second) == ["removed a"])
  }

  @Test func `the second look at a broken file is the first at the next half of a save`() throws {
    try folder.save("a.lua", "return { half")
    #expect(look(.first) == [])
    #expect(reloader.takeRetries() == ["a.lua"])
    try folder.save("a.lua", "")
    #expect(look(.second) == [])
    #expect(reloader.takeRetries() == ["a.lua"])
    #expect(look(.second) == ["failed a running 1: a.lua returned(\"nothing\")"])
    #expect(reloader.takeRetries() == [])
  }

  @Test func `a reload that is asked for tells what is broken at once`() throws {
    try folder.save("a.lua", "return { half")
    #expect(look(.first) == [])
    try folder.save("a.lua", "")
    let events = reloader.reload(nil, sessions: []).map(\.summary)
    #expect(events == ["failed a running 1: a.lua returned(\"nothing\")"])
  }

  @Test func `a file that came back is away anew`() throws {
    try folder.rename("a.lua", "a.lua~")
    #expect(look(.first) == [])
    try folder.save("a.lua", ReloaderTests.counter(2))
    #expect(look(.first) == ["reloaded a 1→2 stateless"])
    try folder.rename("a.lua", "a.lua~")
    #expect(look(.second) == [])
  }

  @Test func `modules whose files change together are loaded in turns if that takes long`() throws {
    reloader.loadTimeMax = .zero
    for name in ["b", "c"] { try folder.save("\(name).lua", ReloaderTests.counter(1)) }
    try folder.save("a.lua", ReloaderTests.counter(2))
    var paths: Set<String> = ["a.lua", "b.lua", "c.lua"]
    for name in ["a", "b", "c"] {
      let attempt: Reloader.Attempt = name == "a" ? .first : .second
      let events = reloader.update(paths, attempt: attempt, sessions: []).map(\.summary)
      #expect(events.count == 1 && events[0].contains(" \(name)"), "\(events)")
      paths.remove("\(name).lua")
      #expect(reloader.takeRetries() == paths)
    }
  }
}
