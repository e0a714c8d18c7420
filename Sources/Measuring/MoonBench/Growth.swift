import MoonJournal
import MoonServices
import Moonwire

/// A kind of work whose amount a module's author chooses: the entries of its table, the parts of an
/// answer, or the length of a text.
///
/// `scripts/bench growth` counts the instructions of each at n and 4n. If the host's work grew
/// faster than its input, one module could hold up all the others.
struct Growth: Sendable {
  let name: String
  /// The n of the smaller run.
  ///
  /// Four times as much is within every limit.
  let base: Int
  /// Returns the contents of the module's file, given n.
  let script: @Sendable (Int) -> String
  /// The step after the module is loaded.
  var work: Operation = .nothing
  /// Whether the host is expected to refuse the module.
  var isRefused = false

  enum Operation: Sendable {
    case nothing
    /// Dispatches `m/go` with a payload, given n.
    case dispatch(@Sendable (Int) -> Value)
    /// Routes a URL, given n, and draws the screen.
    case route(@Sendable (Int) -> String)
    /// Dispatches `m/go`, and waits for the effects that may use all services.
    case effect
    /// Writes a file with n parts, and reads it.
    case reading(JournalWorkload)
  }

  static let go = Operation.dispatch { ["n": .int(Int64($0))] }
}

/// The work that is measured.
extension Growth {
  static let all = tables + answers + values + texts + readers + functions

  /// Entries of a module's table.
  private static let tables = [
    entries("actions", 250, #"t["a" .. i] = { "Does it", by = "integer?" }"#),
    entries("reducers", 250, #"t["a" .. i] = function() end"#),
    entries(
      "routes", 250, #"t["/r" .. i .. "(/x/:y)"] = function() return { title = "r" } end"#,
      .route { "/r\($0)" }),
    entries(
      "handlers", 60, #"t["/:a" .. i] = function() return i == n end"#, .route { _ in "/x" }),
    entries(
      "views", 250, #"t["k" .. i] = function() return {} end"#,
      more: #"m.routes = { ["/k"] = { kind = "k1", screen = function() return {} end } }"#,
      .route { _ in "/k" }),
    entries("observe", 250, #"t["m.f" .. i] = function() end"#, go, more: changing),
    entries("middleware", 25, "t[i] = function() end", go, more: changing),
    entries(
      "routing_observers", 250, "t[i] = { will = function() end, did = function() end }",
      .route { _ in "/k" }, more: route),
    entries(
      "routing_options", 250, "t[i] = function() end", .route { _ in "/k" }, more: route),
    entries("presenters", 250, "t[i] = function() end", .route { _ in "/k" }, more: route),
    entries(
      "extends", 250, #"t["m/k#s" .. i] = function() return { moon.ui.text("x") } end"#,
      .route { _ in "/k" },
      more: """
        m.routes = { ["/k"] = { kind = "k", screen = function() return {} end } }
        m.views = { k = function()
          local body = {}
          for i = 1, n do body[i] = moon.ui.slot("s" .. i) end
          return body
        end }
        """),
    entries("map_modules", 250, #"t["m/a" .. i] = function() end"#, go, more: changing),
    entries("map_navigation", 250, #"t["m/a" .. i] = function() end"#, go, more: changing),
    entries("state", 1_000, #"t["f" .. i] = { i, "text " .. i }"#, go, more: changing),
    view(
      "parts of a template", 100,
      """
      body[i] = { type = "TextBlock", text = "${a.b} of ${count($root.c)}" }
      if i == n then body = { moon.ui.template({ type = "Container", items = body }, {}) } end
      """),
    view("cards that buttons show", 100, #"body[i] = moon.ui.show_card("more", { "x" })"#),
    Growth(
      name: "problems", base: 20,
      script: { module($0, "for i = 1, n do m['misspelt' .. i] = i end") }, isRefused: true),
  ]

  /// Parts of an answer.
  private static let answers = [
    answer(
      "actions of a middleware", 200,
      "m.middleware = { { on = 'm/go', run = function(a) return many('m/step') end } }"),
    answer(
      "actions of an observer", 500,
      "m.observe = { ['m.count'] = function(_, _, self)"
        + " for _, a in ipairs(many('m/add')) do self.dispatch(a.type) end end }"),
    answer(
      "actions of a navigation mapper", 12,
      """
      m.map_navigation = { go = function()
        local urls = {}
        for i = 1, n do urls[i] = "/k?" .. i end
        return urls
      end }
      """),
    answer(
      "screens of one navigation", 200,
      """
      m.map_navigation = { go = function()
        local urls = {}
        for i = 1, n do urls[i] = "/k?" .. i end
        return moon.nav.set(moon.nav.stack(urls))
      end }
      """),
    answer(
      "questions about URLs", 250,
      """
      m.routes = {}
      for i = 1, n do m.routes["/r" .. i] = function() return {} end end
      m.observe = { ["m.count"] = function(_, _, self)
        for i = 1, n do self.can_route("/r" .. i) end
      end }
      """),
    view("elements of a view", 500, #"body[i] = moon.ui.text("line " .. i)"#),
    view(
      "inputs and buttons of a view", 200,
      """
      body[2 * i - 1] = moon.ui.input { id = "i" .. i }
      body[2 * i] = moon.ui.actions { moon.ui.submit("b" .. i, "m/go") }
      """),
  ]

  /// Files that the host reads.
  private static let readers = [
    Growth(
      name: "records of a journal that is resumed", base: 200, script: { _ in "return {}" },
      work: .reading(.resume)),
    Growth(
      name: "records of a journal that is replayed", base: 200, script: { _ in "return {}" },
      work: .reading(.replay)),
  ]

  /// Sizes of values.
  private static let values = [
    answer("writes of a reducer", 2_000, "", body: "for i = 1, n do state['k' .. i] = { i } end"),
    answer("appends to a list", 2_000, "", body: "for i = 1, n do state.log[i] = i end"),
    answer(
      "insertions at the front", 250, "",
      body: "for i = 1, 8 do table.insert(state.log, 1, i) end", more: "fill(n * 8)"),
    answer(
      "walks over a draft", 2_000, "",
      body: "local s = 0 for k, v in pairs(state.log) do s = s + #v end state.count = s",
      more: "for i = 1, n do m.state.log[i] = { i } end"),
    Growth(
      name: "fields of a payload", base: 1_000,
      script: { module($0, changing) },
      work: .dispatch { n in
        .map(Map((0..<n).map { (Key.string(Text("k\($0)")), Value.int(Int64($0))) }))
      }),
    Growth(
      name: "tables that are printed", base: 100,
      script: {
        module($0, "fill(n) m.reducers = { go = function(s) s.count = n print(m.state) end }")
      },
      work: go),
  ]

  /// Lengths of texts.
  private static let texts = [
    Growth(
      name: "lines of a file", base: 1_000,
      script: { n in
        "local moon = require 'moonwire'\nlocal t = {}\n"
          + (0..<n).map { "t.f\($0) = function(a) return a + \($0) end\n" }.joined()
          + "return moon.module {}\n"
      }),
    Growth(
      name: "globals that nobody sets", base: 1_000,
      script: { n in
        "local function f()\n" + (0..<n).map { "  missing\($0)()\n" }.joined()
          + "end\nreturn require('moonwire').module {}\n"
      }),
    Growth(
      name: "segments of a URL", base: 60,
      script: { module($0, "m.routes = { ['/k/*'] = function() return {} end }") },
      work: .route { "/k" + String(repeating: "/s", count: $0) }),
    Growth(
      name: "parameters of a URL", base: 60, script: { module($0, route) },
      work: .route { n in "/k?" + (0..<n).map { "p\($0)=\($0)" }.joined(separator: "&") }),
    Growth(
      name: "bytes of a stored text", base: 20_000,
      script: { module($0, "m.reducers = { go = function(s) s.text = ('x'):rep(n) end }") },
      work: go),
  ]
}

/// The common parts of the scripts.
extension Growth {
  /// Changes the slice.
  private static let changing =
    "m.reducers = m.reducers or {} m.reducers.go = function(s) s.f1 = 0 end"
  /// Has one screen.
  private static let route = "m.routes = { ['/k'] = function() return { title = 'k' } end }"

  private static func module(_ n: Int, _ body: String) -> String {
    """
    local moon = require "moonwire"
    local n = \(n)
    local m = { state = { count = 0, log = {} } }
    local function many(type)
      local actions = {}
      for i = 1, n do actions[i] = { type = type } end
      return actions
    end
    local function fill(count)
      for i = 1, count do m.state.log[i] = i end
    end
    \(body)
    return moon.module(m)
    """
  }

  /// Returns n entries under a key, each made by a line of Lua that has `t` and `i`.
  private static func entries(
    _ key: String, _ base: Int, _ line: String, _ work: Operation = .nothing, more: String = ""
  ) -> Growth {
    Growth(
      name: "entries under \(key)", base: base,
      script: { n in
        module(n, "local t = {}\nfor i = 1, n do \(line) end\nm.\(key) = t\n\(more)")
      }, work: work)
  }

  private static func entries(
    _ key: String, _ base: Int, _ line: String, more: String, _ work: Operation
  ) -> Growth { entries(key, base, line, work, more: more) }

  /// Returns a view whose body is made by lines of Lua that have `body` and `i`, n times.
  private static func view(_ name: String, _ base: Int, _ lines: String) -> Growth {
    Growth(
      name: name, base: base,
      script: { n in
        module(
          n,
          """
          m.routes = { ["/k"] = { kind = "k", screen = function() return {} end } }
          m.views = { k = function()
            local body = {}
            for i = 1, n do
              \(lines)
            end
            return body
          end }
          """)
      }, work: .route { _ in "/k" })
  }

  /// Returns registrations that a dispatch of `go` calls n times.
  private static func answer(
    _ name: String, _ base: Int, _ registration: String,
    body: String = "state.count = state.count + 1", more: String = ""
  ) -> Growth {
    Growth(
      name: name, base: base,
      script: { n in
        module(
          n,
          """
          m.reducers = {
            go = function(state) \(body) end,
            step = function(state) state.count = state.count + 1 end,
            add = function() end,
          }
          m.routes = { ["/k"] = function() return { title = "k" } end }
          \(registration)
          \(more)
          """)
      }, work: go)
  }
}

extension Growth {
  /// Loads a module of size `n` and makes it do its work; on failure, says what was refused.
  func run(_ n: Int) async throws {
    if case .reading(let workload) = work {
      return try await workload.run(.process, count: n, rowBytes: 0)
    }
    let folder = ScriptFolder(["m.lua": script(n)])
    var options = HostOptions.unlimited
    if case .effect = work {
      options.services = Service.standard
      options.surroundings.dataDirectory = folder.path
      options.grants.allowed = [Grants.Rule(try Scope(parsing: "storage"))]
    }
    let host = try Host(directory: folder.path, options: options)
    try await host.load()
    let infos = await host.moduleInfos()
    guard infos.allSatisfy({ ($0.status == .running) != isRefused }) else {
      throw GrowthError(name: name, reason: infos.map { "\($0.status)" }.joined())
    }
    let session = await host.openSession()
    switch work {
    case .nothing, .reading: break
    case .effect:
      try await host.dispatch(Action("m/go"), to: session)
      let rest = await host.waitForTasks(in: session, within: .seconds(600))
      guard rest.faults.isEmpty else { throw GrowthError(name: name, reason: "\(rest.faults)") }
    case .dispatch(let payload):
      let outcome = try await host.dispatch(Action("m/go", payload(n)), to: session)
      guard outcome.faults.isEmpty, outcome.failures.isEmpty else {
        throw GrowthError(name: name, reason: "\(outcome.faults) \(outcome.failures)")
      }
    case .route(let url):
      let outcome = try await host.route(Text(url(n)), in: session)
      let shown = await host.shownScreen(in: session)
      guard outcome.faults.isEmpty, shown?.failure == nil else {
        throw GrowthError(
          name: name, reason: shown?.failure.map { "\($0)" } ?? "\(outcome.faults)")
      }
    }
    await host.close()
  }
}

/// The error of a module, or of its work, that was refused.
struct GrowthError: Error, CustomStringConvertible {
  let name: String
  let reason: String
  var description: String { "\(name): \(reason)" }
}
