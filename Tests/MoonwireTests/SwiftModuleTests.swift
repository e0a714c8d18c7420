import MoonTestSupport
import Moonwire
import Testing

/// A small module in Swift, as an embedding program would write it.
enum Thermostat {
  static func module() throws -> Module {
    var module = Module(
      name: try #require(ModuleName("thermostat")), description: "Keeps a room warm", version: 2,
      state: ["target": 20, "isHeating": false])
    module.actions = [
      ActionDeclaration(
        "set", description: "Sets the temperature to reach",
        schema: PayloadSchema(fields: [
          try #require(PayloadSchema.Field(name: "to", type: "integer"))
        ])),
      ActionDeclaration("heat"),
    ]
    module.reducers = [
      Reducer(.exact("thermostat/set")) { state, action in
        state = Self.changed(state, "target", action.payload["to"] ?? 0)
      },
      Reducer(.exact("thermostat/heat")) { state, _ in
        state = Self.changed(state, "isHeating", true)
      },
      Reducer(.exact("weather/cold")) { state, _ in
        state = Self.changed(state, "target", .int((state["target"]?.intValue ?? 0) + 1))
      },
    ]
    module.observers = [
      Observer(Path([.key("thermostat"), .key("target")])) { new, old, context in
        if (new?.intValue ?? 0) > (old?.intValue ?? 0) {
          try context.dispatch(Action("thermostat/heat"))
        }
      }
    ]
    return module
  }

  private static func changed(_ state: Value, _ key: Key, _ value: Value) -> Value {
    var map = state.mapValue ?? Map()
    map[key] = value
    return .map(map)
  }
}

/// Invariant 9: a module in Swift registers as one in Lua does.
@Suite(.timeLimit(.minutes(2))) struct SwiftModuleTests {
  private static let weather = """
    return {
      state = { cold = 0, heating = 0 },
      actions = { cold = "It got colder" },
      reducers = {
        cold = function(s) s.cold = s.cold + 1 end,
        ["thermostat/heat"] = function(s) s.heating = s.heating + 1 end,
      },
    }
    """

  @Test func `modules in Swift and in Lua hear each other`() async throws {
    let bench = try await Bench(
      ["weather.lua": Self.weather], adding: [{ try Thermostat.module() }])
    let outcome = try await bench.dispatch("weather/cold")
    #expect(
      outcome.summary == [
        "thermostat.isHeating false → true", "thermostat.target 20 → 21", "weather.cold 0 → 1",
        "weather.heating 0 → 1",
      ])
    #expect(
      await bench.host.history(of: bench.session).entries.map { "\($0.action.meta.cause)" }
        == ["native", "thermostat observer"])
  }

  @Test func `a Swift module's declarations are checked and listed as a Lua module's are`()
    async throws
  {
    let bench = try await Bench(
      ["weather.lua": Self.weather], adding: [{ try Thermostat.module() }])
    #expect(
      await bench.failure(of: "thermostat/set", ["to": 1.5])?.summary
        == "thermostat/set: 'to' must be integer, not a number")
    let info = try #require(try await bench.info("thermostat"))
    #expect(info.file == nil)
    #expect(info.usage == nil)
    #expect(info.status == .running)
    #expect(info.version == 2)
    #expect(info.generation == 1)
    #expect(
      info.registrations.map { "\($0.kind) \($0.name)" } == [
        "action thermostat/set", "action thermostat/heat", "reducer thermostat/set",
        "reducer thermostat/heat", "reducer weather/cold", "observer thermostat.target",
      ])
    #expect(
      await bench.host.actionInfos(of: ModuleName("weather")).map { $0.listeners.map(\.text) }
        == [["weather", "thermostat"]])
  }

  @Test func `a module that is added to a running host starts in its sessions`() async throws {
    let notes = Notes()
    let bench = try await Bench(["weather.lua": Self.weather])
    try await bench.host.add(
      try {
        var module = try Thermostat.module()
        module.hooks.onStart = Hook { context in
          notes.add("start \(context.state["thermostat"] != nil)")
        }
        return module
      }())
    #expect(notes.all == ["start true"])
    try await bench.events.upTo("started thermostat 1")
    try await bench.dispatch("weather/cold")
    #expect(try await bench.state("thermostat.isHeating") == true)
  }

  @Test func `start and stop in Swift are told apart in faults and lists`() async throws {
    struct Cold: Error {}
    let bench = try await Bench(adding: [
      {
        try Module("m") { module in
          module.hooks.onStart = Hook { _ in }
          module.hooks.onStop = Hook { _ in throw Cold() }
        }
      }
    ])
    #expect(try await bench.info("m")?.registrations.map(\.kind) == [.onStart, .onStop])
    await bench.host.closeSession(bench.session)
    #expect(
      try await bench.events.upTo("fault").last
        == "fault session 1 m on_stop on_stop - raised(\"Cold()\")")
  }

  @Test func `a name that a module in Swift has is taken`() async throws {
    let bench = try await Bench(adding: [{ try Thermostat.module() }])
    let name = try #require(ModuleName("thermostat"))
    await #expect(throws: HostError.nameTaken(name)) {
      try await bench.host.add(try Thermostat.module())
    }
  }

  @Test func `a name that a module in Lua has is taken`() async throws {
    let bench = try await Bench(["thermostat.lua": "return {}"])
    let name = try #require(ModuleName("thermostat"))
    await #expect(throws: HostError.nameTaken(name)) {
      try await bench.host.add(try Thermostat.module())
    }
  }

  @Test func `a file with the name of a module in Swift is a problem and stays out`() async throws {
    let bench = try await Bench(
      ["thermostat.lua": "return { state = { mine = 1 } }"], following: .yes,
      adding: [{ try Thermostat.module() }])
    #expect(
      try await bench.events.upTo("failed").last
        == "failed thermostat running 1: thermostat.lua nameTaken(others: [])")
    #expect(try await bench.info("thermostat")?.status == .stale)
    await bench.host.reload(ModuleName("thermostat"))
    await bench.host.reload()
    #expect(try await bench.state("thermostat.target") == 20)
    #expect(try await bench.state("thermostat.mine") == nil)
    try bench.folder.remove("thermostat.lua")
    try bench.folder.save("other.lua", "return {}")
    try await bench.events.upTo("started other")
    #expect(try await bench.info("thermostat")?.status == .running)
  }

  @Test func `a module in Swift routes and makes URLs as one in Lua does`() async throws {
    let notes = Notes()
    let bench = try await Bench(
      [
        "card.lua": """
        return {
          routes = { ["/card/:id<int>"] = { name = "card", screen = function(r)
            return { title = "Card " .. r.params.id }
          end } },
        }
        """
      ],
      adding: [
        {
          try Module("guide") { module in
            module.actions = [ActionDeclaration("go"), ActionDeclaration("stray")]
            module.navigationMappers = [
              NavigationMapper(.exact("guide/go")) { _, context in
                let url = try context.url(for: "card", ["id": 7])
                notes.add("\(url) \(context.canRoute(url)) \(context.canRoute("/card/x"))")
                notes.add("\(context.canRoute("/card/%"))")
                try context.route(url, passing: ["from": "guide"], option: .push)
                return []
              },
              NavigationMapper(.exact("guide/stray")) { _, context in
                do throws(RouteURLError) {
                  _ = try context.url(for: "cart")
                } catch {
                  notes.add("\(error)")
                }
                try context.route("/nowhere")
                return []
              },
            ]
            module.views = [
              View("card/card") { _, context in
                do throws(DispatchError) {
                  try context.route("/card/8")
                } catch {
                  notes.add("\(error)")
                }
                return []
              }
            ]
          }
        }
      ])
    #expect(try await bench.dispatch("guide/go").failures.isEmpty)
    #expect(notes.all == ["/card/7 true false", "false"])
    #expect(await bench.titles() == ["Card 7"])
    #expect(await bench.topScreen()?.parameters["from"] == "guide")
    let outcome = try await bench.dispatch("guide/stray")
    #expect(outcome.failures.map { $0.action.type } == ["nav/route"])
    #expect(notes.all.last == "no route has the name 'cart'")
    #expect(await bench.host.shownScreen(in: bench.session)?.failure == nil)
    #expect(
      notes.all.last == "a view only shows: it can't dispatch; let a person's tap dispatch",
      "a view only shows")
    #expect(await bench.titles() == ["Card 7"])
  }
}
