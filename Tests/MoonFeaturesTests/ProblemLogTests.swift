import MoonTestSupport
import Moonwire
import Testing

private struct Tally: Feature {
  struct State: FeatureState { var marks: [Bool] = [] }
  struct Mark: TypedAction {}
  struct Refuse: TypedAction {}

  var body: some Registrations {
    Reducer { (state: inout State, _: Mark) in state.marks.append(true) }
    Effect { (_: Refuse, _) in throw Refusal("there is no chalk") }
  }
}

/// What a program's host writes to its log, for a program that doesn't listen.
struct ProblemLogTests {
  private static let halved = """
    return {
      state = {},
    """
  private static let watcher = """
    return {
      observe = {
        ["tally.marks"] = function(marks)
          return marks[1].isDone
        end,
      },
      reducers = {
        fall = function() error("it fell") end,
      },
      effects = {
        push = function(_, self) self.dispatch("fall") end,
      },
    }
    """

  private func opened(
    _ change: (inout HostOptions) -> Void = { _ in }
  ) async throws -> (LogLines, HostSession, ScriptFolder) {
    let folder = try ScriptFolder(["halved.lua": Self.halved, "watcher.lua": Self.watcher])
    let log = LogLines()
    var options = HostOptions()
    options.logger = log.logger
    change(&options)
    let host = try await Host(folder.root, features: [Tally()], options: options, isWatching: false)
    return (log, try await host.session(), folder)
  }

  @Test func `problems and faults are logged once, with file and line`() async throws {
    let (log, session, _) = try await opened()
    try await session.dispatch(Tally.Mark())
    try await session.dispatch(Action("watcher/push"), awaitingEffects: true)
    try await session.dispatch(Tally.Refuse())
    await session.waitForEffects(within: .seconds(10))
    let beginnings = [
      "halved.lua:2: module halved has a syntax error: ",
      "watcher.lua:4: observer tally.marks of module watcher failed: attempt to index a boolean",
      "watcher/fall, dispatched at watcher.lua:11: watcher.lua:8: reducer watcher/fall of module "
        + "watcher failed: it fell",
      "effect tally/refuse of module tally refused it: there is no chalk",
    ]
    let lines = log.lines
    #expect(lines.count == beginnings.count, "\(lines)")
    for (line, beginning) in zip(lines, beginnings) {
      #expect(line.hasPrefix(beginning), "\(line)")
    }
    await session.host.close()
  }

  @Test func `what reports problems itself has a quiet log`() async throws {
    let (log, session, _) = try await opened { $0.trial.logsProblems = false }
    try await session.dispatch(Tally.Mark())
    #expect(log.lines.isEmpty)
    await session.host.close()
  }

  @Test func `a fault is printed with its place`() async throws {
    let (_, session, _) = try await opened()
    let events = await session.events
    let outcome = try await session.dispatch(Tally.Mark())
    #expect(outcome.faults.map { "\($0)".hasPrefix("watcher.lua:4: observer ") } == [true])
    for await event in events {
      guard case .fault = event else { continue }
      #expect("\(event)".contains("watcher.lua:4: observer tally.marks of module watcher failed"))
      break
    }
    let error = await #expect(throws: DispatchError.self) {
      try await session.dispatch(Action("watcher/fall"))
    }
    #expect(
      error.map { "\($0)" }
        == "watcher.lua:8: reducer watcher/fall of module watcher failed: it fell")
    await session.host.close()
  }
}
