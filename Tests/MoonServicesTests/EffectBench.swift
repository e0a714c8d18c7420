import Logging
import MoonServices
import MoonTestSupport
import Moonwire
import Testing

/// A host whose module `m` calls services in an effect and tells what it gets.
struct EffectBench {
  let folder: ScriptFolder
  let host: Host
  let session: SessionID

  /// Makes a host with an effect `m/go`, which may use what `allowed` names.
  ///
  /// In `effect`, `tell(…)` records texts, and `fails(f, …)` returns the code of the error of a call.
  init(
    _ effect: String, services: [Service], needs: [String], allowed: [String]? = nil,
    denied: [String] = [], in folder: ScriptFolder? = nil,
    _ set: (inout HostOptions) -> Void = { _ in }
  ) async throws {
    self.folder = try folder ?? ScriptFolder()
    try self.folder.save("m.lua", Self.module(effect, needs: needs))
    var options = HostOptions()
    options.logger.logLevel = .critical
    options.budgets = Budgets(all: .seconds(60))
    options.services = services
    options.grants.allowed = try Self.rules(allowed ?? needs)
    options.grants.denied = try Self.rules(denied)
    set(&options)
    host = try Host(directory: self.folder.root, options: options)
    try await host.load()
    session = await host.openSession()
  }

  private static func rules(_ scopes: [String]) throws -> [Grants.Rule] {
    try scopes.map { Grants.Rule(try Scope(parsing: $0)) }
  }

  /// Returns the source of a module with an effect `go`; `more` has further keys of its table.
  static func module(_ effect: String, needs: [String], more: String = "") -> String {
    """
    local moon = require "moonwire"
    return moon.module {
      needs = { \(needs.map { "\"\($0)\"" }.joined(separator: ", ")) },
      state = { told = moon.list() },
      reducers = { tell = function(s, p) s.told[#s.told + 1] = p.text end },
      \(more)
      effects = { go = function(payload, self)
        local function tell(...)
          local parts = table.pack(...)
          for i = 1, parts.n do parts[i] = tostring(parts[i]) end
          self.dispatch("tell", { text = table.concat(parts, " ") })
        end
        local function fails(f, ...)
          local done, problem = pcall(f, ...)
          return done and "done" or type(problem) == "table" and problem.code or problem
        end
        \(effect)
      end },
    }
    """
  }

  /// Starts the effect.
  func start() async throws { try await host.dispatch(Action("m/go"), to: session) }

  /// Waits for the end of the effect and returns what it told, and the texts of faults.
  func finish() async throws -> [String] {
    let rest = await host.waitForTasks(in: session, within: .seconds(60))
    return try await told() + rest.faults.map { "fault: \($0)" }
  }

  /// Returns the recorded texts, in order.
  func told() async throws -> [String] {
    let told = await host.state(of: session)?.value(at: try Path(parsing: "m.told"))
    return (told?.listValue ?? List()).map { $0.stringValue ?? "-" }
  }

  /// Waits until something has been told this number of times.
  func wait(forTold count: Int) async throws {
    while try await told().count < count { await Task.yield() }
  }
}
