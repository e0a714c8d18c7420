import MoonJournal
import MoonTestSupport
import Moonwire
import Testing

/// Effects that go on after their program was killed.
@Suite(.timeLimit(.minutes(2))) struct DurableEffectTests {
  /// A flow of ten steps: orders, pays, reserves and ships.
  static let orders = """
    local moon = require "moonwire"
    return moon.module {
      state = { steps = {} },
      actions = { place = { item = "string" }, note = { step = "string" } },
      reducers = { note = function(state, p) state.steps[#state.steps + 1] = p.step end },
      effects = {
        place = {
          durable = true,
          run = function(p, self)
            local function step(name)
              local answer = moon.shop.ask(name, p.item)
              self.dispatch("note", { step = name .. " " .. answer })
            end
            step("order")
            step("pay")
            step("check")
            step("reserve")
            step("pack")
            step("label")
            step("ship")
            step("track")
            step("bill")
            step("thank")
          end,
        },
      },
    }
    """

  static let steps = [
    "order", "pay", "check", "reserve", "pack", "label", "ship", "track", "bill", "thank",
  ]

  @Test func `a flow goes on where it was, and no step is asked twice`() async throws {
    let bench = try DurableBench(["orders.lua": Self.orders])
    for (index, step) in Self.steps.enumerated() {
      bench.shop.holdBack(step)
      try await bench.run(resumed: index > 0) { host, session in
        if index == 0 {
          try await host.dispatch(Action("orders/place", ["item": "tea"]), to: session)
        }
        await bench.shop.waitUntilAsked(step)
      }
      bench.shop.release()
    }
    try await bench.run(resumed: true) { host, session in
      _ = await host.waitForTasks(in: session, within: .seconds(30))
      let state = await host.state(of: session)
      let expected = Self.steps.map { Value.string(Text("\($0) ok")) }
      #expect(state?["orders"]?["steps"] == .list(List(expected)))
      #expect(await host.taskInfos(of: session).isEmpty)
    }
    for step in Self.steps {
      // The one that was cut off was asked again with the same key.
      #expect(bench.shop.keys(of: step).count == 2)
      #expect(Set(bench.shop.keys(of: step)).count == 1)
    }
    #expect(Set(Self.steps.flatMap { bench.shop.keys(of: $0) }).count == Self.steps.count)
  }

  /// Files of a module `orders` whose effect `place` runs some Lua code with `step` and `ask`.
  static func module(_ code: String, _ keys: String = "") -> [String: String] {
    [
      "orders.lua": """
      local moon = require "moonwire"
      local count = 0
      return moon.module {
        state = { steps = {}, open = false },
        actions = {
          place = { item = "string?", round = "integer?" }, note = { step = "string" }, go = {},
        },
        commands = { price = function(p) return p.of .. " costs 5" end },
        reducers = {
          note = function(state, p) state.steps[#state.steps + 1] = p.step end,
          go = function(state) state.open = true end,
        },
        effects = {
          place = { durable = true, \(keys)
            run = function(p, self)
              local function note(step) self.dispatch("note", { step = step }) end
              local function ask(name) return moon.shop.ask(name, "tea") end
              \(code)
            end },
        },
      }
      """
    ]
  }

  /// Whatever the code does before it is cut off: it is there once after going on.
  @Test(arguments: [
    (#"ask("a") note("a") ask("held") note("b")"#, ["a", "b"]),
    (#"note(tostring(self.task.key == p.key)) ask("held") note("b")"#, ["false", "b"]),
    (#"local n = moon.random(1, 1) note("r" .. n) ask("held") note("s" .. n)"#, ["r1", "s1"]),
    (#"note(tostring(self.state("orders.open"))) ask("held") note("b")"#, ["false", "b"]),
    (#"local ok, e = pcall(ask, "bad") note(e.code) ask("held") note("b")"#, ["sold_out", "b"]),
    (
      #"local all = moon.all { x = function() return ask("x") end, y = function() return ask("held") end } note(all.x .. all.y)"#,
      ["okok"]
    ),
    (
      #"local k = moon.race { x = function() ask("x") return 1 end, y = function() moon.sleep(1000) end } note(k) ask("held") note("b")"#,
      ["x", "b"]
    ),
    (
      #"local t = moon.spawn(function() ask("x") note("c") return 5 end) ask("held") note("n" .. t:await())"#,
      ["c", "n5"]
    ),
    (
      #"local t = moon.spawn(function() error("no") end) note(tostring(pcall(function() return t:await() end))) ask("held") note("b")"#,
      ["false", "b"]
    ),
    (#"note(self.call("price", { of = "tea" })) ask("held") note("b")"#, ["tea costs 5", "b"]),
    (
      #"local o = self.dispatch_and_wait("note", { step = "w" }) note(o.status) ask("held") note("b")"#,
      ["w", "done", "b"]
    ),
    (#"count = count + 1 ask("held") note("n" .. count)"#, ["n1"]),
    (
      #"pcall(moon.timeout, 0.001, function() moon.sleep(1000) end) note("t") ask("held") note("b")"#,
      ["t", "b"]
    ),
    (
      #"local t = moon.spawn(function() local c <close> = setmetatable({}, { __close = function() note("c") end }) moon.sleep(1000) end) moon.sleep(0) t:cancel() ask("held") note("b")"#,
      ["c", "b"]
    ),
    (#"ask("held") return { type = "note", payload = { step = "r" } }"#, ["r"]),
    (#"note(moon.timeout(1000, function() return ask("held") end))"#, ["ok"]),
    (
      #"if not p.round then self.dispatch("place", { round = 2 }) moon.take("go") else ask("held") self.dispatch("go") end note("n" .. (p.round or 1))"#,
      ["n2", "n1"]
    ),
    (
      #"return moon.defer(function(emit) emit { type = "note", payload = { step = "e" } } emit { type = "note", payload = { step = ask("held") } } end)"#,
      ["e", "ok"]
    ),
  ])
  func `what a task has done isn't done again`(code: String, steps: [String]) async throws {
    let bench = try DurableBench(Self.module(code))
    try await bench.begin(until: "held")
    #expect(try await bench.steps() == steps)
    #expect(Set(bench.shop.keys(of: "held")).count == 1)
    #expect(bench.shop.keys(of: "held").count == 2)
    // It may have been cut off beside the other.
    #expect(Set(bench.shop.keys(of: "x")).count <= 1)
  }

  @Test func `a sleep ends at its time although no program ran`() async throws {
    let bench = try DurableBench(
      Self.module(#"ask("a") moon.sleep(3600) note("awake")"#))
    bench.shop.holdBack("none")
    try await bench.run { host, session in
      try await host.dispatch(Action("orders/place"), to: session)
      while await host.taskInfos(of: session).first?.wait?.hasPrefix("shop") ?? true {
        _ = await host.waitForTasks(in: session, within: .milliseconds(1))
      }
    }
    try await bench.run(resumed: true) { host, session in
      #expect(await host.taskInfos(of: session).count == 1)
      #expect(await DurableBench.steps(of: session, on: host) == [])
    }
    bench.pass(seconds: 3600)
    #expect(try await bench.steps() == ["awake"])
  }

  @Test func `an action that came before the program ended isn't missed`() async throws {
    let bench = try DurableBench(
      Self.module(#"moon.take("go") note("went") ask("held") note("b")"#))
    bench.shop.holdBack("held")
    try await bench.run { host, session in
      try await host.dispatch(Action("orders/place"), to: session)
    }
    try await bench.run(resumed: true) { host, session in
      try await host.dispatch(Action("orders/go"), to: session)
    }
    bench.shop.release()
    #expect(try await bench.steps() == ["went", "b"])
  }

  @Test func `a call that was cut off isn't made again if the effect says so`() async throws {
    let code = #"local ok, e = pcall(ask, "held") note(tostring(ok) .. " " .. e.code)"#
    let bench = try DurableBench(Self.module(code, #"retry = "never","#))
    try await bench.begin(until: "held")
    #expect(try await bench.steps() == ["false cut_off"])
    #expect(bench.shop.keys(of: "held").count == 1)
  }

  @Test func `a task ends on the code that began it, after a crash and after a reload`()
    async throws
  {
    let bench = try DurableBench(Self.module(#"ask("a") ask("held") note("old")"#))
    try await bench.begin(until: "held")
    for (path, text) in Self.module(#"note("new")"#) { try bench.folder.save(path, text) }
    bench.shop.holdBack("held")
    try await bench.run(resumed: true) { host, session in
      await host.reload()
      #expect(await host.taskInfos(of: session).count == 1)
      try await host.dispatch(Action("orders/place"), to: session)
      #expect(await DurableBench.steps(of: session, on: host) == ["new"])
    }
    bench.shop.release()
    #expect(try await bench.steps() == ["new", "old"])
    #expect(bench.shop.keys(of: "a").count == 1)
  }

  @Test func `a session that is closed lets its tasks go on later`() async throws {
    let bench = try DurableBench(Self.module(#"note("a") ask("held") note("b")"#))
    try await bench.closeSession(whileAsking: "held")
    #expect(try await bench.steps() == ["a", "b"])
  }

  @Test func `a task that begins anew has a short journal and a new key`() async throws {
    let bench = try DurableBench(
      Self.module(
        #"""
        local round = p.round or 1
        note(round .. ask("r" .. round))
        if round < 5 then moon.continue({ round = round + 1 }) end
        """#))
    bench.shop.holdBack("r4")
    try await bench.begin(until: "r4")
    #expect(try await bench.steps() == ["1ok", "2ok", "3ok", "4ok", "5ok"])
    #expect(Set((1...5).flatMap { bench.shop.keys(of: "r\($0)") }).count == 5)
  }

  @Test func `a task that only begins anew leads to whole states, which shorten the journal`()
    async throws
  {
    let bench = try JournalBench([
      "m.lua": """
      local moon = require "moonwire"
      return { effects = { go = { durable = true, run = function(p)
        local round = p.round or 1
        if round < 40 then moon.continue { round = round + 1, text = ("x"):rep(20000) } end
      end } } }
      """
    ])
    let file = try JournalFile(bench.path, for: .beginning)
    try await bench.run(on: file) { host, session in
      try await host.dispatch(Action("m/go"), to: session)
      #expect(await host.waitForTasks(in: session, within: .seconds(60)).faults.isEmpty)
    }
    // One at the beginning, and one for each 256 KB of payloads.
    #expect(try file.stateNumbers().count > 2)
    file.close()
  }

  @Test(arguments: [
    // In their machines, and in their journals.
    #"local kept = {} for i = 1, 10 do kept[i] = ("x"):rep(50000) end"#,
    #"for i = 1, 6 do self.state("orders.steps") moon.sleep(0) end local kept"#,
  ])
  func `what the durable tasks of a module use together is limited`(code: String) async throws {
    let bench = try DurableBench(
      Self.module(code + #" moon.take("orders/never") return kept"#), memoryQuota: 2 << 20)
    try await bench.run { host, session in
      let text = Text(String(repeating: "x", count: 50_000))
      try await host.dispatch(Action("orders/note", ["step": .string(text)]), to: session)
      for _ in 1...8 { try await host.dispatch(Action("orders/place"), to: session) }
      while await host.taskInfos(of: session).contains(where: {
        !($0.wait?.contains("orders/never") ?? false)
      }) { await Task.yield() }
      let count = await host.taskInfos(of: session).count
      #expect((1..<8).contains(count), "\(count) tasks go on")
    }
  }

  @Test func `a journal of a task that grows without end is stopped at its limit`() async throws {
    let bench = try DurableBench(
      Self.module(
        #"""
        local ok, e
        repeat ok, e = pcall(self.state, "orders.open") until not ok
        moon.continue({ item = e:match("moon.continue") })
        """#))
    try await bench.run { host, session in
      try bench.folder.save("other.lua", "return {}")
      try await host.dispatch(Action("orders/place", ["round": 1]), to: session)
      while await host.taskInfos(of: session).first?.action.payload["item"] != "moon.continue" {
        _ = await host.waitForTasks(in: session, within: .milliseconds(1))
      }
    }
  }

  @Test(arguments: ["os.time()", "os.clock()", #"collectgarbage("count")"#])
  func `a clock of Lua's own is refused, since the code may run again`(code: String) async throws {
    let bench = try DurableBench(
      Self.module(
        "local ok, e = pcall(function() return \(code) end) note(e:match('moon.time.now'))"))
    try await bench.run { host, session in
      let outcome = try await host.perform { host in
        try host.dispatch(Action("orders/place"), to: session)
      }
      #expect(outcome.after["orders"]?["steps"] == ["moon.time.now"])
    }
  }

  @Test func `without a journal, a durable effect runs as any other`() async throws {
    let bench = try DurableBench(
      Self.module(
        #"note(ask("a")) if not p.round then moon.continue({ round = 2 }) end note("end")"#))
    let host = try await bench.host()
    let session = await host.openSession()
    try await host.dispatch(Action("orders/place"), to: session)
    _ = await host.waitForTasks(in: session, within: .seconds(30))
    #expect(await DurableBench.steps(of: session, on: host) == ["ok", "ok", "end"])
    #expect(bench.shop.keys(of: "a") == ["none", "none"])
  }

  @Test func `a check names both sides of what the present code does differently`() async throws {
    let bench = try DurableBench(Self.module(#"ask("a") ask("held") note("old")"#))
    try await bench.begin(until: "held")
    #expect(try await bench.check().map(\.problem) == [nil])
    for (path, text) in Self.module(#"ask("a") ask("b") note("new")"#) {
      try bench.folder.save(path, text)
    }
    #expect(
      try await bench.check().map(\.problem) == [
        "the journal has shop.ask held at orders.lua:18, and the code comes to shop.ask b at "
          + "orders.lua:18"
      ])
    for (path, text) in Self.module(#"ask("a")"#) { try bench.folder.save(path, text) }
    #expect(
      try await bench.check().map(\.problem) == [
        "the journal has shop.ask held at orders.lua:18, and the code comes to the end of the code"
      ])
    #expect(bench.shop.keys(of: "b") == [])
    #expect(bench.shop.keys(of: "held").count == 1)
  }

  @Test(arguments: [
    #"durable = true, policy = "latest""#, #"durable = true, debounce = 1"#, #"retry = "never""#,
    #"durable = true, retry = "often""#, #"durable = true, on_new_code = 5"#,
  ])
  func `rules that don't go together are problems of the module`(keys: String) async throws {
    let bench = try DurableBench([
      "orders.lua": "return { effects = { x = { run = function() end, \(keys) } } }"
    ])
    let host = try await bench.host()
    #expect(await host.moduleInfos().first?.problems.count == 1)
  }

  @Test func `the logs of tasks count when the next whole state is due`() async throws {
    let bench = try JournalBench([
      "m.lua": """
      local moon = require "moonwire"
      return { state = { big = ("x"):rep(100000) }, effects = { go = { durable = true,
        run = function(_, self)
          for i = 1, 6 do self.state("m.big") moon.sleep(0) end
          moon.take "m/never"
        end } } }
      """
    ])
    let file = try JournalFile(bench.path, for: .beginning)
    try await bench.run(on: file) { host, session in
      let failures = host.events()
      for count in 1...12 {
        try await host.dispatch(Action("m/go"), to: session)
        while await host.taskInfos(of: session).count(where: {
          $0.wait?.contains("m/never") ?? false
        }) < count {
          if Task.isCancelled {
            await host.close()
            var texts: [String] = []
            for await event in failures { texts.append("\(event)") }
            Issue.record("\(await host.taskInfos(of: session)), \(texts)")
            return
          }
          await Task.yield()
        }
      }
    }
    // Each is about as large as all before it, or the tasks would write their logs 12 times.
    let states = try file.stateNumbers().count
    #expect(states > 1 && states <= 6, "\(states) whole states")
    file.close()
  }
}
