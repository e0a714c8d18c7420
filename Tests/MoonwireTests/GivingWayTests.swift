import MoonTestSupport
import Moonwire
import Synchronization
import Testing

/// What modules do by themselves gives way to actions from outside.
///
/// Invariant 11: a flood of actions delays nobody but the module that it comes from.
@Suite(.timeLimit(.minutes(2))) struct GivingWayTests {
  /// An action that was carried out.
  private struct Entry: Equatable {
    let type: String
    let number: Int64
  }

  /// All actions in the order in which they were carried out, and those from outside.
  private final class Log: Sendable {
    struct Contents {
      var entries: [Entry] = []
      /// The places in the log after which somebody outside dispatches an action.
      var moments: [Int] = []
      var dispatches: [Task<Asked, any Error>] = []
      var dispatch: (@Sendable (Int) -> Task<Asked, any Error>)?
    }

    let contents = Mutex(Contents())

    var count: Int { contents.withLock { $0.entries.count } }

    func note(_ action: Action) {
      contents.withLock { contents in
        contents.entries.append(
          Entry(type: action.type.string, number: action.payload["n"]?.intValue ?? 0))
        guard let dispatch = contents.dispatch, contents.moments.last == contents.entries.count
        else { return }
        contents.moments.removeLast()
        contents.dispatches.append(dispatch(contents.entries.count))
      }
    }
  }

  /// An action from outside: the places in the log when it was dispatched and had returned.
  private struct Asked {
    let begin: Int
    let end: Int
    let following: Int
  }

  /// A module that carries out an action of all others, which takes some time.
  private static func worker(_ log: Log, types: [String], milliseconds: Int) throws -> Module {
    var module = Module(
      name: try #require(ModuleName("worker")), state: ["done": 0])
    module.actions = [ActionDeclaration("do"), ActionDeclaration("step")]
    module.reducers = types.map { type in
      Reducer(.exact(Text(type))) { _, action in
        let end = ContinuousClock.now + .milliseconds(milliseconds)
        while ContinuousClock.now < end {}
        log.note(action)
      }
    }
    for type: Text in ["worker/do", "worker/step"] {
      module.reducers.append(
        Reducer(.exact(type)) { state, action in
          state = ["done": action.payload["n"] ?? 0]
          log.note(action)
        })
    }
    module.observers = [
      Observer(Path([.key("worker"), .key("done")])) { new, _, context in
        guard let left = new?.intValue, left > 0 else { return }
        try context.dispatch(Action("worker/step", ["n": .int(left - 1)]))
      }
    ]
    return module
  }

  private static func flood(_ count: Int) -> String {
    """
    local moon = require "moonwire"
    return moon.module { state = {}, actions = { go = "Begins", work = { n = "integer" } },
      effects = { go = function(_, self)
        moon.sleep(0)
        for n = 1, \(count) do self.dispatch("work", { n = n }) end
      end } }
    """
  }

  @Test(arguments: 1...3)
  func `an action from outside waits for one call at most, and for nobody else's afterwards`(
    seed: UInt64
  ) async throws {
    var random = SplitMix64(seed: seed)
    let counts = (0..<(1 + random.below(4))).map { _ in 30 + random.below(40) }
    let milliseconds = random.pick([1, 2, 12])
    let log = Log()
    var files: [String: String] = [:]
    for (number, count) in counts.enumerated() { files["f\(number).lua"] = Self.flood(count) }
    let types = counts.indices.map { "f\($0)/work" }
    var options = Bench.quiet
    // The watchdog's clock may pause on a busy machine.
    options.trial.isWatched = false
    let bench = try await Bench(
      files, options: options,
      adding: [{ try Self.worker(log, types: types, milliseconds: milliseconds) }])
    let all = counts.reduce(0, +)
    let moments = Set((0..<6).map { _ in 1 + random.below(all / 2) })
    let depth = Int64(random.below(4))
    log.contents.withLock { contents in
      contents.moments = moments.sorted(by: >)
      contents.dispatch = { [host = bench.host, session = bench.session] begin in
        Task(executorPreference: host.taskExecutor) {
          let outcome = try await host.dispatch(
            Action("worker/do", ["n": .int(depth)]), to: session)
          return Asked(begin: begin, end: log.count, following: outcome.followingCount)
        }
      }
    }
    for number in counts.indices { try await bench.dispatch("f\(number)/go") }
    _ = await bench.host.waitForTasks(in: bench.session, within: .seconds(60))

    // A few turns of the host, one for each change of the caller's thread, and a call.
    let most = 3 * (10 / milliseconds + 2) + 1
    let own = Int(depth) + 1
    var place = 0
    let (entries, dispatches) = log.contents.withLock { ($0.entries, $0.dispatches) }
    #expect(dispatches.count == moments.count)
    for dispatch in dispatches {
      let asked = try await dispatch.value
      #expect(asked.following == own - 1)
      place = try #require(
        entries.dropFirst(place).firstIndex { $0.type == "worker/do" }, "it was carried out")
      let others = entries.prefix(place).dropFirst(asked.begin).filter {
        !$0.type.hasPrefix("worker/")
      }
      #expect(others.count <= most, "\(others.count) before it")
      let chain = entries.dropFirst(place).prefix(own)
      #expect(chain.allSatisfy { $0.type.hasPrefix("worker/") })
      #expect(chain.map(\.number) == (0...depth).reversed())
      place += own
      let since = entries.prefix(asked.end).dropFirst(place).filter {
        !$0.type.hasPrefix("worker/")
      }
      #expect(since.count <= most, "\(since.count) before it returned")
    }
    for (number, count) in counts.enumerated() {
      let own = entries.filter { $0.type == types[number] }.map(\.number)
      #expect(own == Array(1...Int64(count)))
    }
  }
}
