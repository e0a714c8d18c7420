import Logging
import MoonServices
import MoonTestSupport
import Moonwire
import Synchronization
import Testing

/// A host whose module `m` sends requests in an effect and tells what it gets.
struct HTTPBench {
  let host: Host
  let session: SessionID
  private let folder: ScriptFolder

  /// Makes a host with an effect `m/go`, which needs and is granted `needs`.
  ///
  /// In `effect`, `base` is the server's URL, `tell(…)` records texts, and `self.settings.key` is a
  /// secret.
  init(
    _ effect: String, at server: Int, scheme: String = "http", needs: [String] = ["net:localhost"],
    service: Service = .http,
    _ set: (inout HostOptions) -> Void = { _ in }
  ) async throws {
    let needed = needs.map { "\"\($0)\"" }.joined(separator: ", ")
    folder = try ScriptFolder([
      "m.lua": """
      local moon = require "moonwire"
      local base = "\(scheme)://localhost:\(server)"
      return moon.module {
        needs = { \(needed) }, settings = { key = { "string", secret = true, default = "" } },
        state = { told = moon.list() },
        reducers = { tell = function(s, p) s.told[#s.told + 1] = p.text end },
        effects = { go = function(payload, self)
          local function tell(...)
            local parts = {}
            for i = 1, select("#", ...) do parts[i] = tostring((select(i, ...))) end
            self.dispatch("tell", { text = table.concat(parts, " ") })
          end
          local function code_of(f, ...)
            local done, problem = pcall(f, ...)
            return done and "done" or type(problem) == "table" and problem.code or problem
          end
          \(effect)
        end },
      }
      """
    ])
    var options = HostOptions()
    options.logger.logLevel = .critical
    options.services = [service]
    options.grants.allowed = try needs.map { Grants.Rule(try Scope(parsing: $0)) }
    set(&options)
    host = try Host(directory: folder.root, options: options)
    try await host.load()
    session = await host.openSession()
  }

  /// Starts the effect.
  func start() async throws {
    try await host.dispatch(Action("m/go"), to: session)
  }

  /// Runs the effect to its end and returns what it told, and the texts of faults.
  func run() async throws -> [String] {
    try await start()
    let rest = await host.waitForTasks(in: session, within: .seconds(60))
    return try await told() + rest.faults.map { "fault: \($0)" }
  }

  /// Returns the recorded texts, in order.
  func told() async throws -> [String] {
    let told = await host.state(of: session)?.value(at: try Path(parsing: "m.told"))
    return (told?.listValue ?? List()).map { $0.stringValue ?? "-" }
  }
}

/// Runs an effect against a server and returns what it told.
func told(
  _ effect: String, at server: Int, scheme: String = "http", needs: [String] = ["net:localhost"],
  service: Service = .http,
  _ set: (inout HostOptions) -> Void = { _ in }
) async throws -> [String] {
  let bench = try await HTTPBench(
    effect, at: server, scheme: scheme, needs: needs, service: service, set)
  let told = try await bench.run()
  await bench.host.close()
  return told
}

/// Checks what an effect tells.
func expect(
  _ expected: [String], from effect: String, at server: Int, scheme: String = "http",
  needs: [String] = ["net:localhost"], service: Service = .http,
  sourceLocation: SourceLocation = #_sourceLocation,
  _ set: (inout HostOptions) -> Void = { _ in }
) async throws {
  let told = try await told(
    effect, at: server, scheme: scheme, needs: needs, service: service, set)
  #expect(told == expected, sourceLocation: sourceLocation)
}
