import MoonTestSupport
import Moonwire
import Synchronization
import Testing

/// Properties of the spans of any run.
@Suite(.timeLimit(.minutes(2))) struct TelemetryPropertyTests {
  /// A module that can do everything that has a span, and whose code fails now and then.
  private static func module(_ generation: Int) -> String {
    """
    local moon = require "moonwire"
    return moon.module {
      state = { n = 0, generation = \(generation) },
      actions = {
        add = { by = "integer?" }, nap = {}, work = {}, chain = {}, race = {}, last = {},
      },
      reducers = {
        add = function(s, p)
          if p.by == 7 then error("seven") end
          if p.by == 5 then moon.refuse("five") end
          s.n = s.n + (p.by or 1)
        end,
      },
      middleware = { on = "m/add", run = function(action)
        if action.payload.by == 3 then return false end
      end },
      effects = {
        nap = function(p) moon.sleep(p.time or 1) end,
        work = function(_, self)
          moon.dice.roll()
          pcall(moon.dice.shake, 0)
          moon.dice.shake(1)
          self.dispatch("add", { by = 2 })
        end,
        chain = function(p, self)
          local tasks = {}
          for i = 1, 3 do tasks[i] = moon.spawn(function() moon.sleep(i) end) end
          tasks[1]:await()
          if p.fails then error("on purpose") end
          self.dispatch("nap")
        end,
        race = { policy = "latest", run = function(_, self)
          moon.sleep(1)
          self.dispatch("add", { by = 7 })
        end },
        last = { policy = "queue", run = function() moon.sleep(2) end },
      },
      routes = { ["/m/:n"] = function(r)
        if r.params.n == "4" then error("four") end
        if r.params.n ~= "2" then return { title = r.params.n } end
      end },
    }
    """
  }

  private static func action(_ random: inout SplitMix64) -> Action {
    switch random.below(9) {
    case 0...2: Action("m/add", ["by": .int(Int64(random.below(9)))])
    case 3: Action("m/nap", ["time": .int(Int64(random.below(4)))])
    case 4: Action("m/work")
    case 5: Action("m/chain", ["fails": .bool(random.once(in: 2))])
    case 6: Action(random.once(in: 2) ? "m/race" : "m/last")
    case 7: Action("m/unknown")
    default: .route(Text("/m/\(random.below(6))"))
    }
  }

  private struct Run {
    let log: SpanLog?
    let bench: TaskBench

    init(_ log: SpanLog?) async throws {
      self.log = log
      var options = Bench.quiet
      options.telemetry = log
      options.faultsMax = 0
      options.services = [ServiceFunctionTests.dice]
      bench = try await TaskBench(["m.lua": module(1)], options: options)
      #expect(try await bench.bench.info("m")?.problems == [])
    }

    /// Makes random calls; some are of a program that awaits effects.
    func walk(_ random: inout SplitMix64, _ count: Int) async throws {
      let session = HostSession(bench.session, on: bench.host)
      for step in 1...count {
        let action = action(&random)
        switch random.below(12) {
        case 0: await bench.pass(Double(random.below(3)))
        case 1:
          if let task = await session.tasks.randomElement(using: &random) {
            await session.cancel(task.id)
          }
        case 2:
          try bench.bench.folder.save("m.lua", random.once(in: 3) ? "return {" : module(step))
          await bench.host.reload()
        case 3: _ = try? await session.dispatch([action, Action("m/add")])
        default: _ = try? await session.dispatch(action)
        }
      }
    }
  }

  @Test(arguments: 1...12)
  func `every span ends exactly once, and no task is left`(seed: UInt64) async throws {
    let log = SpanLog()
    var random = SplitMix64(seed: seed)
    let run = try await Run(log)
    try await run.walk(&random, 60)
    // Some tasks are still at work, and others wait.
    let host = run.bench.host
    await host.closeSession(run.bench.session)
    await host.close()
    // The functions of services end on threads of their own.
    while !log.open.isEmpty { await Task.yield() }
    #expect(log.spans.filter { $0.ends.count != 1 }.map { $0.operation?.name } == [])
    let kinds = Set(log.spans.flatMap(\.ends).map(\.kind))
    #expect(kinds.isSuperset(of: ["done", "refused", "failed"]))
    for span in log.spans { #expect(span.parent.map { $0 < span.number } ?? true) }
    let tasks = log.metrics.reduce(0) { if case .tasks(_, let by) = $1 { $0 + by } else { $0 } }
    #expect(tasks == 0)
    let actions = log.metrics.count { if case .action = $0 { true } else { false } }
    let spans = log.spans.count { if case .action = $0.operation { true } else { false } }
    #expect(actions == spans)
  }

  @Test func `the state is the same with and without telemetry`() async throws {
    var states: [Value?] = []
    for log in [SpanLog(), SpanLog { _ in false }, nil] {
      var random = SplitMix64(seed: 5)
      let run = try await Run(log)
      let session = HostSession(run.bench.session, on: run.bench.host)
      for _ in 1...200 {
        _ = try? await session.dispatch(Self.action(&random))
        if random.once(in: 5) { await run.bench.pass(1) }
      }
      await run.bench.pass(10)
      while await !run.bench.host.isAtRest(in: run.bench.session) { await Task.yield() }
      states.append(await run.bench.host.state(of: run.bench.session))
    }
    #expect(states[0] == states[2])
    #expect(states[1] == states[2])
  }
}

extension TelemetryResult {
  fileprivate var kind: String { "\(self)".split(separator: "(").first.map { String($0) } ?? "" }
}
