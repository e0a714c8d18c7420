import Moonwire
import Testing

struct ActionCheckTests {
  private static let files = [
    "todo.lua": """
    return {
      state = { items = {} },
      actions = {
        add = { "Adds an item", title = "string", tags = "string[]?", rank = "integer|string?" },
        clear = "Removes all",
      },
      reducers = { add = function(s, p) table.insert(s.items, p.title) end },
    }
    """,
    "stats.lua": "return { reducers = { ['todo/*'] = function() end, ['*'] = function() end } }",
    "log.lua": "return { reducers = { ['net/*'] = function() end }, middleware = function() end }",
  ]

  private static func malformed(_ type: String) -> String {
    "'\(type)' can't be the type of an action; write a module's name, a slash and the action's "
      + "name, as in counter/add"
  }

  @Test(
    arguments: [
      ("todo/add", ["title": "a"]),
      ("todo/add", ["title": "a", "tags": ["x", "y"], "rank": 1]),
      ("todo/add", ["title": "a", "tags": nil, "rank": "high"]),
      ("todo/add", ["title": "a", "tags": .map(Map())]),
      ("todo/clear", nil),
      ("todo/clear", ["anything": 1]),
      ("net/anything", [1, 2]),
    ] as [(String, Value)])
  func `what fits is carried out`(type: String, payload: Value) async throws {
    let bench = try await Bench(Self.files)
    try await bench.dispatch(type, payload)
  }

  @Test(
    arguments: [
      ("todo/add", nil, "todo/add: 'title' is missing (string)"),
      (
        "todo/add", ["titel": "a"],
        "todo/add: 'title' is missing (string); there is no field 'titel'; did you mean 'title'?"
      ),
      ("todo/add", ["title": 1], "todo/add: 'title' must be string, not an integer"),
      (
        "todo/add", ["title": "a", "tags": ["x", 1]],
        "todo/add: tags[2] is 1, and must be a string"
      ),
      (
        "todo/add", ["title": "a", "rank": 1.5],
        "todo/add: 'rank' must be integer|string, not a number"
      ),
      ("todo/add", ["title": nil], "todo/add: 'title' must be string, not null"),
      ("todo/add", "a", "todo/add: expected a table with fields, got a string"),
      ("todo/add", ["a"], "todo/add: expected a table with fields, got a list"),
      ("todo/ad", nil, "no module knows the action todo/ad; did you mean todo/add?"),
      ("tod/add", nil, "no module knows the action tod/add; did you mean todo/add?"),
      ("what/ever", nil, "no module knows the action what/ever"),
      (
        "host/whatever", nil,
        "host/whatever can't be dispatched: only the host makes host/… and nav/did_… actions;"
          + " dispatch an action of the module's own"
      ),
      ("todo", nil, Self.malformed("todo")),
      ("todo/", nil, Self.malformed("todo/")),
      ("todo/a b", nil, Self.malformed("todo/a b")),
      ("todo/*", nil, Self.malformed("todo/*")),
      ("", nil, Self.malformed("")),
    ] as [(String, Value, String)])
  func `what doesn't fit is refused and changes nothing`(
    type: String, payload: Value, sentence: String
  ) async throws {
    let bench = try await Bench(Self.files)
    let before = try #require(await bench.host.state(of: bench.session))
    #expect(await bench.failure(of: type, payload)?.summary == sentence)
    #expect(try #require(await bench.host.state(of: bench.session)).isIdentical(to: before))
  }

  @Test func `actions are listed with what they take and who listens`() async throws {
    let bench = try await Bench(Self.files)
    let infos = await bench.host.actionInfos(of: ModuleName("todo"))
    #expect(infos.map(\.type) == ["todo/add", "todo/clear"])
    #expect(infos.map(\.description) == ["Adds an item", "Removes all"])
    #expect(
      infos.map(\.listeners)
        == [["todo", "stats"], ["stats"]].map { $0.compactMap(ModuleName.init) })
    #expect(infos.first?.schema?.fields.map(\.name) == ["rank", "tags", "title"])
    #expect(infos.last?.schema == nil)
    #expect(await bench.host.actionInfos().map(\.type) == ["todo/add", "todo/clear"])
  }

  @Test func `a dispatch without payload gives the reducer a table without fields`() async throws {
    let bench = try await Bench([
      "m.lua": """
      return {
        state = { n = 0 },
        reducers = { go = function(s, p, a) s.n = (p.by or 1) + (a.payload.by or 1) end },
        middleware = function(a) if a.payload.by then return false end end,
      }
      """
    ])
    try await bench.dispatch("m/go")
    #expect(try await bench.state("m.n") == 2)
  }
}
