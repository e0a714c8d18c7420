import MoonTestSupport
import Moonwire
import Testing

/// Durable effects that call commands, killed while these work.
@Suite(.timeLimit(.minutes(2))) struct DurableCommandTests {
  /// Two modules with commands that ask the shop, and an effect that calls them in some Lua code.
  private static func modules(_ code: String, _ keys: String = "") -> [String: String] {
    let commands = """
      commands = {
        pay = function(p) return p.step .. " " .. require "moonwire".shop.ask(p.step, "tea") end,
        relay = function(p, self) return self.call("stock/pay", p) end,
        nothing = function() end,
        forever = function() require "moonwire".take "orders/never" end,
        fail = function(p, self) error("out of " .. self.call("stock/pay", p)) end,
        raise = function(p, self) error { code = "out", of = self.call("stock/pay", p) } end,
      },
      """
    var files = DurableEffectTests.module(code, keys)
    files["stock.lua"] = "return { \(commands) }"
    files["bank.lua"] = files["stock.lua"]
    files["orders.lua"]?.replace(
      #"commands = { price = function(p) return p.of .. " costs 5" end },"#, with: commands)
    return files
  }

  @Test(arguments: [
    (#"note(self.call("pay", { step = "held" }))"#, ["held ok"]),
    (#"note(self.call("stock/pay", { step = "held" }))"#, ["held ok"]),
    (#"note(self.call("relay", { step = "held" }))"#, ["held ok"]),
    (#"note(self.call("bank/relay", { step = "held" }))"#, ["held ok"]),
    (
      #"local ok, e = pcall(self.call, "bank/fail", { step = "held" }) note(e:match "out of .*")"#,
      ["out of held ok"]
    ),
    (
      #"local ok, e = pcall(self.call, "bank/raise", { step = "held" }) note(e.code .. e.of)"#,
      ["outheld ok"]
    ),
    (
      #"local ok, e = pcall(self.call, "bank/raise", { step = "x" }) ask("held") note(e.of)"#,
      ["x ok"]
    ),
    (
      #"local all = moon.all { x = function() return self.call("pay", { step = "held" }) end, y = function() return ask("x") end } note(all.x .. all.y)"#,
      ["held okok"]
    ),
    (
      #"local k, v = moon.race { x = function() return self.call("stock/pay", { step = "held" }) end, y = function() moon.sleep(1000) end } note(k .. v)"#,
      ["xheld ok"]
    ),
    (
      #"note(moon.timeout(1000, function() return self.call("stock/pay", { step = "held" }) end))"#,
      ["held ok"]
    ),
    (
      #"local t = moon.spawn(function() return self.call("pay", { step = "held" }) end) note(t:await())"#,
      ["held ok"]
    ),
  ])
  func `a command that was cut off is called again, and asks with the same key`(
    code: String, steps: [String]
  ) async throws {
    let bench = try DurableBench(Self.modules(code))
    try await bench.begin(until: "held")
    #expect(try await bench.steps() == steps)
    let keys = bench.shop.keys(of: "held")
    #expect(keys.count == 2 && Set(keys).count == 1 && keys.first != "none", "\(keys)")
  }

  @Test(arguments: [
    (#"note(self.call("stock/pay", { step = "a" })) ask("held") note("b")"#, ["a ok", "b"]),
    (
      #"note(tostring(self.call("nothing"))) ask("a") ask("held") note("b")"#, ["nil", "b"]
    ),
    (
      #"local all = moon.all { x = function() return self.call("pay", { step = "a" }) end } note(all.x) ask("held")"#,
      ["a ok"]
    ),
    (
      #"local k = moon.race { x = function() self.call("stock/forever") end, y = function() ask("a") end } note(k) ask("held") note("b")"#,
      ["y", "b"]
    ),
    (
      #"local ok, e = pcall(self.call, "stock/fail", { step = "a" }) note(e:match "out of .*") ask("held")"#,
      ["out of a ok"]
    ),
  ])
  func `a command that has answered isn't called again`(
    code: String, steps: [String]
  ) async throws {
    let bench = try DurableBench(Self.modules(code))
    try await bench.begin(until: "held")
    #expect(try await bench.steps() == steps)
    #expect(bench.shop.keys(of: "a").count == 1)
  }

  @Test func `like requests of a command have keys of their own`() async throws {
    let bench = try DurableBench(
      Self.modules(#"for _ = 1, 2 do self.call("stock/pay", { step = "a" }) end ask("held")"#))
    try await bench.begin(until: "held")
    #expect(try await bench.steps() == [])
    #expect(Set(bench.shop.keys(of: "a")).count == 2)
  }

  @Test(arguments: ["pay", "stock/pay"])
  func `a command that was cut off isn't called again if the effect says so`(
    command: String
  ) async throws {
    let code = """
      local ok, e = pcall(self.call, "\(command)", { step = "held" })
      note(e.code .. " " .. e.command) note(tostring(e):match "^orders.lua:%d+: (.*)")
      """
    let bench = try DurableBench(Self.modules(code, #"retry = "never","#))
    try await bench.begin(until: "held")
    #expect(
      try await bench.steps() == [
        "cut_off \(command)",
        "the command \(command) was cut off: the program ended before its answer was kept",
      ])
    #expect(bench.shop.keys(of: "held").count == 1)
  }

  @Test func `a command that is gone when it would be called again has failed`() async throws {
    let code = """
      local ok, e = pcall(self.call, "stock/pay", { step = "held" })
      note(e:match "there is no module stock") ask("a")
      """
    let bench = try DurableBench(Self.modules(code))
    try await bench.begin(until: "held")
    try bench.folder.remove("stock.lua")
    #expect(try await bench.steps() == ["there is no module stock"])
    #expect(bench.shop.keys(of: "held").count == 1)
  }

  @Test func `a session that is closed under way calls the command again later`() async throws {
    let bench = try DurableBench(
      Self.modules(#"note(self.call("stock/pay", { step = "held" }))"#))
    try await bench.closeSession(whileAsking: "held")
    #expect(try await bench.steps() == ["held ok"])
  }

  /// Every kind of wait, one after the other.
  private static let flow = #"""
    note(self.call("pay", { step = "a" }))
    local all = moon.all {
      x = function() return self.call("stock/pay", { step = "b" }) end,
      y = function() return ask("c") end,
    }
    note(all.x .. all.y)
    note(self.dispatch_and_wait("note", { step = "w" }).status)
    moon.spawn(function() moon.sleep(0.001) note("s") end):await()
    self.dispatch("go")
    moon.when("orders.open")
    note(moon.timeout(1000, function() return ask("d") end))
    """#
  private static let steps = ["a ok", "b okok", "w", "done", "s", "ok"]

  @Test(arguments: 1...24)
  func `killed after any of its writes, a flow does each of its steps once`(
    count: Int
  ) async throws {
    let bench = try DurableBench(Self.modules(Self.flow))
    let (begins, isOver) = try await bench.run(writes: count)
    // It then comes on by a write each time.
    var isDone = isOver
    var runCount = 0
    while !isDone, runCount < 100 {
      isDone = try await bench.run(resumed: true, writes: 2).isOver
      runCount += 1
    }
    let steps = try await bench.steps()
    // The action that begins may be kept although what followed it at once isn't.
    #expect(steps == Self.steps || (!begins && steps == []), "\(steps)")
    for step in ["a", "b", "c", "d"] {
      #expect(Set(bench.shop.keys(of: step)).count == (steps == [] ? 0 : 1), "\(step)")
    }
  }
}
