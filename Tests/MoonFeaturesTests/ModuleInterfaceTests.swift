import MoonTestSupport
import Moonwire
import Testing

/// What the tests expect of `heating.lua`.
private enum Heating: ModuleInterface {
  struct State: Decodable, Sendable {
    var target: Double
    var rooms: [String]
  }
  struct Set: TypedAction {
    var celsius: Double
    var room: String?
  }
  struct Total: TypedCommand {
    typealias Answer = Double
    var rate: Double
  }
  static let actions: [any TypedAction.Type] = [Set.self]
  static let commands: [any TypedCommand.Type] = [Total.self]
}

/// Modules in Lua as Swift types.
@Suite(.timeLimit(.minutes(1))) struct ModuleInterfaceTests {
  private static func script(
    state: String = "target = 20, rooms = { 'attic' }", shape: String? = nil,
    set: String = "celsius = 'number', room = 'string?'", rate: String = "number",
    names: (action: String, command: String) = ("set", "total")
  ) -> String {
    """
    local moon = require "moonwire"
    return moon.module {
      state = { \(state) }, \(shape.map { "shape = { \($0) }," } ?? "")
      actions = {
        \(names.action) = { "Sets", \(set) },
      },
      commands = {
        \(names.command) = { "Adds up", rate = "\(rate)", run = function(payload, self)
          return self.state("heating.target") * payload.rate
        end },
      },
      reducers = { \(names.action) = function(state, payload) state.target = payload.celsius end },
    }
    """
  }

  private static func opened(_ script: String?) async throws -> (ScriptFolder, Host, HostSession) {
    let folder = try ScriptFolder(script.map { ["heating.lua": $0] } ?? [:])
    let host = try await Host(folder.root, interfaces: [Heating.self], isWatching: false)
    return (folder, host, try await host.session())
  }

  @Test func `a module is read, followed and called by its types`() async throws {
    let (_, host, session) = try await Self.opened(Self.script())
    let heating = try await session.module(Heating.self)
    let targets = try await heating.values(\.target, buffering: .newest(10))
    try await session.dispatch(Heating.Set(celsius: 21.5))
    #expect(try await heating.state.target == 21.5)
    #expect(try await session.call(Heating.Total(rate: 2)) == 43)
    await host.close()
    var all: [Double] = []
    for await target in targets { all.append(target) }
    #expect(all == [20, 21.5])
    await #expect(throws: StateError.closed) { try await heating.state }
  }

  /// Scripts that don't fit, and what is said of them.
  static let misfits: [(script: String, problem: String)] = [
    (
      script(set: "celsius = 'string', room = 'string?'"),
      "heating.lua:5: module heating is kept out of service: 'celsius' of heating/set is string "
        + "in the module, and number in the program"
    ),
    (script(set: "celsius = 'number'"), "heating.lua:5: … heating/set has no field 'room'"),
    (
      script(set: "celsius = 'number', room = 'string?', at = 'integer'"),
      "heating.lua:5: … heating/set needs 'at', which the program doesn't give"
    ),
    (
      script(set: "celsius = 'number', room = 'string'"),
      "heating.lua:5: … heating/set needs 'room', which the program doesn't give"
    ),
    (
      script(rate: "integer"),
      "heating.lua:8: … 'rate' of heating/total is integer in the module, and number in the program"
    ),
    (
      script(names: ("sett", "total")),
      "heating.lua: … it has no action heating/set; did you mean heating/sett?"
    ),
    (
      script(names: ("set", "totals")),
      "heating.lua: … it has no command heating/total; did you mean heating/totals?"
    ),
    (
      script(state: "target = 'warm', rooms = {}"),
      "heating.lua:3: … its slice can't be read: target is a string, and must be a number"
    ),
    (
      script(state: "rooms = {}"),
      "heating.lua: … its slice can't be read: target is missing, and must be a number"
    ),
    (
      script(
        state: "target = 20, rooms = { 1 }", shape: "target = 'number', rooms = { 'integer' }"),
      "heating.lua:3: … its slice can't be read: rooms is integer[], and must be string[]"
    ),
  ]

  @Test(arguments: misfits)
  func `a module that doesn't fit stays out of service, and what fits stays in`(
    script: String, problem: String
  ) async throws {
    let expected = problem.replacing("…", with: "module heating is kept out of service:")
    let (_, host, session) = try await Self.opened(script)
    #expect(
      await host.moduleInfos().flatMap(\.problems).map { "\($0)" }
        == ["\(expected) (expected by \(String(reflecting: Heating.self)))"])
    let error = await #expect(throws: InterfaceProblem.self) {
      try await session.module(Heating.self)
    }
    #expect(error.map { "\($0)" }?.hasPrefix("module heating isn't in service: ") == true)
    await host.close()

    let (folder, running, other) = try await Self.opened(Self.script())
    let heating = try await other.module(Heating.self)
    try folder.save("heating.lua", script)
    #expect(await running.reload().count == 1)
    #expect(try await heating.state.target == 20)
    await running.close()
  }

  @Test func `what isn't there, or was loaded before, says so`() async throws {
    let (folder, host, session) = try await Self.opened(nil)
    let missing = await #expect(throws: InterfaceProblem.self) {
      try await session.module(Heating.self)
    }
    #expect(missing.map { "\($0)" }?.hasPrefix("there is no module heating (exp") == true)
    await host.close()
    try folder.save("heating.lua", Self.script(set: "celsius = 'string'"))
    let late = try await Host(folder.root, isWatching: false)
    let unfit = await #expect(throws: InterfaceProblem.self) {
      try await late.session().module(Heating.self)
    }
    #expect(
      unfit.map { "\($0)" }?.hasPrefix("heating.lua:5: module heating can't be used: ") == true)
    // The program may do without.
    #expect(await late.reload().count == 1)
    #expect(await late.moduleInfos().flatMap(\.problems).isEmpty)
    await late.close()
  }
}
