import MoonJournal
import MoonTestSupport
import Moonwire
import Testing

/// Durable effects that call a command which dispatches and calls another one, killed in that one,
/// while another durable effect of the module runs.
@Suite(.timeLimit(.minutes(2))) struct NestedCommandTests {
  /// Three modules; `commandCode` is that of the outer command, and `call` that of the effect.
  private static func modules(
    _ commandCode: String, call: String = #"note("outer " .. self.call("stock/outer"))"#,
    _ keys: String = ""
  ) -> [String: String] {
    var files = DurableEffectTests.module(
      """
      if p.round then
        note("other " .. ask("other"))
        self.dispatch("go")
        moon.take("stock/done")
        note("other ends")
        return
      end
      self.dispatch("place", { round = 2 })
      moon.take("go")
      note("first " .. ask("first"))
      \(call)
      self.dispatch("stock/done")
      """, keys)
    files["stock.lua"] = stock(commandCode)
    files["bank.lua"] = """
      return {
        commands = { inner = function() return require "moonwire".shop.ask("held", "tea") end },
      }
      """
    return files
  }

  /// The module with the outer command.
  private static func stock(_ commandCode: String) -> String {
    """
    return {
      actions = { done = {}, fail = {} },
      reducers = { done = function() end, fail = function() error "no" end },
      commands = {
        outer = function(_, self)
          local function note(step) self.dispatch("orders/note", { step = step }) end
          \(commandCode)
        end,
      },
    }
    """
  }

  private static let dispatchingAtBothEnds =
    #"note("asked") local answer = self.call("bank/inner") note("paid") return answer"#

  /// Begins a task, or goes on with the session, and kills the program when a step is asked once
  /// more.
  private func goOn(
    _ bench: DurableBench, resumed: Bool = true, until step: String
  ) async throws {
    let count = bench.shop.keys(of: step).count
    bench.shop.holdBack(step)
    try await bench.run(resumed: resumed) { host, session in
      if !resumed { try await host.dispatch(Action("orders/place"), to: session) }
      while bench.shop.keys(of: step).count == count {
        _ = await host.waitForTasks(in: session, within: .milliseconds(5))
      }
      // What was dispatched before the question is carried out and kept in the same turn of the
      // host, which this call comes after.
      _ = await host.state(of: session)
    }
    bench.shop.release()
  }

  /// Carries out the journal again; returns the difference, if there is one.
  private func difference(_ bench: DurableBench) async throws -> Replay.Difference? {
    let host = try await bench.host()
    let replay = try await RecordedRun(bench.path).replay(on: host)
    await host.close()
    #expect(replay.count > 0)
    return replay.difference
  }

  @Test(arguments: [
    (
      #"local answer = self.call("bank/inner") note("paid") return answer"#,
      ["other ok", "first ok", "paid", "outer ok", "other ends"]
    ),
    // A command that was cut off begins again from its start.
    (
      dispatchingAtBothEnds,
      [
        "other ok", "first ok", "asked", "asked", "asked", "paid", "outer ok", "other ends",
      ]
    ),
    (
      #"local t = require "moonwire".spawn(function() return self.call("bank/inner") end) local answer = t:await() note("paid") return answer"#,
      ["other ok", "first ok", "paid", "outer ok", "other ends"]
    ),
  ])
  func `killed in a command that a command has called, effects do all once and in order`(
    commandCode: String, steps: [String]
  ) async throws {
    let bench = try DurableBench(Self.modules(commandCode))
    try await goOn(bench, resumed: false, until: "first")
    // The first time, the command is called by code that has run again from its start.
    try await goOn(bench, until: "held")
    try await goOn(bench, until: "held")
    let done = try await bench.steps()
    #expect(done == steps)
    for (step, count) in [("other", 1), ("first", 2), ("held", 3)] {
      let keys = bench.shop.keys(of: step)
      #expect(keys.count == count && Set(keys).count == 1, "\(step): \(keys)")
    }
    #expect(try await difference(bench) == nil)
  }

  @Test func `a command that isn't called again does nothing twice, and the other effect goes on`()
    async throws
  {
    let call = #"local ok, e = pcall(self.call, "stock/outer") note(e.code .. " " .. e.command)"#
    let bench = try DurableBench(
      Self.modules(Self.dispatchingAtBothEnds, call: call, #"retry = "never","#))
    try await goOn(bench, resumed: false, until: "held")
    let steps = try await bench.steps()
    #expect(steps == ["other ok", "first ok", "asked", "cut_off stock/outer", "other ends"])
    for step in ["other", "first", "held"] { #expect(bench.shop.keys(of: step).count == 1) }
    #expect(try await difference(bench) == nil)
  }

  @Test(arguments: [
    (#"note("asked") return "answer""#, ["asked", "answer"]),
    (#"self.dispatch("fail") return "answer""#, ["answer"]),
    (#"note("asked") self.dispatch("fail") error("answer")"#, ["asked", "answer"]),
    // The machine of the command is gone before the action is carried out.
    (#"note("asked") local s = "answer" while true do s = s .. s end"#, ["asked", "memory"]),
  ])
  func `what a command has dispatched comes before its answer, whatever becomes of both`(
    commandCode: String, steps: [String]
  ) async throws {
    var files = DurableEffectTests.module(
      """
      local _, answer = pcall(self.call, "stock/outer")
      note(answer:match "answer" or answer:match "memory" or answer)
      """)
    files["stock.lua"] = Self.stock(commandCode)
    let bench = try DurableBench(files)
    try await bench.run { host, session in
      try await host.dispatch(Action("orders/place"), to: session)
      _ = await host.waitForTasks(in: session, within: .seconds(20))
      #expect(await DurableBench.steps(of: session, on: host) == steps)
      #expect(await host.taskInfos(of: session).isEmpty)
    }
  }

  /// An interruption drops what is queued, and what the task dispatches in the same turn of the
  /// host.
  @Test func `a command whose actions are dropped answers nevertheless`() async throws {
    var files = DurableEffectTests.module(#"note(self.call("stock/outer"))"#)
    files["stock.lua"] = Self.stock(
      #"self.dispatch("stop/now") note("x") note("y") return "answer""#)
    let bench = try DurableBench(files)
    let name = try #require(ModuleName("stop"))
    try await bench.run { host, session in
      let stop: @Sendable () -> Module = {
        var module = Module(name: name)
        module.reducers = [Reducer(.exact("stop/now")) { _, _ in host.interrupt() }]
        return module
      }
      try await host.add(stop())
      try await host.dispatch(Action("orders/place"), to: session)
      _ = await host.waitForTasks(in: session, within: .seconds(20))
      #expect(await DurableBench.steps(of: session, on: host) == [])
      #expect(await host.taskInfos(of: session).isEmpty)
    }
    #expect(try await bench.steps() == [])
  }

  /// The end of the outer command, and what the effect does.
  private static let ends: [(end: String, call: String)] = [
    ("return answer", #"note("outer " .. self.call("stock/outer"))"#),
    (
      #"error("outer " .. answer)"#,
      #"local _, e = pcall(self.call, "stock/outer") note(e:match "outer ok")"#
    ),
  ]

  @Test(arguments: 1...24, [0, 1])
  func `killed after any of its writes, commands inside commands lose nothing`(
    count: Int, end: Int
  ) async throws {
    let code = #"note("asked") local answer = self.call("bank/inner") note("paid") "#
    let bench = try DurableBench(
      Self.modules(code + Self.ends[end].end, call: Self.ends[end].call))
    let begins = try await bench.run(writes: count).begins
    _ = try await bench.run(resumed: true, writes: count / 2)
    let steps = try await bench.steps()
    let whole = #/other ok,(asked,(paid,)?)*asked,paid,outer ok,other ends/#
    // The steps of a command are actions of another module than those of the effect. On a slow
    // machine, modules take turns, so the step before the call may come after those in it.
    let others = steps.filter { $0 != "first ok" }
    let isWhole =
      others.joined(separator: ",").wholeMatch(of: whole) != nil
      && others.count == steps.count - 1
    // The action that begins may be kept although what followed it at once isn't.
    #expect(isWhole || (!begins && steps == []), "\(steps)")
    for step in ["other", "first", "held"] {
      #expect(Set(bench.shop.keys(of: step)).count == (steps == [] ? 0 : 1), "\(step)")
    }
  }
}
