import Moonwire
import Testing

/// Requests whose stages become actions: `api`, `self.handle` and their Swift counterparts.
@Suite(.timeLimit(.minutes(2))) struct APIRequestTests {
  /// Returns a module that tells each stage, with an entry `api.go` and an effect `m/run`.
  private static func module(_ entry: String, run: String = "") -> String {
    """
    local moon = require "moonwire"
    local function told(word) return function(s, p) s.told[#s.told + 1] =
      word .. (type(p) == "table" and (p.text or p.message or "") or tostring(p)) ..
      (type(p) == "table" and p.code and "/" .. p.code or "") end end
    return moon.module {
      state = { told = moon.list() },
      reducers = { loading = told "loading", loaded = told "loaded ", failed = told "failed " },
      api = { go = { \(entry) } },
      effects = { run = function(payload, self) \(run) end },
    }
    """
  }

  /// Runs the entry or the effect, and returns what was told and the faults.
  private func told(
    _ entry: String = "request = function() end", run: String = "", by type: String = "m/go"
  ) async throws -> [String] {
    let bench = try await TaskBench(["m.lua": Self.module(entry, run: run)])
    let outcome = try await bench.dispatch(type, ["text": "x"])
    await bench.pass(1)
    let faults = await (outcome.faults + bench.faults()).map { "fault: \($0.reason)" }
    return try await bench.told() + faults
  }

  private static let stages = "loading = 'loading', success = 'loaded', failure = 'failed', "

  static let cases: [(parts: String, told: [String])] = [
    (
      "request = function(p) moon.sleep(1) return { text = p.text .. 1 } end",
      ["loading", "loaded x1"]
    ),
    ("request = function() return { text = 'y' } end", ["loading", "loaded y"]),
    ("request = function() error('no', 0) end", ["loading", "failed no"]),
    ("request = function() error { code = 'c', reason = 'r' } end", ["loading", "failed r/c"]),
    ("request = function() error { code = 'c', message = 'm' } end", ["loading", "failed m/c"]),
    (
      "request = function() error { reason = 'r', message = 'm' } end", ["loading", "failed r"]
    ),
    (
      "request = function() return 1 end, map_success = function(n, p) return { text = n .. '!' } end",
      ["loading", "loaded 1!"]
    ),
    (
      "request = function() return 1 end, map_success = function(n) error('shape', 0) end",
      ["loading", "failed shape"]
    ),
    (
      "request = function() error('first', 0) end, "
        + "map_failure = function(e) return { message = 'second of ' .. e } end",
      ["loading", "failed second of first"]
    ),
    ("request = function() error('\\xff', 0) end", ["loading", "failed ?"]),
  ]

  @Test(arguments: cases)
  func `a request tells that it loads, then its answer or its error`(
    parts: String, told: [String]
  ) async throws {
    #expect(try await self.told(Self.stages + parts) == told)
    let closed = parts.replacing("function(p)", with: "function(p) p = payload")
    let handled = try await self.told(
      run: "self.handle { \(Self.stages) \(closed) }", by: "m/run")
    #expect(handled == told)
  }

  @Test(arguments: [
    (
      "success = function(v, p) return { t(v), { t 'more' } } end, request = function() return 'v' end",
      ["loaded v", "loaded more"]
    ),
    (
      "success = { type = 'loaded', payload = { text = 'fixed' } }, request = function() return 'v' end",
      ["loaded fixed"]
    ),
    (
      "success = { 'loading', 'loaded' }, request = function() return 'v' end",
      ["loading", "loaded "]
    ),
    ("loading = function() return 'loading' end, request = function() end", ["loading"]),
    (
      "failure = function(e) return t(e) end, request = function() error('raw', 0) end",
      ["loaded raw"]
    ),
  ])
  func `a stage may be an action, a list, or a function that makes them`(
    parts: String, told: [String]
  ) async throws {
    let t = "local function t(x) return { type = 'loaded', payload = { text = x } } end "
    #expect(try await self.told(run: t + "self.handle { \(parts) }", by: "m/run") == told)
  }

  @Test func `the effect learns whether the request has succeeded`() async throws {
    let told = try await told(
      run: """
        for _, f in ipairs { function() end, function() error "x" end } do
          local done = self.handle { request = f, failure = function() end }
          self.dispatch("loaded", { text = tostring(done) })
        end
        """, by: "m/run")
    #expect(told == ["loaded true", "loaded false"])
  }

  @Test func `an answer that doesn't fit the action of success is a failure`() async throws {
    let parts = "request = function() return { text = 7 } end"
    func told(_ stages: String) async throws -> [String] {
      let module = Self.module(stages + parts).replacing(
        "state =", with: "actions = { loaded = { text = 'string' } }, state =")
      let bench = try await TaskBench(["m.lua": module])
      let outcome = try await bench.dispatch("m/go")
      let faults = await (outcome.faults + bench.faults()).map { "fault: \($0.reason)" }
      return try await bench.told() + faults
    }
    let both = try await told(Self.stages)
    #expect(both.count == 2 && both.first == "loading", "\(both)")
    #expect(both.last?.hasPrefix("failed ") == true && both.last?.contains("text") == true)
    let alone = try await told("success = 'loaded', ")
    #expect(alone.count == 1 && alone.first?.hasPrefix("fault: ") == true, "\(alone)")
  }

  @Test func `without an action for it, an error is a fault`() async throws {
    let told = try await told("success = 'loaded', request = function() error('no luck', 0) end")
    #expect(told == ["fault: raised(\"no luck\")"])
  }

  @Test(arguments: [
    ("7", "takes a table with request, loading, success and failure, not a number"),
    ("{}", "takes a function under request"),
    ("{ request = 1 }", "takes a function under request, not a number"),
    (
      "{ request = print, success = 1 }",
      "takes an action, a list of actions or a function under success, not a number"
    ),
    ("{ request = print, sucess = 'x' }", "only request, loading, success"),
  ])
  func `a malformed request is an error at its line`(parts: String, said: String) async throws {
    let bench = try await TaskBench([
      "m.lua": Self.module("request = print", run: "self.handle(\(parts))")
    ])
    let fault = try #require(try await bench.dispatch("m/run").faults.first)
    #expect("\(fault.reason)".contains(said), "\(fault.reason)")
    #expect(fault.place?.line == 9)
  }

  @Test func `a malformed entry is named with its line, and with all that is wrong`() async throws {
    let bench = try await Bench([
      "m.lua": """
      return { api = {
        a = { success = "a b", failure = 3,
          map_failure = "x" },
        b = 7,
        c = { request = print, sucess = "x" } } }
      """
    ])
    let problems = await bench.host.moduleInfos().flatMap(\.problems)
    #expect(
      problems.map { "\($0.place.line) \($0)" }.map { $0.prefix(30) }.count == 6, "\(problems)")
    let texts = problems.map { "\($0)" }.joined(separator: "\n")
    for part in ["success", "failure", "map_failure", "request", "api[\"b\"]", "sucess"] {
      #expect(texts.contains(part), "\(texts)")
    }
  }

  @Test func `while requests are off none is made, and each is told as a failure`() async throws {
    let entry = Self.stages + "request = function() return { text = 'made' } end"
    let bench = try await TaskBench([
      "m.lua": Self.module(entry), "n.lua": Self.module(entry),
    ])
    func told(_ module: String) async throws -> String {
      try await bench.dispatch("\(module)/go")
      let list = try await bench.bench.state("\(module).told")?.listValue
      return list?.last?.stringValue ?? ""
    }
    let off =
      "failed the requests of module m are switched off; the action api/enable switches"
      + " them on/switched_off"
    try await bench.dispatch("api/disable")
    #expect(try await told("m") == off)
    #expect(try await told("n") != "loaded made")
    try await bench.dispatch("api/enable", ["module": "m"])
    #expect(try await told("m") == "loaded made")
    #expect(try await told("n") != "loaded made")
    try await bench.dispatch("api/enable")
    #expect(try await told("n") == "loaded made")
    try await bench.dispatch("api/disable", ["module": "m"])
    #expect(try await told("m") == off)
    #expect(try await told("n") == "loaded made")
    #expect(try await bench.bench.state("m.told")?.listValue?.count == 4, "nothing said loading")
    try await bench.dispatch("api/disable", ["holder": "n"])
    try await bench.dispatch("api/enable", ["module": "m"])
    #expect(try await told("m") == off)
    #expect(try await told("n") != "loaded made")
    try await bench.dispatch("api/enable", ["holder": "n"])
    #expect(try await told("m") == "loaded made")
    // A module that isn't there is neither switched nor a holder.
    for field in ["holder", "module"] {
      let error = await bench.bench.failure(
        of: "api/disable", .map([.string(Text(field)): "nn"]))
      #expect(
        error?.description.contains(
          "'\(field)' names a module, and there is no module nn; did you mean n?") == true,
        "\(error.map(String.init(describing:)) ?? "-")")
    }
    #expect(try await told("n") == "loaded made")
    try await bench.dispatch("api/disable", ["holder": "n"])
    try await bench.dispatch("api/enable")
    #expect(try await told("n") == "loaded made")
  }

  @Test func `a request that has begun goes on when requests are switched off`() async throws {
    let bench = try await TaskBench([
      "m.lua": Self.module(
        Self.stages + "request = function() moon.sleep(1) return { text = 'made' } end")
    ])
    try await bench.dispatch("m/go")
    try await bench.dispatch("api/disable")
    await bench.pass(1)
    #expect(try await bench.told() == ["loading", "loaded made"])
  }

  @Test func `without an action for its failure, a request that isn't made is no fault`()
    async throws
  {
    let bench = try await TaskBench(["m.lua": Self.module("request = function() error 'made' end")])
    try await bench.dispatch("api/disable")
    #expect(try await bench.dispatch("m/go").faults.isEmpty)
  }

  @Test(arguments: ["api/enabel", "api/x"])
  func `an unknown action of the switch is refused`(type: String) async throws {
    let bench = try await TaskBench()
    await #expect(throws: DispatchError.self) { try await bench.dispatch(type) }
  }

  @Test func `the policy applies, and a cancelled request tells nothing more`() async throws {
    let bench = try await TaskBench([
      "m.lua": Self.module(
        Self.stages + "policy = 'latest', request = function(p) moon.sleep(1) return p end")
    ])
    try await bench.dispatch("m/go", ["text": "a"])
    try await bench.dispatch("m/go", ["text": "b"])
    await bench.pass(1)
    #expect(try await bench.told() == ["loading", "loading", "loaded b"])
  }

  @Test func `the registration is counted and is the cause of its actions`() async throws {
    let bench = try await TaskBench([
      "m.lua": Self.module(Self.stages + "request = function() return { text = 'v' } end")
    ])
    try await bench.dispatch("m/go")
    let kinds = await bench.host.moduleInfos().flatMap(\.registrations).map(\.kind)
    #expect(kinds.contains(.apiRequest))
    let causes = await bench.host.history(of: bench.session).entries.map {
      "\($0.action.meta.cause)"
    }
    #expect(causes == ["native", "m api request", "m api request"])
  }

  @Test func `a request in Swift has the same stages and the same switch`() async throws {
    struct Luckless: Error {}
    let bench = try await TaskBench(adding: [
      {
        try Module("m", state: ["told": []]) { module in
          module.reducers = [
            Reducer(.family(prefix: "m/")) { state, action in
              var told = state["told"]?.listValue ?? List()
              told.append(.string(Text("\(action.type) \(action.payload.canonicalText)")))
              state = ["told": .list(told)]
            }
          ]
          module.effects = [
            Effect(
              requesting: .exact("m/go"), loading: Action("m/loading"),
              success: { (answer: Int64) in Action("m/loaded", .int(answer)) },
              failure: { Action("m/failed", .string(Text("\($0)"))) },
              request: { action, _ in
                guard let number = action.payload.intValue else { throw Luckless() }
                return number + 1
              })
          ]
        }
      }
    ])
    func untilDone() async {
      while await !bench.waits().isEmpty { await Task.yield() }
    }
    try await bench.go(7)
    await untilDone()
    try await bench.go("no")
    await untilDone()
    try await bench.dispatch("api/disable", ["module": "m"])
    try await bench.go(1)
    await untilDone()
    #expect(
      try await bench.told() == [
        "m/go 7", "m/loading null", "m/loaded 8", #"m/go "no""#, "m/loading null",
        #"m/failed "Luckless()""#, "m/go 1",
        #"m/failed "the requests of module m are switched off; the action api/enable switches them on""#,
      ])
    #expect(await bench.faults().isEmpty)
  }
}
