import MoonTestSupport
import Moonwire
import Testing

/// Observers that are called at the start, that compare values, and that select several parts.
@Suite(.timeLimit(.minutes(2))) struct ObservingTests {
  private static let m = """
    return {
      state = { n = 0, name = "a", list = {} },
      reducers = {
        set = function(s, p) s.n = p.to end,
        name = function(s, p) s.name = p.to end,
        both = function(s, p) s.n = p.to s.name = "both" end,
        drop = function(s) s.n = nil s.name = nil end,
      },
    }
    """

  /// Returns a module that prints the values that the observer `f` receives.
  private static func eye(_ observe: String) -> String {
    """
    local function show(v)
      if type(v) ~= "table" then return tostring(v) end
      local parts = {}
      for k, e in pairs(v) do parts[#parts + 1] = k .. "=" .. show(e) end
      return "{" .. table.concat(parts, " ") .. "}"
    end
    local function f(new, old, self)
      print(show(old) .. " → " .. show(new) .. (self.state("m") and "" or " without m"))
    end
    return { \(observe) }
    """
  }

  private func bench(_ notes: Notes, _ observe: String) async throws -> Bench {
    try await .noting(notes, ["m.lua": Self.m, "eye.lua": Self.eye(observe)])
  }

  @Test func `initial tells what there is when the module starts, and then what changes`()
    async throws
  {
    let notes = Notes()
    let bench = try await bench(
      notes,
      """
      observe = { ["m.n"] = { run = f, initial = true }, ["m.name"] = { run = f, initial = false },
        ["m.nothing"] = { run = f, initial = true } }
      """)
    #expect(notes.all == ["nil → 0"])
    try await bench.dispatch("m/set", ["to": 5])
    try await bench.dispatch("m/set", ["to": 5])
    #expect(notes.all == ["nil → 0", "0 → 5"])
    _ = await bench.host.openSession()
    #expect(notes.all.count == 3)
  }

  @Test func `a reload and a restored session begin anew`() async throws {
    let notes = Notes()
    let bench = try await bench(notes, #"observe = { ["m.n"] = { run = f, initial = true } }"#)
    try await bench.dispatch("m/set", ["to": 2])
    notes.clear()
    await bench.host.reload(ModuleName("eye"))
    #expect(notes.all == ["nil → 2"])
    await bench.host.reload(ModuleName("m"))
    #expect(notes.all == ["nil → 2"])
    let state = try #require(await bench.host.savedState(of: bench.session))
    _ = await bench.host.openSession(restoring: state)
    #expect(notes.all == ["nil → 2", "nil → 2"])
  }

  @Test func `a reload that migrates the slice tells what there is once`() async throws {
    let notes = Notes()
    func module(_ version: Int) -> String {
      """
      return { version = \(version), state = { n = 1 },
        migrate = function(s) s.n = s.n + 10 return s end,
        observe = {
          ["m.n"] = { initial = true, run = function(new, old)
            print(tostring(old) .. " → " .. new) end },
          { paths = { all = "m" }, run = function(new) print("all " .. new.all.n) end },
        } }
      """
    }
    let bench = try await Bench.noting(notes, ["m.lua": module(1)])
    notes.clear()
    try bench.folder.save("m.lua", module(2))
    await bench.host.reload()
    #expect(notes.all == ["all 11", "nil → 11"])
  }

  @Test func `what on_start dispatches comes after what there was`() async throws {
    let notes = Notes()
    _ = try await bench(
      notes,
      """
      on_start = function(self) self.dispatch("m/set", { to = 7 }) end,
      observe = { ["m.n"] = { run = f, initial = true } }
      """)
    #expect(notes.all == ["nil → 0", "0 → 7"])
  }

  @Test func `same decides what is a change`() async throws {
    let notes = Notes()
    let bench = try await bench(
      notes,
      """
      observe = { ["m.n"] = { run = f, same = function(new, old)
        return new ~= nil and old ~= nil and new // 10 == old // 10
      end } }
      """)
    for n in [3, 9, 12, 19, 25] { try await bench.dispatch("m/set", ["to": .int(Int64(n))]) }
    try await bench.dispatch("m/drop")
    #expect(notes.all == ["9 → 12", "19 → 25", "25 → nil"])
  }

  @Test(arguments: [
    ("return 5", "`same` returns true or false, not an integer"), ("error('no')", "no"),
    ("self_dispatch()", "attempt to call a nil value (global 'self_dispatch')"),
    ("os.time() return true", "os.time"),
  ])
  func `a comparison that fails is the observer's fault, and the observer isn't told`(
    body: String, reason: String
  ) async throws {
    let notes = Notes()
    let bench = try await bench(
      notes, "observe = { [\"m.n\"] = { run = f, same = function(a, b) \(body) end } }")
    let outcome = try await bench.dispatch("m/set", ["to": 1])
    #expect(outcome.summary == ["m.n 0 → 1"])
    #expect(outcome.faults.count == 1)
    #expect("\(outcome.faults[0])".contains(reason), "\(outcome.faults)")
    #expect(outcome.faults[0].registration.kind == .observer)
    #expect(notes.all.isEmpty)
  }

  @Test func `several paths are one observer, told once for one commit`() async throws {
    let notes = Notes()
    let bench = try await bench(
      notes,
      """
      observe = {
        { paths = { count = "m.n", title = "m.name", gone = "m.nothing" }, run = f, initial = true },
        { paths = { "m.n", "m.name" }, run = f },
      }
      """)
    #expect(notes.all == ["nil → {count=0 title=a}"])
    notes.clear()
    try await bench.dispatch("m/both", ["to": 1])
    #expect(
      notes.all == [
        "{count=0 title=a} → {count=1 title=both}", "{1=0 2=a} → {1=1 2=both}",
      ])
    notes.clear()
    try await bench.dispatch("m/drop")
    #expect(notes.all == ["{count=1 title=both} → nil", "{1=1 2=both} → nil"])
    #expect(
      try await bench.info("eye")?.registrations.map(\.name)
        == ["m.n, m.nothing, m.name", "m.n, m.name"])
  }

  @Test func `paths and several of them go together in one table`() async throws {
    let notes = Notes()
    let bench = try await bench(
      notes, #"observe = { ["m.n"] = f, { paths = { a = "m.name" }, run = f } }"#)
    try await bench.dispatch("m/both", ["to": 4])
    #expect(Set(notes.all) == ["0 → 4", "{a=a} → {a=both}"])
  }

  @Test func `a module in Swift observes likewise`() async throws {
    let notes = Notes()
    let bench = try await Bench(
      ["m.lua": Self.m],
      adding: [
        {
          try Module("eye") { module in
            let paths = StateSelection([
              .init("n", try Path(parsing: "m.n")), .init("name", try Path(parsing: "m.name")),
            ])
            module.observers = [
              Observer(of: paths, from: .start, unless: { new, _ in new?["n"] == 5 }) {
                new, old, _ in
                notes.add("\(old?.canonicalText ?? "-") → \(new?.canonicalText ?? "-")")
              }
            ]
          }
        }
      ])
    for n in [1, 5] { try await bench.dispatch("m/set", ["to": .int(Int64(n))]) }
    #expect(
      notes.all == [
        #"- → {"n":0,"name":"a"}"#, #"{"n":0,"name":"a"} → {"n":1,"name":"a"}"#,
      ])
  }

  static let wrong: [(String, Int, ModuleProblem.Reason)] = [
    (
      "observe = {\n  ['m.n'] = 5 }", 2,
      .wrongKind(
        key: "observe[\"m.n\"]", expected: "a function or a table", found: "a number")
    ),
    (
      "observe = {\n  n = { initial = true } }", 2,
      .wrongKind(key: "observe.n.run", expected: "a function", found: "nothing")
    ),
    (
      "observe = { n = {\n  run = print,\n  initial = 1 } }", 3,
      .wrongKind(key: "observe.n.initial", expected: "true or false", found: "a number")
    ),
    (
      "observe = { n = {\n  run = print,\n  same = true } }", 3,
      .wrongKind(key: "observe.n.same", expected: "a function", found: "a boolean")
    ),
    (
      "observe = { n = {\n  run = print, inital = true } }", 2,
      .unknownKey("observe.n.inital", nearest: "initial")
    ),
    (
      "observe = { n = {\n  run = print, paths = {} } }", 2,
      .unknownKey("observe.n.paths", nearest: nil)
    ),
    (
      "observe = { { run = print } }", 1,
      .wrongKind(
        key: "observe[1].paths", expected: "a table of paths into the state", found: "nothing")
    ),
    (
      "observe = { {\n  run = print,\n  paths = { 5 } } }", 3,
      .wrongKind(key: "observe[1].paths.1", expected: "a string", found: "a number")
    ),
    (
      "observe = { { run = print,\n  paths = { a = 'm..n' } } }", 2,
      .invalidPath(key: "observe[1].paths.a", text: "m..n")
    ),
    (
      "observe = { print }", 1,
      .wrongKind(key: "observe[1]", expected: "a table", found: "a function")
    ),
  ]

  @Test(arguments: wrong)
  func `what is wrong with an observer is said with its line`(
    text: String, line: Int, reason: ModuleProblem.Reason
  ) async throws {
    let bench = try await Bench(["m.lua": "return { \(text) }"])
    let problems = try #require(try await bench.info("m")?.problems)
    #expect(problems.map(\.reason) == [reason])
    #expect(problems.map(\.place.line) == [line])
  }
}
