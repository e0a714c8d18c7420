import Logging
import MoonServices
import MoonTestSupport
import Moonwire
import Synchronization
import Testing

/// A host whose module `m` has the storage, with an effect `m/go`.
struct StorageBench {
  let folder: ScriptFolder
  let data: TemporaryFolder
  let host: Host
  let session: SessionID
  /// The warnings that the host has logged.
  let warnings: Warnings

  /// The file of the database.
  var file: String { "\(data.path)/data/storage.sqlite" }

  /// Makes a host with a fresh data directory, or with that of another bench.
  init(
    _ effect: String, more: String = "", modules: [String: String] = [:],
    data: TemporaryFolder? = nil, directory: String? = nil, services: [Service] = [.storage],
    granted: [String] = ["storage"]
  ) async throws {
    folder = try ScriptFolder(
      modules.merging(["m.lua": Self.module(effect, more: more)]) { _, own in own })
    let data = try data ?? TemporaryFolder()
    self.data = data
    let warnings = Warnings()
    self.warnings = warnings
    var options = HostOptions()
    options.logger = Logger(label: "test") { _ in warnings }
    options.services = services
    options.surroundings.dataDirectory = directory ?? "\(data.path)/data"
    options.grants.allowed = try granted.map { Grants.Rule(try Scope(parsing: $0)) }
    options.budgets = Budgets(all: .seconds(60))
    options.actionBudget = .seconds(120)
    options.followingBudget = .seconds(120)
    host = try Host(directory: folder.root, options: options)
    try await host.load()
    session = await host.openSession()
  }

  /// Returns the source of a module; `tell(…)` in the effect records texts.
  static func module(_ effect: String, more: String = "", needs: String = "\"storage\"") -> String {
    """
    local moon = require "moonwire"
    \(more)
    return moon.module {
      needs = { \(needs) },
      state = { told = moon.list() },
      reducers = {
        tell = function(s, p) s.told[#s.told + 1] = p.text end,
        keep = function(s, p) s.kept = p.values end,
      },
      effects = { go = function(payload, self)
        local storage = moon.storage
        local function tell(...)
          local texts = {}
          for i = 1, select("#", ...) do texts[i] = tostring((select(i, ...))) end
          self.dispatch("tell", { text = table.concat(texts, " ") })
        end
        -- The code of the error of a call.
        local function code(f, ...)
          local done, problem = pcall(f, ...)
          if done then return "none" end
          return type(problem) == "table" and problem.code or tostring(problem)
        end
        \(effect)
      end },
    }
    """
  }

  /// Runs the effect to its end and returns what it told.
  @discardableResult
  func go(
    _ payload: Value = nil, of module: String = "m",
    sourceLocation: SourceLocation = #_sourceLocation
  ) async throws -> [String] {
    let faults = try await faults(payload, of: module)
    #expect(faults == [], sourceLocation: sourceLocation)
    return try await told(by: module)
  }

  /// Runs the effect to its end and returns the descriptions of its faults.
  func faults(_ payload: Value = nil, of module: String = "m") async throws -> [String] {
    let outcome = try await host.dispatch(Action(Text("\(module)/go"), payload), to: session)
    let ending = await host.waitForTasks(in: session, within: .seconds(60))
    return (outcome.faults + ending.faults).map(\.description)
  }

  func told(by module: String = "m") async throws -> [String] {
    (try await state("\(module).told")?.listValue ?? List()).map { $0.stringValue ?? "-" }
  }

  func state(_ path: String) async throws -> Value? {
    try await host.state(of: session)?.value(at: Path(parsing: path))
  }
}

/// The warnings of a host.
final class Warnings: LogHandler, Sendable {
  private let texts = Mutex<[String]>([])
  var all: [String] { texts.withLock { $0 } }

  // A log handler must have these; nothing sets them.
  var metadata: Logger.Metadata {
    get { [:] }
    set {}
  }
  var logLevel: Logger.Level {
    get { .warning }
    set {}
  }
  subscript(metadataKey _: String) -> Logger.Metadata.Value? {
    get { nil }
    set {}
  }

  func log(event: LogEvent) { texts.withLock { $0.append("\(event.message)") } }
}
