import Moonwire
import Testing

/// Commands, which answer whoever calls them.
@Suite(.timeLimit(.minutes(2))) struct CommandTests {
  private static let cart = """
    local moon = require "moonwire"
    return { state = { n = 3 }, reducers = { set = function(s, p) s.n = p.n end },
      commands = {
        count = function(payload, self) return self.state("cart.n") + (payload.more or 0) end,
        slow = function() moon.sleep(2) return { text = "done" } end,
        priced = { "What it costs", item = "string", run = function(p) return #p.item end },
        broken = function() error("no luck") end,
        raise = function(p) if p.named then setmetatable(p, { __name = "x" }) end
          if p.long then p.text = ("x"):rep(p.long) end
          if p.code then p.code = print end error(p) end,
        set = function(p, self) self.dispatch("set", p) end,
        never = function() moon.take "x/y" end,
        bad = function() return print end,
        nothing = function() end,
        task = function() return moon.spawn(function() moon.sleep(1) return 8 end) end,
        circle = function(p, self) return self.call("other/back", { n = p.n + 1 }) end,
      } }
    """
  private static let other = """
    return { commands = { back = function(p, self) return self.call("cart/circle", p) end } }
    """

  /// Makes a bench whose effect `m/go` calls commands of `cart`.
  private func bench(_ effect: String = "") async throws -> TaskBench {
    try await TaskBench([
      "cart.lua": Self.cart, "other.lua": Self.other,
      "m.lua": TaskBench.module(effect: effect, more: "idle = function() end"),
    ])
  }

  private func call(_ bench: TaskBench, _ name: Text, _ payload: Value = .null) async
    -> Result<Value, CommandError>
  {
    do throws(CommandError) {
      return .success(try await bench.host.call(name, payload, in: bench.session))
    } catch {
      return .failure(error)
    }
  }

  @Test(
    arguments: [
      (["n": 1], "own 1"), (["n": 2], "pdf 2"), (["n": 3], "first 3"), (["n": 5], "later 5"),
    ] as [(Value, String)])
  func `of several commands of one name, the first that is responsible answers`(
    payload: Value, answer: String
  ) async throws {
    func command(_ name: String, _ n: Int, _ answer: String, more: String = "") -> String {
      """
      return { commands = { ["\(name)"] = { n = "integer", \(more) when = function(p) return p.n == \(n) end,
        run = function(p) return "\(answer) " .. p.n end } } }
      """
    }
    let bench = try await TaskBench([
      "export.lua": command("save", 1, "own"), "apdf.lua": command("export/save", 2, "pdf"),
      "bfirst.lua": command("export/save", 3, "first", more: "priority = 1,"),
      "cthree.lua": command("export/save", 3, "never"),
      "zany.lua":
        "return { commands = { ['export/save'] = function(p) return 'later ' .. p.n end } }",
      "broken.lua": """
      return { commands = { ['export/save'] = { when = function() error 'no' end,
        run = function() end } } }
      """,
    ])
    #expect(await call(bench, "export/save", payload) == .success(.string(Text(answer))))
  }

  @Test func `a command that nobody takes is an error that names all that were asked`() async throws
  {
    let bench = try await TaskBench([
      "b.lua": "return { commands = { save = { when = function() end, run = function() end } } }",
      "a.lua": "return { commands = { ['b/save'] = { when = function() end, run = print } } }",
    ])
    guard case .failure(let error) = await call(bench, "b/save") else {
      Issue.record("it has an answer")
      return
    }
    #expect("\(error)" == "no command b/save takes this payload; asked: module b and module a")
  }

  @Test func `an effect gets the answer of another module's command`() async throws {
    let bench = try await bench(
      "tell(self.call('cart/count', { more = 4 })) tell(tostring(self.call('cart/nothing')))")
    try await bench.go()
    #expect(try await bench.told() == ["7", "nil"])
  }

  @Test func `a command may wait, and what returns a task answers with its result`() async throws {
    let bench = try await bench(
      "tell(self.call('cart/slow').text) tell(self.call('cart/task'))")
    try await bench.go()
    #expect(await bench.waits() == ["task 2", "2.0 s"])
    await bench.pass(2)
    #expect(try await bench.told() == ["done"])
    await bench.pass(1)
    #expect(try await bench.told() == ["done", "8"])
  }

  @Test(arguments: [
    ("cart/broken", "{}", "cart.lua:7: no luck"),
    ("cart/coun", "{}", "there is no command cart/coun; did you mean cart/count?"),
    ("crt/count", "{}", "there is no module crt; did you mean cart?"),
    ("count", "{}", "there is no command m/count"),
    ("cart/", "{}", "'cart/' can't be a command"),
    ("cart/priced", "{ item = 7 }", "the payload doesn't fit cart/priced: 'item' must be string"),
    ("cart/count", "{ more = print }", "a function can't leave the module"),
    ("cart/bad", "{}", "a function can't leave the module"),
    ("cart/circle", "{ n = 0 }", "more than 32 commands call each other"),
  ])
  func `what can't be answered is an error of the caller`(
    name: String, payload: String, message: String
  ) async throws {
    let bench = try await bench(
      "tell(select(2, pcall(self.call, '\(name)', \(payload))))")
    try await bench.go()
    let told = try await bench.told()
    #expect(told.count == 1 && told[0].contains(message), "\(told)")
    #expect(try await bench.bench.info("cart")?.status == .running)
    #expect(await bench.waits().isEmpty)
  }

  @Test func `a table that a command raises reaches the caller as a copy`() async throws {
    let bench = try await bench(
      """
      local function raised(p)
        local _, problem = pcall(self.call, "cart/raise", p)
        tell(type(problem) == "table" and problem.n .. problem.list[2] or problem)
        return problem
      end
      raised { n = 7, list = { 1, "b" } }.n = 8
      raised { n = 7, list = { 1, "b" }, named = true }
      raised { n = 7, list = { 1, "b" }, code = true }
      raised { n = 7, list = { 1, "b" }, long = 20000, message = "long" }
      raised { n = 7, list = { 1, "b" }, long = 10000, message = "long" }
      """)
    try await bench.go()
    #expect(
      try await bench.told() == [
        "7b", #"cart.lua:10: {list = [1, "b"], n = 7, named = true}"#,
        #"cart.lua:10: {code = function, list = [1, "b"], n = 7}"#, "cart.lua:10: long", "7b",
      ])
  }

  @Test func `an error that nobody catches has the frames of both`() async throws {
    let bench = try await bench("self.call('cart/broken')")
    let outcome = try await bench.go()
    let fault = try #require(outcome.faults.first)
    #expect(fault.module == "m")
    #expect(fault.place?.file == "cart.lua")
    #expect(Set(fault.frames.map(\.place.file)).isSuperset(of: ["cart.lua", "m.lua"]))
  }

  @Test func `a caller can't have a module suspended by calls that fail`() async throws {
    let bench = try await bench("for _ = 1, 100 do pcall(self.call, 'cart/broken') end")
    try await bench.go()
    #expect(try await bench.bench.info("cart")?.status == .running)
  }

  @Test func `a command is cancelled with its caller`() async throws {
    let bench = try await bench("self.call('cart/never')")
    try await bench.go()
    #expect(await bench.waits() == ["task 2", "x/y"])
    #expect(await bench.host.cancelTask(TaskID(1), in: bench.session))
    #expect(await bench.waits().isEmpty)
  }

  @Test func `a reload of its module in the middle is an error of the caller`() async throws {
    let bench = try await bench("tell(select(2, pcall(self.call, 'cart/never')))")
    try await bench.go()
    await bench.host.reload(ModuleName("cart"))
    let told = try await bench.told()
    #expect(told.count == 1 && told[0].contains("was reloaded"), "\(told)")
  }

  @Test func `ten thousand calls at a time are refused beyond the limit on tasks`() async throws {
    var options = Bench.quiet
    options.tasks.countMax = 50
    let bench = try await TaskBench(
      [
        "cart.lua": Self.cart,
        "m.lua": TaskBench.module(
          effect: """
            local refused = 0
            for i = 1, 30 do moon.spawn(function()
              for _ = 1, 334 do
                local done, problem = pcall(moon.timeout, 0, function() self.call("cart/never") end)
                if not problem:find("timed out") then refused = refused + 1 end
              end
              tell(tostring(refused > 0))
            end) end
            """),
      ], options: options)
    try await bench.go()
    #expect(try await bench.bench.info("cart")?.status == .running)
    #expect(try await bench.bench.info("m")?.status == .running)
  }

  @Test func `a Swift program calls commands`() async throws {
    let bench = try await bench()
    #expect(await call(bench, "cart/count", ["more": 1]) == .success(4))
    #expect(await call(bench, "cart/set", ["n": 9]) == .success(.null))
    #expect(try await bench.bench.state("cart.n") == 9)
    guard case .failure(.failed(let fault)) = await call(bench, "cart/broken") else {
      Issue.record("it didn't fail")
      return
    }
    #expect(fault.reason == .raised("no luck"))
    #expect(
      await call(bench, "cart/zzzzzzzz")
        == .failure(.unknown("cart/zzzzzzzz", nearest: nil)))
    await bench.host.closeSession(bench.session)
    #expect(await call(bench, "cart/count") == .failure(.noSession))
  }

  @Test func `a call that takes too long is cancelled`() async throws {
    let bench = try await bench()
    let (host, session) = (bench.host, bench.session)
    let result = Task { () async -> CommandError? in
      do throws(CommandError) {
        _ = try await host.call("cart/never", in: session, within: .seconds(3))
        return nil
      } catch {
        return error
      }
    }
    while await bench.waits().isEmpty { await Task.yield() }
    await bench.pass(3)
    #expect(await result.value == .tookTooLong("cart/never"))
  }

  @Test func `in Swift a command is an async function, and its effects call others`() async throws {
    let notes = Notes()
    let bench = try await TaskBench(
      ["cart.lua": Self.cart],
      adding: [
        {
          try Module("twice") { module in
            module.commands = [
              Command("count", schema: nil) { payload, context in
                let count = try await context.call("cart/count", payload)
                return ["count": count]
              }
            ]
            module.effects = [
              Effect(.exact("twice/go")) { _, context in
                notes.add(try await context.call("twice/count", ["more": 2]).canonicalText)
                do {
                  _ = try await context.call("cart/broken")
                } catch {
                  notes.add("\(error)")
                }
              }
            ]
          }
        }
      ])
    try await bench.dispatch("twice/go")
    while await !bench.host.taskInfos(of: bench.session).isEmpty { await Task.yield() }
    #expect(notes.all.count == 2)
    #expect(notes.all.first?.contains("5") == true)
    #expect(notes.all.last?.contains("no luck") == true)
  }

  @Test(arguments: [
    ("commands = 7", "commands"), ("commands = { x = 7 }", "commands.x"),
    ("commands = { x = { 'Text' } }", "commands.x.run"),
    ("commands = { x = { n = 'wrong', run = print } }", "commands.x.n"),
    ("commands = { ['a/*'] = print }", "a/*"),
    ("commands = { print }", "commands"),
  ])
  func `a wrong declaration is a problem of the module`(text: String, key: String) async throws {
    let bench = try await TaskBench(["m.lua": "return { \(text) }"])
    let problems = try #require(try await bench.bench.info("m")?.problems)
    #expect(!problems.isEmpty)
    #expect(problems.contains { "\($0)".contains(key) }, "\(problems.map { "\($0)" })")
  }
}
