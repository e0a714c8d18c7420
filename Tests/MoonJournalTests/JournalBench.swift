import Glibc
import MoonJournal
import MoonTestSupport
import Moonwire

/// A script directory and a journal beside it, for several runs.
struct JournalBench {
  let folder: ScriptFolder
  /// What the hosts of runs and replays give modules as settings.
  var settings = SettingSource.none

  /// A module that counts, keeps a list, and has an effect that answers at once.
  static let counter = """
    local moon = require "moonwire"
    return moon.module {
      state = { count = 0, list = {} },
      actions = { add = { by = "integer?" }, put = { at = "integer", text = "string?" }, later = {} },
      reducers = {
        add = function(state, payload) state.count = state.count + (payload.by or 1) end,
        put = function(state, payload)
          if payload.text then
            table.insert(state.list, payload.at, payload.text)
          else
            table.remove(state.list, payload.at)
          end
        end,
        draw = function(state) state.drawn = moon.random(1000000) end,
        stamp = function(state, _, action) state.at = action.meta.time end,
      },
      effects = { later = function(_, self) self.dispatch("add", { by = 100 }) end },
    }
    """

  init(_ files: [String: String] = ["counter.lua": counter]) throws {
    folder = try ScriptFolder(files)
  }

  /// The path of the journal.
  var path: String { folder.path("../journal") }

  /// Returns a host whose clock is ahead by some seconds.
  func host(ahead seconds: Double = 0) async throws -> Host {
    var options = HostOptions()
    options.clock = Clock { Clock.system.now() + seconds }
    options.settings = settings
    options.timeline = Timeline.Limits()
    options.budgets = Budgets(all: .seconds(60))
    options.actionBudget = .seconds(120)
    options.followingBudget = .seconds(120)
    let host = try Host(directory: folder.root, options: options)
    try await host.load()
    return host
  }

  /// Runs a session on a store, new or resumed, and closes neither the session nor the store, as if
  /// the program were killed.
  func run<Result: Sendable>(
    on store: any JournalStore, resumed: Bool = false, limits: JournalLimits = JournalLimits(),
    _ body: (Host, SessionID) async throws -> Result
  ) async throws -> Result {
    let host = try await host()
    let journal = Journal(in: store, limits: limits)
    let session =
      resumed
      ? try await journal.resumeSession(on: host) : try await journal.openSession(on: host)
    return try await body(host, session)
  }

  /// Returns the state that the journal leads to.
  func resumedState() async throws -> Value? {
    let recovered = try RecoveredJournal(path)
    defer { recovered.file.close() }
    return try await run(on: recovered.file, resumed: true) { host, session in
      await host.state(of: session)
    }
  }

  /// Compares what the journal was recorded on with the modules as they are.
  func verdict() async throws -> ReplayVerdict {
    let host = try await host()
    let run = try RecordedRun(path)
    return try await host.perform { try run.verdict(with: $0) }
  }

  /// Replays a journal or a recording, by default that of the bench, until the first difference.
  ///
  /// It happens a day later.
  func replay(_ path: String? = nil) async throws -> (state: Value?, Replay.Difference?) {
    let host = try await host(ahead: 86_400)
    let run = try RecordedRun(path ?? self.path)
    return try await host.perform { host in
      let replay = try run.replay(on: host)
      return (replay.session.flatMap { host.state(of: $0) }, replay.difference)
    }
  }
}
