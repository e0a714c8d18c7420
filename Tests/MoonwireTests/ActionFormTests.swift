import MoonTestSupport
import Moonwire
import Testing

/// Forms that are made of the schemas of actions.
struct ActionFormTests {
  private func app(_ form: String) -> String {
    """
    local moon = require "moonwire"
    local ui = moon.ui
    return moon.module {
      state = { got = {}, n = 0 },
      actions = {
        add = { "Adds one", first_name = "string", age = "integer?", size = "small|large",
          urgent = "boolean?", tags = "string[]?" },
        tick = "Counts",
      },
      reducers = {
        add = function(s, p) s.got = p end,
        tick = function(s) s.n = s.n + 1 end,
      },
      routes = { ["/new"] = { kind = "new", screen = function() return {} end } },
      views = { new = function(_, s) return { "n = " .. s.n, \(form) } end },
    }
    """
  }

  private func lines(_ bench: Bench) async throws -> [String] {
    let shown = try #require(await bench.host.shownScreen(in: bench.session))
    if let failure = shown.failure { return ["\(failure)"] }
    return shown.lines(width: 60).map(\.text).filter { !$0.isEmpty }
  }

  @Test func `a form asks for the fields of an action, and keeps what is typed`() async throws {
    let form = """
      ui.form("add", { "first_name", "age", "size", "urgent", button = "Save",
        data = { tags = { "a" } }, fields = { age = { min = 0, errorMessage = "no age" } } })
      """
    let bench = try await Bench(["m.lua": app(form)])
    try await bench.route("/new")
    #expect(
      try await lines(bench) == [
        "n = 0", "First name*  [__________]", "Age          [__________] from 0",
        "Size*        [__________]", "             small · large", "[ ] Urgent", "[1] Save",
      ])
    await #expect(throws: ScreenError.self) {
      try await bench.host.use(.name("Save"), in: bench.session)
    }
    for wrong in ["-1", "3.5"] {
      await #expect(throws: ScreenError.self) {
        try await bench.host.fill([("age", wrong)], in: bench.session)
      }
    }
    try await bench.host.fill(
      [("First name", "Ada"), ("age", "36"), ("size", "large")], in: bench.session)
    try await bench.dispatch("m/tick")
    #expect(try await lines(bench).prefix(2) == ["n = 1", "First name*  [Ada]"])
    try await bench.host.use(.name("Save"), in: bench.session)
    #expect(
      try await bench.state("m.got") == [
        "age": 36, "first_name": "Ada", "size": "large", "tags": ["a"], "urgent": false,
      ])
  }

  @Test(arguments: [
    ("ui.form \"tick\"", "[1] Tick"), ("ui.form \"ad\"", "declares no action ad"),
    ("ui.form \"add\"", "ui.form can't ask for tags"),
    ("ui.form(\"add\", { \"naem\" })", "the action add has no field naem"),
    ("ui.form()", "ui.form takes the name of an action"),
  ])
  func `a form that can't be made says why`(form: String, last: String) async throws {
    let bench = try await Bench(["m.lua": app(form)])
    try await bench.route("/new")
    #expect(try await lines(bench).joined(separator: " ").contains(last))
  }
}
