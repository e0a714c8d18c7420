import MoonJournal
import MoonTestSupport
import MoonValues
import Moonwire
import Testing

/// Durable effects whose code changes while they run.
@Suite(.timeLimit(.minutes(2))) struct DurableReloadTests {
  private func save(_ files: [String: String], in bench: DurableBench) throws {
    for (path, text) in files { try bench.folder.save(path, text) }
  }

  @Test func `a reload at every wait changes nothing about a task`() async throws {
    let bench = try DurableBench(["orders.lua": DurableEffectTests.orders])
    try await bench.run { host, session in
      for (index, step) in DurableEffectTests.steps.enumerated() {
        bench.shop.holdBack(step)
        if index == 0 {
          try await host.dispatch(Action("orders/place", ["item": "tea"]), to: session)
        }
        await bench.shop.waitUntilAsked(step)
        // The new code would do something else in every place.
        try save(
          DurableEffectTests.module("note('\(index)')").merging(
            ["lib/more.lua": "return \(index)"]) { first, _ in first }, in: bench)
        await host.reload()
        bench.shop.answerHeld()
      }
      _ = await host.waitForTasks(in: session, within: .seconds(30))
      let expected = DurableEffectTests.steps.map { "\($0) ok" }
      #expect(await DurableBench.steps(of: session, on: host) == expected)
    }
    for step in DurableEffectTests.steps { #expect(bench.shop.keys(of: step).count == 1) }
  }

  @Test func `a reload and a list of tasks say which go on on earlier code`() async throws {
    let bench = try DurableBench(
      DurableEffectTests.module(
        #"local t = moon.spawn(function() moon.take("never") end) ask("held") t:cancel()"#))
    bench.shop.holdBack("held")
    try await bench.run { host, session in
      for _ in 1...2 { try await host.dispatch(Action("orders/place"), to: session) }
      await bench.shop.waitUntilAsked("held")
      #expect(
        await durable(in: session, on: host) == [
          "1 1 false", "1 1 false", "2 1 false", "2 1 false",
        ])
      try save(DurableEffectTests.module("note('new')"), in: bench)
      let events = await host.reload()
      #expect(durableTasks(in: events) == [[1: 2]])
      #expect(
        await durable(in: session, on: host) == ["1 1 true", "1 1 true", "2 1 true", "2 1 true"])
      // The same files again: nothing is on earlier code then.
      #expect(await durableTasks(in: host.reload()) == [[1: 2]])
    }
    bench.shop.release()
    #expect(try await bench.steps() == [])
  }

  /// Describes the parts of durable tasks: the number, the generation, and whether it is on earlier
  /// code.
  private func durable(in session: SessionID, on host: Host) async -> [String] {
    await host.taskInfos(of: session).compactMap { task in
      task.durable.map { "\($0.number) \(task.generation) \($0.isOnEarlierCode)" }
    }.sorted()
  }

  private func durableTasks(in events: [HostEvent]) -> [[Int: Int]] {
    events.compactMap { if case .reloaded(let reload) = $0 { reload.durableTasks } else { nil } }
  }

  @Test(arguments: [
    (#"on_new_code = "restart","#, "new tea"),
    (#"on_new_code = function(p) return { item = p.item .. "!" } end,"#, "new tea!"),
    (#"on_new_code = function() error "no" end,"#, "old"),
    (
      #"""
      on_new_code = function(_, progress)
        local text = {}
        for i, call in ipairs(progress.calls) do
          text[i] = call.call .. " " .. call.about .. " " .. tostring(call.result)
            .. " " .. tostring(call.error and call.error.code) .. " " .. tostring(call.waiting)
            .. " " .. tostring(call.key == progress.key .. "-" .. i) .. " " .. call.at
        end
        return { item = table.concat(text, ";") }
      end,
      """#,
      "new shop.ask a ok nil nil true orders.lua:18;shop.ask bad nil sold_out nil true "
        + "orders.lua:18;dispatch note nil nil nil false orders.lua:16;"
        + "shop.ask held nil nil true true orders.lua:18"
    ),
  ])
  func `a task begins anew on new code if the effect says so`(
    keys: String, step: String
  ) async throws {
    for hasReloaded in [false, true] {
      let old = #"ask("a") pcall(ask, "bad") note("n") ask("held") note("old")"#
      let bench = try DurableBench(DurableEffectTests.module(old))
      let new = DurableEffectTests.module(#"note("new " .. p.item)"#, keys)
      if hasReloaded {
        bench.shop.holdBack("held")
        try await bench.run { host, session in
          try await host.dispatch(Action("orders/place", ["item": "tea"]), to: session)
          await bench.shop.waitUntilAsked("held")
          try save(new, in: bench)
          await host.reload()
          bench.shop.answerHeld()
          _ = await host.waitForTasks(in: session, within: .seconds(30))
          #expect(await DurableBench.steps(of: session, on: host) == ["n", step])
        }
      } else {
        try await bench.begin(until: "held")
        try save(new, in: bench)
      }
      // The old task is over, so that it doesn't begin anew a second time.
      for _ in 1...3 { #expect(try await bench.steps() == ["n", step]) }
    }
  }

  @Test func `a task that begins when its module leaves goes on when that is back`() async throws {
    let leaving = DurableEffectTests.module(
      #"note("a") ask("held") note("b")"#, ""
    ).mapValues {
      $0.replacing(
        "state = {", with: "on_stop = function(self) self.dispatch('place') end, state = {")
    }
    let bench = try DurableBench(leaving)
    bench.shop.holdBack("held")
    try await bench.run { host, session in
      try bench.folder.remove("orders.lua")
      await host.reload()
      #expect(await host.taskInfos(of: session).isEmpty)
      bench.shop.answerHeld()
      #expect(await host.waitForTasks(in: session, within: .seconds(30)).faults.isEmpty)
      try save(leaving, in: bench)
      await host.reload()
      _ = await host.waitForTasks(in: session, within: .seconds(30))
      #expect(await DurableBench.steps(of: session, on: host) == ["a", "b"])
    }
  }

  @Test func `a journal of an earlier version, with other names of files, goes on`() async throws {
    let code = #"note("a") ask("held") note("b")"#
    let files = DurableEffectTests.module(code, #"on_new_code = "restart","#)
    let bench = try DurableBench(files)
    try await bench.begin(until: "held")
    let hash = String(Text(files["orders.lua"] ?? "").stableHash, radix: 16)
    let former = String(repeating: "0", count: 16 - hash.count) + hash
    var names = 0
    try bench.rewrite { text in
      names += text.ranges(of: /[0-9a-f]{64}/).count
      return text.replacing(/[0-9a-f]{64}/, with: former)
    }
    // The module's file, that of the task, and its contents.
    #expect(names >= 3)
    let host = try await bench.host()
    let run = try RecordedRun(bench.path)
    #expect(try await host.perform { try run.verdict(with: $0) } == .fine)
    #expect(try await bench.steps() == ["a", "b"])
  }
}
