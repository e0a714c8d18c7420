import MoonServices
import MoonTestSupport
import Moonwire
import Testing

/// `moon.entities`: the same calls on records in a table, in the storage and behind functions.
@Suite(.timeLimit(.minutes(2))) struct EntityTests {
  /// The stores that a test runs on, as Lua makes them for the kind `note`.
  enum Backend: String, CaseIterable {
    case memory = "moon.entities.memory(note)"
    case stored = "moon.entities.stored(note)"
    case functional = """
      (function()
        local kept = {}
        return moon.entities.functional(note, {
          put = function(record, id) kept[id] = record end,
          delete = function(id) kept[id] = nil end,
          all = function()
            local all = {}
            for _, record in pairs(kept) do all[#all + 1] = record end
            return all
          end,
        })
      end)()
      """
    case composed = """
      moon.entities.composed {
        moon.entities.memory(moon.entities.kind { name = "other" }), moon.entities.stored { note },
      }:of "note"
      """
  }

  static let kinds = """
    local note = moon.entities.kind {
      name = "note",
      fields = { id = "string|integer", title = "string", tags = "string[]?", n = "number?" },
      views = {
        by_title = { sort = "title" },
        long = { filter = function(note) return #note.title > 3 end, sort = "n", descending = true },
        by_tag = { sort = "title", group = function(note) return note.tags or {} end },
        first = { limit = 2 },
      },
    }
    local function ids(records)
      local texts = {}
      for i, record in ipairs(records) do texts[i] = tostring(record.id) end
      return table.concat(texts, " ")
    end
    """

  private func told(
    _ effect: String, kinds: String = kinds, sourceLocation: SourceLocation = #_sourceLocation
  ) async throws -> [String] {
    let bench = try await StorageBench(effect, more: kinds, services: [.entities, .storage])
    return try await bench.go(sourceLocation: sourceLocation)
  }

  @Test(arguments: Backend.allCases)
  func `records are put, read, found and deleted`(backend: Backend) async throws {
    #expect(
      try await told(
        """
        local notes = \(backend.rawValue)
        tell(notes:put { id = "b", title = "two", tags = { "x" } }, notes:put { id = 10, title = "ten" })
        notes:put_all { { id = "a", title = "one" }, { id = 9, title = "nine", n = 1.0 }, { id = -1, title = "" } }
        tell(ids(notes:all()), notes:count())
        tell(notes:get("b").title, notes:get("b").tags[1], notes:get("none"), notes:get(10).title)
        tell(notes:get(9).n, notes:get(9.0).title, notes:exists("a"), notes:exists("z"))
        notes:put { id = "b", title = "changed" }
        tell(notes:get("b").title, notes:get("b").tags, notes:count())
        notes:delete "b" notes:delete "none" notes:delete { id = 10, title = "any" }
        tell(ids(notes:all()), notes:exists { id = "a" })
        notes:delete_all { "a", 9 }
        tell(ids(notes:all()))
        tell(notes:put { id = "b", title = "again" }, notes:get("b").title)
        """) == [
          "b 10", "-1 9 10 a b 5", "two x nil ten", "1.0 nine true false", "changed nil 5",
          "-1 9 a true", "-1", "b again",
        ])
  }

  @Test(arguments: Backend.allCases)
  func `records are filtered, sorted and grouped by views`(backend: Backend) async throws {
    #expect(
      try await told(
        """
        local notes = \(backend.rawValue)
        notes:put { id = 1, title = "pear", tags = { "fruit", "green" }, n = 2 }
        notes:put { id = 2, title = "fig", tags = { "fruit" } }
        notes:put { id = 3, title = "leaf", tags = { "green" }, n = 3 }
        notes:put { id = 4, title = "stone", n = 2 }
        tell(ids(notes:filter(function(note) return note.n == 2 end)))
        tell(ids(notes:view "by_title"), "/", ids(notes:view "long"), "/", ids(notes:view "first"))
        tell(ids(notes:view("by_tag", "green")), "/", ids(notes:view("by_tag", "none")))
        for _, group in ipairs(notes:groups "by_tag") do tell(group.group, group.count) end
        notes:add_view("odd", { filter = function(note) return note.id % 2 == 1 end })
        tell(ids(notes:view "odd"))
        tell(code(notes.view, notes, "nothing"), code(notes.view, notes, "first", "x"))
        """) == [
          "1 4", "2 3 1 4 / 3 1 4 / 1 2", "3 1 / ", "fruit 2", "green 2", "1 3",
          "unknown_view no_groups",
        ])
  }

  @Test(arguments: Backend.allCases)
  func `no records are an empty list`(backend: Backend) async throws {
    let bench = try await StorageBench(
      """
      local notes = \(backend.rawValue)
      self.dispatch("keep", { values = { notes:all(), notes:view "by_title", notes:groups "by_tag" } })
      """, more: Self.kinds, services: [.entities, .storage])
    try await bench.go()
    #expect(try await bench.state("m.kept")?.canonicalText == "[[],[],[]]")
  }

  @Test(arguments: Backend.allCases)
  func `a transaction keeps all of its changes or none`(backend: Backend) async throws {
    #expect(
      try await told(
        """
        local notes = \(backend.rawValue)
        notes:put { id = "a", title = "one" }
        local done, problem = pcall(notes.transaction, notes, function(tx)
          tx:put { id = "b", title = "two" }
          tx:delete "a"
          tell(ids(tx:all()), tx:get "a", tx:get("b").title)
          error("no", 0)
        end)
        tell(done, problem, ids(notes:all()))
        tell(notes:transaction(function(tx)
          tx:put { id = "b", title = "two" }
          tx:delete "a"
          tx:transaction(function(inner) inner:put { id = "c", title = "three" } end)
          tell((pcall(tx.transaction, tx, function(inner) inner:delete "b" error "" end)))
          tell(ids(tx:all()), "/", ids(notes:all()))
          return "result", 2
        end))
        tell(ids(notes:all()))
        """) == [
          "b nil two", "false no a", "false", "b c / a", "result 2", "b c",
        ])
  }

  @Test(arguments: Backend.allCases)
  func `what is put and read are copies`(backend: Backend) async throws {
    #expect(
      try await told(
        """
        local notes = \(backend.rawValue)
        local mine = { id = "a", title = "one", tags = { "x" } }
        notes:put(mine)
        mine.title = "changed"
        mine.tags[1] = "y"
        if \(backend != .functional) then notes:get("a").tags[1] = "z" end
        tell(notes:get("a").title, notes:get("a").tags[1])
        """) == ["one x"])
  }

  @Test(arguments: [
    (#"{ id = "a", title = 1 }"#, "bad_record", "note: 'title' must be string, not an integer"),
    (#"{ id = "a" }"#, "bad_record", "note: 'title' is missing (string)"),
    (
      #"{ id = "a", title = "x", tag = "y" }"#, "bad_record",
      "note: there is no field 'tag'; did you mean 'tags'?"
    ),
    (
      #"{ id = "a", title = "x", tags = { 1 } }"#, "bad_record",
      "note: tags[1] is 1, and must be a string"
    ),
    (#"{ title = "x" }"#, "bad_record", "note: 'id' is missing (string|integer)"),
    (
      #"{ id = "", title = "x" }"#, "no_id",
      "a note is known by a text or an integer under 'id', not an empty text"
    ),
    (#""text""#, "bad_argument", "a record must be a table, not a string"),
    (#"{ id = "a", title = "\xff" }"#, "bad_argument", "UTF-8"),
  ])
  func `a wrong record is an error that names the field`(
    record: String, code: String, text: String
  ) async throws {
    for backend in Backend.allCases {
      let told = try await told(
        """
        local notes = \(backend.rawValue)
        local done, problem = pcall(notes.put, notes, \(record))
        tell(problem.code, notes:count())
        tell(problem)
        """)
      #expect(told[0] == "\(code) 0")
      #expect(told[1].contains(text), "\(told[1])")
    }
  }

  @Test(arguments: [
    ("{}", "name must be a string, not a nil"), ("{ name = '1' }", "'1' is no name"),
    ("{ name = 'a', fields = { id = 'strin' } }", "'strin' isn't a type for 'id'"),
    ("{ name = 'a', fields = { x = 'string' } }", "its id 'id' isn't among its fields"),
    ("{ name = 'a', version = '1' }", "version must be an integer"),
    ("{ name = 'a', views = { v = { sort = 1 } } }", "sort must be the name of a field"),
    ("'a'", "the declaration must be a table, not a string"),
    (
      "{ name = 'a', fields = { id = 'string', title = 'string' }, views = { v = { sort = 'titel' } } }",
      "the view 'v' has sort = \"titel\", and a has no field 'titel'; did you mean 'title'?"
    ),
    (
      "{ name = 'a', fields = { id = 'string' }, views = { v = { group = 'list' } } }",
      "the view 'v' has group = \"list\", and a has no field 'list'"
    ),
    (
      "{ name = 'a', fields = { id = 'string', parts = { { x = 'strin' } } } }",
      "'strin' isn't a type for 'parts[1].x'"
    ),
    ("{ name = 'a', feilds = {} }", "a kind has no key 'feilds'; did you mean 'fields'?"),
    ("{ name = 'a', 'b' }", "a kind has no key '1'"),
    ("{ name = 'a', views = 1 }", "views must be a table, not a number"),
    (
      "{ name = 'a', views = { v = { filtr = print, sort = 'id' } } }",
      "a view has no key 'filtr'; did you mean 'filter'?"
    ),
    ("{ name = 'a', views = { v = { limit = -1 } } }", "limit must be an integer from 0 on"),
    ("{ name = 'a', views = { v = { limit = 1.5 } } }", "limit must be an integer from 0 on"),
    ("{ name = 'a', views = { v = { limit = 0/0 } } }", "limit must be an integer from 0 on"),
  ])
  func `a wrong kind is an error`(declaration: String, text: String) async throws {
    let told = try await told(
      "local _, problem = pcall(moon.entities.kind, \(declaration)) tell(problem.code) tell(problem)"
    )
    #expect(told[0] == "bad_argument")
    #expect(told[1].contains(text), "\(told[1])")
  }

  @Test(arguments: Backend.allCases)
  func `several records are put or deleted together, or none`(backend: Backend) async throws {
    #expect(
      try await told(
        """
        local notes = \(backend.rawValue)
        notes:put { id = 1, title = "one" }
        local done, problem = pcall(notes.put_all, notes, {
          { id = 20, title = "ok" }, { id = 1, title = "other" }, { id = 21 },
        })
        tell(problem.code, problem.service, ids(notes:all()), notes:get(1).title)
        notes:put_all { { id = 20, title = "ok" }, { id = 1, title = "other" } }
        tell(ids(notes:all()), notes:get(1).title)
        tell(code(notes.delete_all, notes, { 20, "" }), ids(notes:all()))
        notes:put_all {}
        notes:transaction(function(tx)
          tx:put_all { { id = 3, title = "x" } }
          tell(code(tx.put_all, tx, { { id = 4, title = "x" }, {} }))
          tx:delete_all { 20, { id = 1, title = "any" } }
        end)
        tell(ids(notes:all()))
        """) == [
          "bad_record entities.put_all 1 one", "1 20 other", "no_id 1 20", "bad_record", "3",
        ])
  }

  @Test func `an id can be computed`() async throws {
    #expect(
      try await told(
        """
        local places = moon.entities.memory(moon.entities.kind {
          name = "place", id = function(place) return place.x .. "/" .. place.y end,
        })
        tell(places:put { x = 1, y = 2 }, places:get("1/2").y, places:exists { x = 1, y = 2 })
        tell(code(places.put, places, { x = 1 }) ~= "none")
        """) == ["1/2 2 true", "true"])
  }

  @Test func `texts that look like integers are other ids`() async throws {
    for backend in Backend.allCases {
      #expect(
        try await told(
          """
          local notes = \(backend.rawValue)
          for _, id in ipairs { 1, "1", "#1", "##1", "!", "=", math.mininteger, math.maxinteger } do
            notes:put { id = id, title = math.type(id) or "text" }
          end
          local texts = {}
          for i, note in ipairs(notes:all()) do texts[i] = note.id .. ":" .. note.title end
          tell(table.concat(texts, " "))
          """) == [
            "-9223372036854775808:integer 1:integer 9223372036854775807:integer !:text ##1:text "
              + "#1:text 1:text =:text"
          ])
    }
  }

  @Test func `a store in a table knows its changes`() async throws {
    #expect(
      try await told(
        """
        local data = {}
        local notes = moon.entities.memory(note, data, { records = { note = { { id = "old", title = "x" } } } })
        local function changes()
          local all = notes:changes()
          return ids(all.updated) .. "/" .. table.concat(all.deleted, " ")
        end
        tell(ids(notes:all()), changes())
        notes:put { id = "a", title = "one" } notes:delete "old" notes:delete "never"
        tell(changes())
        notes:put { id = "old", title = "back" } notes:delete "a"
        tell(changes())
        notes:forget_changes()
        tell(changes(), ids(notes:all()))
        tell(code(moon.entities.stored(note).changes, moon.entities.stored(note)))
        """) == ["old /", "a/never old", "old/a never", "/ old", "not_tracked"])
  }

  @Test func `a reducer keeps records in its state, and a view reads them`() async throws {
    let bench = try await StorageBench(
      "",
      modules: [
        "n.lua": """
        local moon = require "moonwire"
        local note = moon.entities.kind { name = "note", fields = { id = "integer", tags = "string[]" } }
        return moon.module {
          state = { notes = {} },
          reducers = {
            add = function(state, payload)
              local notes = moon.entities.memory(note, state.notes)
              notes:transaction(function(tx)
                tx:put(payload)
                tx:put { id = 0, tags = moon.list() }
              end)
              if payload.tags[1] == "bad" then notes:put { id = "text" } end
              state.count = notes:count()
            end,
          },
          observe = {
            ["n.notes"] = function(value, self) end,
          },
          effects = { read = function(_, self)
            local notes = moon.entities.memory(note, self.state "n.notes")
            print(#notes:all())
            self.dispatch("add", notes:get(7))
          end },
        }
        """
      ], services: [.entities, .storage])
    let payload = try Value(parsing: #"{"id":7,"tags":["a"]}"#)
    try await bench.host.dispatch(Action("n/add", payload), to: bench.session)
    let state = """
      {"note":{"deleted":{},"records":{"#0":{"id":0,"tags":[]},"#7":{"id":7,"tags":["a"]}},\
      "updated":{"#0":true,"#7":true}}}
      """
    #expect(try await bench.state("n.notes")?.canonicalText == state)
    await #expect(throws: DispatchError.self) {
      try await bench.host.dispatch(
        Action("n/add", try Value(parsing: #"{"id":8,"tags":["bad"]}"#)), to: bench.session)
    }
    #expect(try await bench.state("n.notes")?.canonicalText == state)
    try await bench.host.dispatch(Action("n/read"), to: bench.session)
    let faults = await bench.host.waitForTasks(in: bench.session, within: .seconds(60)).faults
    #expect(faults.map(\.description) == [])
    #expect(try await bench.state("n.count") == 2)
  }

  @Test func `a stored record of an earlier version is migrated`() async throws {
    let data = try TemporaryFolder()
    func run(_ kind: String, _ effect: String) async throws -> [String] {
      try await StorageBench(
        effect, more: "local kind = moon.entities.kind { name = 'note', \(kind) }", data: data,
        services: [.entities, .storage]
      ).go()
    }
    _ = try await run(
      "fields = { id = 'string', text = 'string' }",
      "moon.entities.stored(kind):put { id = 'a', text = 'old' }")
    let next = "version = 1, fields = { id = 'string', title = 'string' }"
    #expect(
      try await run(
        next, "tell(code(moon.entities.stored(kind).get, moon.entities.stored(kind), 'a'))")
        == ["bad_record"])
    #expect(
      try await run(
        next + ", migrate = function(old) return { id = old.id, title = old.text } end",
        "tell(moon.entities.stored(kind):get('a').title)") == ["old"])
    #expect(
      try await run(
        next,
        "local s = moon.entities.stored(kind) s:put { id = 'b', title = '' } tell(s:version())")
        == ["1"])
    #expect(
      try await run(
        "", "tell(code(function() return moon.entities.stored(kind):get 'b' end))") == ["newer"])
  }

  @Test func `a composed store uses the first one that has the kind`() async throws {
    #expect(
      try await told(
        """
        local tag = moon.entities.kind { name = "tag" }
        local low, high = moon.entities.memory { note, tag }, moon.entities.memory { note }
        local both = moon.entities.composed { low, { high, priority = 1 } }
        both:put("note", { id = "n", title = "" }) both:put("tag", { id = "t" })
        tell(low:count "note", high:count "note", low:count "tag", both:serves "tag", both:serves "x")
        tell(code(both.get, both, "x", 1), both:exists("x", 1), code(both.of, both, "x"))
        local stored = moon.entities.stored { tag }
        local all = moon.entities.composed { high, stored }
        tell((pcall(all.transaction, all, function(tx)
          tx:put("note", { id = "m", title = "" }) tx:put("tag", { id = "u" })
          error "no"
        end)), high:count "note", stored:count "tag")
        all:transaction(function(tx)
          tx:put("note", { id = "m", title = "" }) tx:put("tag", { id = "u" })
          tell(high:count "note", stored:count "tag", tx:count "note")
        end)
        tell(high:count "note", stored:count "tag", code(moon.entities.composed, { 1 }))
        """) == [
          "0 1 1 true false", "unknown_kind false unknown_kind", "false 1 0", "1 0 2",
          "2 1 bad_argument",
        ])
  }

  @Test func `a store for writing refuses to read`() async throws {
    #expect(
      try await told(
        """
        local data = {}
        local notes = moon.entities.memory(note, data, { mode = "w" })
        notes:put { id = "a", title = "" }
        tell(code(notes.get, notes, "a"), code(notes.all, notes), code(notes.exists, notes, "a"))
        notes:transaction(function(tx) tx:put { id = "b", title = "" } tell(code(tx.all, tx)) end)
        tell(moon.entities.memory(note, data):count(), code(moon.entities.memory, note, {}, { mode = "r" }))
        """) == ["write_only write_only write_only", "write_only", "2 bad_argument"])
  }

  @Test func `a method without its store is an error that shows the colon`() async throws {
    let told = try await told(
      """
      local notes = moon.entities.memory(note)
      tell(select(2, pcall(notes.get, "a")))
      tell(select(2, pcall(moon.entities.memory { note }.get, "a")))
      """)
    #expect(told.allSatisfy { $0.contains("get is a method: write store:get(…)") }, "\(told)")
  }

  @Test(arguments: [
    ("moon.entities.memory(note, nil)", "its table is nil"),
    ("moon.entities.memory(note, nil, {})", "its table is nil"),
    ("moon.entities.memory(note):view('all', nil)", "the group is nil"),
    ("moon.entities.memory(note):add_view('v', { sort = 'tittle' })", "did you mean 'title'?"),
  ])
  func `nil where a value must be is an error`(call: String, text: String) async throws {
    let told = try await told(
      """
      local note = moon.entities.kind { name = "note", views = { all = {} },
        fields = { id = "string", title = "string" } }
      tell(select(2, pcall(function() return \(call) end)))
      """)
    #expect(told.first?.contains(text) ?? false, "\(told)")
  }

  @Test func `records in records are checked, and nulls of optional fields left out`() async throws
  {
    let told = try await told(
      """
      local note = moon.entities.kind { name = "note", fields = { id = "string",
        by = { "?", name = "string", mail = "string?" }, marks = { [string] = "integer[]" } } }
      local notes = moon.entities.memory(note)
      local function put(record) return select(2, pcall(notes.put, notes, record)) end
      put { id = "a", by = { name = "Ada", mail = moon.null }, marks = {} }
      tell(notes:get "a".by.mail)
      tell(put { id = "b", by = { name = 1 }, marks = {} })
      tell(put { id = "b", marks = { x = { 1, "y" } } })
      tell(put { id = "b", by = moon.null, marks = {} }, notes:get "b".by)
      """)
    try #require(told.count == 4, "\(told)")
    #expect(told[0] == "nil")
    #expect(told[1].contains("note: by.name is 1, and must be a string"))
    #expect(told[2].contains("note: marks.x[2] is \"y\", and must be an integer"))
    #expect(told[3] == "b nil")
  }
}
