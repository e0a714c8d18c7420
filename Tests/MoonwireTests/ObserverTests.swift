import Moonwire
import Testing

@Suite(.timeLimit(.minutes(2))) struct ObserverTests {
  private static let m = """
    return {
      state = { n = 0, list = { 1, 2, 3 }, deep = { a = { b = 1 } }, same = "x" },
      reducers = {
        set_n = function(s, p) s.n = p.to end,
        set_list = function(s, p) s.list[p.at] = p.to end,
        set_deep = function(s, p) s.deep.a.b = p.to end,
        rewrite = function(s)
          s.same = "x"
          s.deep = { a = { b = s.deep.a.b } }
        end,
        drop = function(s) s.deep = nil end,
        noted = function() end,
      },
    }
    """

  private static func watching(_ paths: [String], _ notes: Notes) throws -> Module {
    try Module("eye") { module in
      for path in paths {
        module.observers.append(
          Observer(try Path(parsing: path)) { new, old, _ in
            notes.add(
              "\(path): \(old?.canonicalText ?? "-") → \(new?.canonicalText ?? "-")")
          })
      }
    }
  }

  @Test(
    arguments: [
      ("m/set_n", ["to": 5], ["m.n: 0 → 5"]),
      ("m/set_n", ["to": 0], []),
      ("m/rewrite", nil, []),
      ("m/set_list", ["at": 2, "to": 9], ["m.list[2]: 2 → 9"]),
      ("m/set_list", ["at": 1, "to": 9], []),
      (
        "m/set_deep", ["to": 2],
        ["m.deep.a.b: 1 → 2", "m.deep: {\"a\":{\"b\":1}} → {\"a\":{\"b\":2}}"]
      ),
      ("m/drop", nil, ["m.deep.a.b: 1 → -", "m.deep: {\"a\":{\"b\":1}} → -"]),
    ] as [(String, Value, [String])])
  func `an observer is told when what it selects has changed, and only then`(
    type: String, payload: Value, expected: [String]
  ) async throws {
    let notes = Notes()
    let bench = try await Bench(
      ["m.lua": Self.m],
      adding: [
        {
          try Self.watching(
            ["m.n", "m.list[2]", "m.deep.a.b", "m.deep", "m.nothing", "m.same"], notes)
        }
      ])
    try await bench.dispatch(type, payload)
    #expect(notes.all == expected)
  }

  @Test func `an observer of the whole state is told of every change`() async throws {
    let notes = Notes()
    let bench = try await Bench(
      ["m.lua": "return { state = { n = 0 }, reducers = { go = function(s, p) s.n = p.to end } }"],
      adding: [{ try Self.watching([""], notes) }])
    try await bench.dispatch("m/go", ["to": 1])
    try await bench.dispatch("m/go", ["to": 1])
    #expect(notes.all == [": {\"m\":{\"n\":0}} → {\"m\":{\"n\":1}}"])
  }

  @Test func `observers of Lua are told in the order of modules and of their paths`() async throws {
    func eye(_ paths: [String]) -> String {
      "return { observe = { "
        + paths.map {
          "['\($0)'] = function(_, _, self) self.dispatch('log/note', { of = '\($0)' }) end"
        }
        .joined(separator: ", ") + " } }"
    }
    let notes = Notes()
    let bench = try await Bench(
      ["m.lua": Self.m, "b.lua": eye(["m.n", "", "m"]), "a.lua": eye(["m.n"])],
      adding: [
        {
          try Module("log") { log in
            log.reducers.append(
              Reducer(.exact("log/note")) { _, action in
                let from = "\(action.meta.cause)"
                notes.add("\(from): \(action.payload["of"]?.stringValue ?? "")")
              })
          }
        }
      ])
    try await bench.dispatch("m/set_n", ["to": 4])
    #expect(
      notes.all == ["a observer: m.n", "b observer: ", "b observer: m", "b observer: m.n"])
  }

  @Test func `an observer in Lua sees the new and the old value and its session`() async throws {
    let notes = Notes()
    let bench = try await Bench(
      [
        "m.lua": Self.m,
        "eye.lua": """
        return { observe = { ["m.deep"] = function(new, old, self)
          self.dispatch("log/note", {
            new = new.a.b, old = old.a.b, now = self.state("m.deep.a.b"),
            nothing = self.state("m.zip") == nil, whole = self.state("").m.n,
          })
        end } }
        """,
      ],
      adding: [
        {
          try Module("log") { log in
            log.reducers.append(
              Reducer(.exact("log/note")) { _, action in notes.add(action.payload.canonicalText) })
          }
        }
      ])
    try await bench.dispatch("m/set_deep", ["to": 7])
    #expect(notes.all == [#"{"new":7,"nothing":true,"now":7,"old":1,"whole":0}"#])
  }

  @Test func `a failing observer doesn't stop the others, and is told`() async throws {
    let notes = Notes()
    let bench = try await Bench(
      [
        "a.lua": """
        return { observe = {
          ["m.n"] = function()
            error("no")
          end,
        } }
        """,
        "m.lua": Self.m,
      ], adding: [{ try Self.watching(["m.n"], notes) }])
    let outcome = try await bench.dispatch("m/set_n", ["to": 2])
    #expect(outcome.summary == ["m.n 0 → 2"])
    #expect(outcome.faults.map(\.summary) == ["a observer m.n a.lua:3 raised(\"no\")"])
    #expect(outcome.faults.first?.action?.type == "m/set_n")
    #expect(outcome.faults.first?.excerpt?.line == 3)
    #expect(notes.all == ["m.n: 0 → 2"])
    #expect(
      try await bench.events.upTo("fault").last
        == "fault session 1 a observer m.n a.lua:3 raised(\"no\")")
    #expect(try await bench.dispatch("m/rewrite").faults.isEmpty)
  }

  @Test(arguments: [
    "deep.a.b = 2", "deep.c = {}", "table.insert(deep, 1)", "deep.a = nil",
    "local all = self.state('') all.m.n = 1", "old.a.b = 2",
  ])
  func `an observer's looks at the state can't be written to`(body: String) async throws {
    let bench = try await Bench([
      "m.lua": Self.m,
      "eye.lua":
        "return { observe = { ['m.deep'] = function(deep, old, self) \(body) end } }",
    ])
    let outcome = try await bench.dispatch("m/set_deep", ["to": 7])
    #expect(outcome.summary == ["m.deep.a.b 1 → 7"])
    guard case .raised(let text) = outcome.faults.first?.reason else {
      Issue.record("\(outcome.faults)")
      return
    }
    #expect(
      text.hasSuffix("the state can only be changed in a reducer; dispatch an action"), "\(text)")
  }

  @Test func `what an observer was shown is of no use after it`() async throws {
    let bench = try await Bench([
      "m.lua": Self.m,
      "eye.lua": """
      local kept
      return { observe = { ["m.deep"] = function(deep)
        if kept then print(kept.a) end
        kept = deep
      end } }
      """,
    ])
    #expect(try await bench.dispatch("m/set_deep", ["to": 7]).faults.isEmpty)
    let outcome = try await bench.dispatch("m/set_deep", ["to": 8])
    #expect(outcome.faults.count == 1)
  }

  @Test func `an observer that dispatches puts it at the end of the queue`() async throws {
    let notes = Notes()
    let bench = try await Bench(
      [
        "m.lua": Self.m,
        "a.lua": """
        return {
          reducers = { first = function() end, second = function() end },
          observe = { ["m.n"] = function(_, _, self)
            self.dispatch("first")
            self.dispatch("second")
            self.dispatch({ type = "m/noted", payload = {}, meta = { why = "because", id = 99 } })
          end },
        }
        """,
        "b.lua": """
        return {
          reducers = { third = function() end },
          observe = { ["m.n"] = function(_, _, self) self.dispatch("third") end },
        }
        """,
      ],
      adding: [
        {
          try Module("log") { log in
            log.reducers.append(
              Reducer(.all) { _, action in
                let meta = action.meta
                let (number, extra) = ("\(meta.id)<\(meta.parent ?? 0)", Value.map(meta.extra))
                notes.add("\(action.type) \(number) \(meta.cause) \(extra)")
              })
          }
        }
      ])
    notes.clear()
    let outcome = try await bench.dispatch("m/set_n", ["to": 3])
    #expect(outcome.followingCount == 4)
    let first = outcome.id
    #expect(
      notes.all == [
        "m/set_n \(first)<0 native {}",
        "a/first \(first + 1)<\(first) a observer {}",
        "a/second \(first + 2)<\(first) a observer {}",
        "m/noted \(first + 3)<\(first) a observer {\"why\":\"because\"}",
        "b/third \(first + 4)<\(first) b observer {}",
      ])
  }
}
