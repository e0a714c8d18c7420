import Moonwire
import Testing

/// A module refuses what it is called for: nothing changes, the dispatcher gets the reason, and it
/// is no fault.
struct RefusingTests {
  private static let bank = """
    local moon = require "moonwire"
    local function no() moon.refuse("no", { limit = 3 }) end
    return {
      state = { balance = 100, told = "" },
      reducers = {
        pay = function(s, p)
          s.balance = s.balance - p.amount
          if s.balance < 0 then moon.refuse("too little", { missing = -s.balance }) end
        end,
        tell = function(s, p) s.told = p.text end,
        mapped = function(s) s.balance = 0 end,
        wrong = function() moon.refuse("no", { print }) end,
        unnamed = function() moon.refuse() end,
        caught = function(s)
          local _, err = pcall(moon.refuse, "no", { 1 })
          s.told = tostring(err) .. err.details[1] .. "; " .. err
        end,
        drop = function() end, idle = function() end,
      },
      middleware = {
        { on = "bank/held", run = no }, { on = "other/add", run = no },
        { on = "bank/drop", run = function() return false end },
      },
      map_modules = { ["bank/mapped"] = no },
      actions = { held = {}, go = {}, failing = {} },
      commands = { ask = no },
      handlers = { ["/handler"] = no },
      routes = {
        ["/screen"] = no, ["/guarded"] = function() return {} end,
        ["/late"] = function() return {} end, ["/"] = function() return { title = "Home" } end,
      },
      routing_observers = {
        { route = "/guarded", will = no },
        { route = "/late", will = function() moon.sleep(1) no() end },
      },
      on_back = no,
      effects = {
        go = function(p, self)
          local _, err = pcall(self.call, "bank/ask")
          local out = self.dispatch_and_wait("pay", { amount = 101 })
          self.dispatch("tell", { text = err.reason .. err.details.limit .. " " .. out.status
            .. out.error .. out.refusal.details.missing .. out.refusal.module })
        end,
        failing = function(p, self) self.call("bank/ask") end,
      },
    }
    """
  private static let other = """
    return { state = { n = 0 }, reducers = {
      add = function(s) s.n = s.n + 1 end,
      ["bank/pay"] = function(s) s.n = s.n + 1 require "moonwire".refuse("not mine") end,
    } }
    """

  private func bench() async throws -> TaskBench {
    try await TaskBench(["bank.lua": Self.bank, "other.lua": Self.other])
  }

  @Test func `a reducer's refusal changes nothing and has the reason, the details and the place`()
    async throws
  {
    let bench = try await bench().bench
    let error = await bench.failure(of: "bank/pay", ["amount": 101])
    let refusal = try #require(error?.refusal)
    #expect(refusal.reason == "too little")
    #expect(refusal.details == ["missing": 1])
    #expect(refusal.origin?.module.text == "bank")
    #expect(refusal.origin?.registration.description == "reducer bank/pay")
    #expect(refusal.origin?.place?.description == "bank.lua:8")
    #expect(try await bench.state("bank.balance") == 100)
    #expect(await bench.history().last == "bank/pay refused by bank")
    #expect("\(error as Any)".contains("reducer bank/pay of module bank refused it: too little"))
  }

  @Test(arguments: ["bank/held", "bank/mapped", "other/add"])
  func `middleware and mappers of the module refuse, too`(type: String) async throws {
    let bench = try await bench().bench
    let before = try await bench.state()
    #expect(await bench.failure(of: type)?.refusal?.reason == "no")
    #expect(try await bench.state() == before)
    #expect(await bench.history().last == "\(type) refused by bank")
  }

  @Test(arguments: ["/handler", "/screen", "/guarded", "/late"])
  func `handlers, screens and guards refuse routings, also after a wait`(url: String) async throws {
    let bench = try await bench()
    let refusal: Refusal?
    do throws(DispatchError) {
      let outcome = try await bench.host.route(Text(url), in: bench.session)
      #expect(outcome.waiting.count == 1)
      await bench.pass(1)
      let last = await bench.host.history(of: bench.session).entries.last
      guard case .failed(let error) = last?.result else {
        Issue.record("\(url) was routed")
        return
      }
      refusal = error.refusal
    } catch {
      refusal = error.refusal
    }
    #expect(refusal?.reason == "no")
    #expect(refusal?.details == ["limit": 3])
    #expect(refusal?.origin?.module.text == "bank")
    #expect(await bench.bench.titles() == [])
  }

  @Test func `on_back refuses to go back`() async throws {
    let bench = try await bench()
    try await bench.host.route("/", in: bench.session)
    #expect(await bench.bench.failure(of: "nav/back")?.refusal?.reason == "no")
    #expect(await bench.bench.titles() == ["Home"])
  }

  @Test func `commands refuse, and effects get reasons and details`() async throws {
    let bench = try await bench()
    await #expect {
      try await bench.host.call("bank/ask", in: bench.session)
    } throws: { error in
      guard case .refused(let refusal) = error as? CommandError else { return false }
      return refusal.reason == "no" && refusal.details == ["limit": 3]
    }
    try await bench.dispatch("bank/go")
    #expect(try await bench.bench.state("bank.told") == "no3 refusedtoo little1bank")
  }

  @Test func `refusals are never counted as faults`() async throws {
    let bench = try await bench()
    for _ in 1...60 {
      _ = await bench.bench.failure(of: "bank/pay", ["amount": 101])
      _ = await bench.bench.failure(of: "bank/held")
      try await bench.dispatch("bank/failing")
    }
    for name in ["bank", "other"] {
      let info = try #require(try await bench.bench.info(name))
      #expect(info.status == .running)
      #expect(info.faults == 0)
    }
    #expect(try await bench.dispatch("bank/pay", ["amount": 1]).changes.changes.count == 1)
  }

  @Test func `a listener of another module refuses its own part only`() async throws {
    let bench = try await bench().bench
    let outcome = try await bench.dispatch("bank/pay", ["amount": 1])
    #expect(outcome.summary == ["bank.balance 100 → 99"])
    #expect(outcome.faults.isEmpty)
  }

  @Test func `an effect that doesn't catch a refusal is reported, and no fault`() async throws {
    let bench = try await bench()
    let outcome = try await bench.dispatch("bank/failing")
    #expect(outcome.faults.isEmpty)
    try await bench.bench.events.upTo("refused bank/failing: no")
  }

  @Test func `a caught refusal is a value with a text`() async throws {
    let bench = try await bench().bench
    try await bench.dispatch("bank/caught")
    #expect(try await bench.state("bank.told") == "no1; no")
  }

  @Test(arguments: [("bank/wrong", "plain data"), ("bank/unnamed", "takes a reason")])
  func `a refusal that can't be passed on is a fault`(type: String, part: String) async throws {
    let bench = try await bench().bench
    guard case .fault(let fault) = await bench.failure(of: type) else {
      Issue.record("\(type) is no fault")
      return
    }
    #expect(fault.description.contains(part))
  }

  @Test func `the history tells dropped, refused and unchanged actions apart`() async throws {
    let bench = try await bench().bench
    try await bench.dispatch("bank/drop")
    _ = await bench.failure(of: "bank/held")
    try await bench.dispatch("bank/idle")
    #expect(
      await bench.history() == [
        "bank/drop dropped by bank", "bank/held refused by bank", "bank/idle same",
      ])
  }

  @Test func `a screen shows the reason beside the control until it is used again`() async throws {
    let bench = try await Bench([
      "m.lua": """
      local moon = require "moonwire"
      return { state = {},
        reducers = { no = function() moon.refuse("not now") end, yes = function() end },
        routes = { ["/"] = function() return { body = { moon.ui.actions {
          moon.ui.button("A", "no"), moon.ui.button("B", "yes") } } } end },
      }
      """
    ])
    try await bench.host.route("/", in: bench.session)
    func lines() async -> [String] {
      await bench.host.shownScreen(in: bench.session)?.lines(width: 80).map(\.text) ?? []
    }
    await #expect(throws: ScreenError.self) {
      try await bench.host.use(.name("A"), in: bench.session)
    }
    #expect(await lines() == ["[1] A (not now)  [2] B"])
    try await bench.host.use(.name("B"), in: bench.session)
    #expect(await lines() == ["[1] A  [2] B"])
  }

  @Test func `modules in Swift refuse by throwing`() async throws {
    let bench = try await Bench(adding: [
      {
        try Module("s", state: ["n": 0]) { module in
          module.reducers.append(
            Reducer(.exact("s/add")) { _, _ in throw Refusal("full", details: ["max": 0]) })
        }
      }
    ])
    let refusal = await bench.failure(of: "s/add")?.refusal
    #expect(refusal?.reason == "full")
    #expect(refusal?.details == ["max": 0])
    #expect(try await bench.info("s")?.faults == 0)
  }
}
