import MoonTestSupport
import Moonwire
import Testing

/// Replacing and removing modules in Swift while sessions run.
@Suite(.timeLimit(.minutes(2))) struct SwiftModuleSwapTests {
  private static let pages = """
    return {
      state = { heard = {} },
      reducers = {
        ["host/stopped"] = function(s, p) s.heard[#s.heard + 1] = "stopped " .. p.module end,
        ["host/reloaded"] = function(s, p) s.heard[#s.heard + 1] = "reloaded " .. p.module end,
        ["clock/bye"] = function(s) s.heard[#s.heard + 1] = "bye" end,
      },
    }
    """

  /// Returns a module whose `clock/tick` adds `step`, and which has the route `/clock`.
  @Sendable private static func clock(
    step: Int64, version: Int64 = 1, migrate: Migration? = nil
  ) throws -> Module {
    try Module("clock") { module in
      module.version = version
      module.state = ["ticks": 0, "step": .int(step)]
      module.hooks.migrate = migrate
      module.actions = [ActionDeclaration("tick"), ActionDeclaration("bye")]
      module.reducers = [
        Reducer(.exact("clock/tick")) { slice, _ in
          slice = slice.setting("ticks", to: .int((slice["ticks"]?.intValue ?? 0) + step))
        }
      ]
      module.routes = [
        Route(try RoutePattern(parsing: "/clock")) { _, _ in
          Screen(id: "clock", title: Text("step \(step)"))
        }
      ]
      module.hooks.onStop = Hook { try $0.dispatch(Action("clock/bye")) }
    }
  }

  private let name: ModuleName

  init() throws { name = try #require(ModuleName("clock")) }

  @Test func `replacing a module keeps its slice and makes its screens again`() async throws {
    let bench = try await Bench(["pages.lua": Self.pages], adding: [{ try Self.clock(step: 1) }])
    try await bench.host.route("/clock", in: bench.session)
    try await bench.dispatch("clock/tick")
    try await bench.host.replace(try Self.clock(step: 10))
    try await bench.dispatch("clock/tick")
    #expect(try await bench.state("clock.ticks") == 11)
    #expect(await bench.host.shownScreen(in: bench.session)?.screen.title == "step 10")
    #expect(try await bench.info("clock")?.generation == 2)
    #expect(try await bench.state("pages.heard") == ["reloaded clock"])
    #expect(try await bench.events.upTo("reloaded").last == "reloaded clock 1→2 kept")
  }

  @Test func `a new version's migrate converts the slice`() async throws {
    let bench = try await Bench(adding: [{ try Self.clock(step: 1) }])
    try await bench.dispatch("clock/tick")
    let migrate = Migration { old, version in
      ["ticks": old["ticks"] ?? 0, "from": .int(version)]
    }
    try await bench.host.replace(try Self.clock(step: 2, version: 2, migrate: migrate))
    #expect(try await bench.state("clock.ticks") == 1)
    #expect(try await bench.state("clock.from") == 1)
  }

  @Test func `a migrate that fails leaves the former module in service`() async throws {
    struct Lost: Error {}
    let bench = try await Bench(adding: [{ try Self.clock(step: 1) }])
    let error = await #expect(throws: HostError.self) {
      try await bench.host.replace(
        try Self.clock(step: 2, version: 2, migrate: Migration { _, _ in throw Lost() }))
    }
    #expect(error.map { "\($0)" }?.contains("the slice of clock can't be migrated") == true)
    #expect(error.map { "\($0)" }?.contains("Lost") == true)
    try await bench.dispatch("clock/tick")
    #expect(try await bench.state("clock.ticks") == 1)
  }

  @Test func `a version without migrate puts the slice aside`() async throws {
    let bench = try await Bench(adding: [{ try Self.clock(step: 1) }])
    try await bench.dispatch("clock/tick")
    try await bench.host.replace(try Self.clock(step: 2, version: 2))
    #expect(try await bench.state("clock.ticks") == 0)
    #expect(await bench.host.keptSlices(of: bench.session).map(\.version) == [1])
  }

  @Test func `removing a module stops it, and adding it again brings its slice back`() async throws
  {
    let bench = try await Bench(["pages.lua": Self.pages], adding: [{ try Self.clock(step: 1) }])
    try await bench.host.route("/clock", in: bench.session)
    try await bench.dispatch("clock/tick")
    try await bench.host.remove(name)
    #expect(try await bench.state("pages.heard") == ["bye", "stopped clock"])
    #expect(try await bench.state("clock") == nil)
    #expect(try await bench.info("clock") == nil)
    #expect(await bench.failure(of: "clock/tick")?.summary.contains("clock/tick") == true)
    #expect(await bench.host.canRoute("/clock") == false)
    #expect(await bench.host.shownScreen(in: bench.session)?.screen.isPlaceholder == true)
    try await bench.host.add(try Self.clock(step: 5))
    #expect(try await bench.state("clock.ticks") == 1)
    #expect(await bench.host.shownScreen(in: bench.session)?.screen.title == "step 5")
  }

  @Test func `a script takes the place of the removed module that had its name`() async throws {
    let bench = try await Bench(
      ["clock.lua": "return { state = { lua = true } }"], adding: [{ try Self.clock(step: 1) }])
    #expect(try await bench.info("clock")?.status == .stale)
    try await bench.host.remove(name)
    #expect(try await bench.info("clock")?.status == .running)
    #expect(try await bench.info("clock")?.file == "clock.lua")
    #expect(try await bench.state("clock.lua") == true)
  }

  @Test func `only modules in Swift that are in service are replaced and removed`() async throws {
    let bench = try await Bench(["clock.lua": "return {}"])
    await #expect(throws: HostError.loadedFromFiles(name)) {
      try await bench.host.replace(try Self.clock(step: 1))
    }
    await #expect(throws: HostError.loadedFromFiles(name)) { try await bench.host.remove(name) }
    let absent = try #require(ModuleName("absent"))
    await #expect(throws: HostError.notInService(absent)) { try await bench.host.remove(absent) }
    await #expect(throws: HostError.notInService(absent)) {
      try await bench.host.replace(Module(name: absent))
    }
  }
}

/// Observers that receive each module before it is put in service.
@Suite(.timeLimit(.minutes(2))) struct ModuleObserverTests {
  private static func host(_ files: [String: String]) async throws -> (ScriptFolder, Host) {
    let folder = try ScriptFolder(files)
    return (folder, try Host(directory: folder.root, options: Bench.quiet))
  }

  @Test func `observers see modules in Lua and Swift, and each load, in order`() async throws {
    let (folder, host) = try await Self.host(["a.lua": "return {}"])
    let notes = Notes()
    await host.addModuleObserver { notes.add("first \($0.name)") }
    await host.addModuleObserver { notes.add("second \($0.name)") }
    try await host.add(Module(name: try #require(ModuleName("b"))))
    try await host.load()
    try folder.save("a.lua", "return { description = 'changed' }")
    await host.reload()
    #expect(
      notes.all == [
        "first b", "second b", "first a", "second a", "first a", "second a",
      ])
    await host.close()
    withExtendedLifetime(folder) {}
  }

  @Test func `what an observer adds is the module's own, and stays after a reload`() async throws {
    let (folder, host) = try await Self.host(["a.lua": "return { state = { n = 0 } }"])
    await host.addModuleObserver { module in
      module.reducers.append(
        Reducer(.exact(Text("\(module.name)/reset"))) { slice, _ in
          slice = slice.setting("n", to: -1)
        })
    }
    try await host.load()
    let session = await host.openSession()
    try await host.dispatch(Action("a/reset"), to: session)
    #expect(await host.state(of: session)?["a"]?["n"] == -1)
    try folder.save("a.lua", "return { state = { n = 0, m = 1 } }")
    await host.reload()
    #expect(await host.moduleInfos().first?.registrations.map(\.name) == ["a/reset"])
    await host.close()
    withExtendedLifetime(folder) {}
  }

  @Test func `what an observer adds to a module in Lua is held to the quota`() async throws {
    let folder = try ScriptFolder(["a.lua": "return { state = { n = 0 } }"])
    var options = Bench.quiet
    options.stateQuota = 64 << 10
    let host = try Host(directory: folder.root, options: options)
    await host.addModuleObserver { module in
      module.reducers.append(
        Reducer(.exact(Text("\(module.name)/fill"))) { slice, _ in
          slice = slice.setting("n", to: .string(Text(String(repeating: "x", count: 1 << 20))))
        })
    }
    try await host.load()
    let session = await host.openSession()
    await #expect(throws: DispatchError.self) {
      try await host.dispatch(Action("a/fill"), to: session)
    }
    #expect(await host.state(of: session)?["a"]?["n"] == 0)
    await host.close()
    withExtendedLifetime(folder) {}
  }

  @Test func `an observer that throws keeps the module out, and the others run`() async throws {
    struct Unwanted: Error {}
    let (folder, host) = try await Self.host(["a.lua": "return {}", "b.lua": "return {}"])
    await host.addModuleObserver { if $0.name.text != "b" { throw Unwanted() } }
    try await host.load()
    let infos = await host.moduleInfos()
    #expect(infos.map { "\($0.name) \($0.status)" } == ["a failed", "b running"])
    #expect(
      infos.first?.problems.map { "\($0)" } == [
        "a.lua: module a is kept out of service: an observer of modules refuses it: Unwanted()"
      ])
    let name = try #require(ModuleName("c"))
    await #expect(throws: HostError.keptOut(name, .refused("Unwanted()"))) {
      try await host.add(Module(name: name))
    }
    await host.close()
    withExtendedLifetime(folder) {}
  }

  @Test func `an observer can't put another module in the place of one`() async throws {
    let (folder, host) = try await Self.host([:])
    let other = try #require(ModuleName("other"))
    await host.addModuleObserver { $0 = Module(name: other) }
    let name = try #require(ModuleName("c"))
    await #expect(throws: HostError.keptOut(name, .renamed(to: other))) {
      try await host.add(Module(name: name))
    }
    await host.close()
    withExtendedLifetime(folder) {}
  }
}

extension Value {
  /// Returns the map with the value under a key replaced.
  fileprivate func setting(_ key: Key, to value: Value) -> Value {
    var map = mapValue ?? Map()
    map[key] = value
    return .map(map)
  }
}
