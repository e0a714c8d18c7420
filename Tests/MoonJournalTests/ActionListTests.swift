import MoonJournal
import MoonTestSupport
import Moonwire
import Testing

/// Lists of actions that somebody has written by hand.
struct ActionListTests {
  private func list(_ text: String) throws -> ActionList? {
    let folder = try ScriptFolder(["list.json": text])
    return try ActionList(folder.path("list.json"))
  }

  @Test(arguments: [
    """
    [
      { "key": "1", "name": "a/add", "payload": { "by": 2, "t": "}],{" } },
      {"type": "a/add"}, { "name": "b/go",

        "payload": ["\\"[", 1] }
    ]
    """,
    """
    {"key": 1, "name": "a/add", "payload": {"by": 2, "t": "}],{"}}

    {"type": "a/add"}\r
    {"name": "b/go", "type": "b/go", "payload": ["\\"[", 1]}
    """,
  ])
  func `a list or lines of actions are read, with a byte order mark too`(text: String) throws {
    for mark in ["", "\u{FEFF}", " \n"] {
      let entries = try #require(try list(mark + text)).entries
      #expect(entries.map(\.action.type) == ["a/add", "a/add", "b/go"])
      #expect(
        entries.map(\.action.payload) == [["by": 2, "t": "}],{"], .null, ["\"[", 1]])
      let offset = mark == " \n" ? 1 : 0
      #expect(
        entries.map { $0.line - offset } == (text.hasPrefix("[") ? [2, 3, 3] : [1, 3, 4]))
    }
    #expect(try list("[]")?.entries.count == 0)
    let keyed = #"[{"key": "a", "name": "add", "date": "2026-01-01T00:00:00Z"}]"#
    #expect(try list(keyed)?.entries.map(\.action.type) == ["a/add"])
  }

  @Test(arguments: [
    (#"[{"name": "a/add"},"# + "\n" + #"{"payload": 1}]"#, "line 2: name, or type, is missing"),
    ("[\n1]", "line 2: an action is a map with name or type, and payload"),
    (#"[{"name": 1}]"#, "line 1: name must be a text"),
    (#"[{"type": ""}]"#, "line 1: type must be"),
    (
      #"[{"name": "a/b", "paylod": {}}]"#,
      "line 1: an action has no paylod: did you mean payload?; it has name or type"
    ),
    (#"[{"name": "a/b", "type": "a/c"}]"#, "line 1: name and type differ"),
    (#"[{"name": "a/b", "key": {}}]"#, "line 1: key must be a text or a number"),
    (#"[{"name": "add"}]"#, "line 1: 'add' names no module: write counter/add"),
    ("[\n{\"name\": \"a/b\"},\n{]", "line 3: ']' can't stand here in JSON"),
    ("{\"name\": \"a/b\"}\n{\"name\": \"a/b\"", "line 2: the JSON ends too early"),
    ("[{\"name\": \"a/b\"}", "line 1: the JSON ends too early"),
  ])
  func `what isn't an action is told with its line`(text: String, reason: String) throws {
    #expect {
      _ = try list(text)
    } throws: { error in
      "\((error as? JournalError)?.reason.description ?? "")".hasPrefix(reason)
    }
  }

  @Test(arguments: ["", "x", "{\"state\":{}}", "{}", "SQLite format 3\0"])
  func `another file isn't a list`(text: String) throws {
    #expect(try list(text) == nil)
  }

  @Test func `mappers and routing follow from a list, and effects don't`() async throws {
    let folder = try ScriptFolder([
      "a.lua": """
      local moon = require "moonwire"
      return moon.module {
        state = { n = 0 },
        actions = { add = {}, open = {}, fail = {} },
        reducers = { add = function(s) s.n = s.n + 1 end, fail = function() error "no" end },
        map_modules = { open = function() return moon.start "s" end },
        routes = { ["/x"] = function() return { id = "x" } end },
        effects = { add = function(_, self) self.dispatch "add" end },
      }
      """,
      "s.lua": """
      return { state = { n = 0 }, actions = { start = {} },
        reducers = { start = function(s) s.n = s.n + 1 end } }
      """,
      "../list.json": """
      [{"name": "a/add"}, {"name": "a/open"}, {"name": "nav/start", "payload": {"id": "second"}}, {"name": "nav/route", "payload": {"url": "/x"}},
        {"name": "a/add"}]
      """,
      "../bad.json": "{\"name\": \"a/add\"}\n{\"name\": \"a/fail\"}\n{\"name\": \"a/add\"}",
    ])
    let host = try Host(directory: folder.root)
    try await host.load()
    let list = try #require(try ActionList(folder.path("../list.json")))
    let played = await list.play(on: host)
    #expect(played.count == 5 && played.failure == nil, "\(played)")
    #expect(await host.state(of: played.session)?["a"]?["n"] == 2)
    #expect(await host.state(of: played.session)?["s"]?["n"] == 1)
    let windows = await host.navigationTree(of: played.session)?.windows.map(\.id)
    #expect(windows?.contains("second") == true)
    #expect(await host.state(of: played.session)?.canonicalText.contains("\"x\"") == true)
    let bad = try #require(try ActionList(folder.path("../bad.json")))
    let failed = await bad.play(on: host)
    #expect(failed.count == 1 && failed.failure?.line == 2)
    #expect(await host.state(of: failed.session)?["a"]?["n"] == 1)
  }
}
