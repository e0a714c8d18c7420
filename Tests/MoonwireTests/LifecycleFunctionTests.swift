import Moonwire
import Testing

/// The calls that scripts get during the life of their screens.
struct LifecycleFunctionTests {
  private static let app = """
    local lifecycle = {}
    for _, stage in ipairs { "load", "did_load", "will_route", "will_appear", "did_appear",
        "did_route", "will_disappear", "did_disappear" } do
      lifecycle[stage] = function(screen, event, slice, self)
        assert(event.stage == stage and slice.n and self.dispatch)
        print(stage .. " " .. screen.title .. (event.animated and "" or "!")
          .. (event.window and "" or " nowhere"))
      end
    end
    local function screen(r) return { title = r.params.n } end
    return {
      state = { n = 0 },
      routes = {
        ["/p/:n"] = { option = "push", screen = screen },
        ["/still/:n"] = { option = { option = "push", animated = false }, screen = screen },
        ["/m/:n"] = { option = "modal", screen = screen },
        ["/none/:n"] = { option = "none", screen = screen },
      },
      lifecycle = lifecycle,
    }
    """

  private static func told(_ actions: [Action], then last: Action) async throws -> [String] {
    let notes = Notes()
    let bench = try await Bench.noting(
      notes,
      [
        "app.lua": app,
        "other.lua": "return { lifecycle = { load = function() print(\"not mine\") end } }",
      ])
    for action in actions { try await bench.host.dispatch(action, to: bench.session) }
    notes.clear()
    let outcome = try await bench.host.dispatch(last, to: bench.session)
    #expect(outcome.faults.isEmpty)
    return notes.all
  }

  @Test func `a first screen loads and appears`() async throws {
    #expect(
      try await Self.told([], then: .route("/p/1")) == [
        "will_route 1 nowhere", "load 1", "did_load 1", "will_appear 1", "did_appear 1",
        "did_route 1",
      ])
  }

  @Test func `a pushed screen covers the one below, a popped one uncovers it`() async throws {
    #expect(
      try await Self.told([.route("/p/1")], then: .route("/still/2")) == [
        "will_route 2! nowhere", "load 2!", "did_load 2!", "will_disappear 1!", "will_appear 2!",
        "did_disappear 1!", "did_appear 2!", "did_route 2!",
      ])
    #expect(
      try await Self.told([.route("/p/1"), .route("/p/2")], then: Action("nav/pop")) == [
        "will_disappear 2", "will_appear 1", "did_disappear 2", "did_appear 1",
      ])
  }

  @Test func `a modal screen covers all, and goes`() async throws {
    #expect(
      try await Self.told([.route("/p/1")], then: .route("/m/2")) == [
        "will_route 2 nowhere", "load 2", "did_load 2", "will_disappear 1", "will_appear 2",
        "did_appear 2", "did_disappear 1", "did_route 2",
      ])
    #expect(
      try await Self.told([.route("/p/1"), .route("/m/2")], then: Action("nav/dismiss")) == [
        "will_disappear 2", "will_appear 1", "did_appear 1", "did_disappear 2",
      ])
  }

  @Test func `tabs are loaded when they are first selected`() async throws {
    let tabs = Action("nav/set", ["root": ["tabs": ["/p/1", ["stack": ["/p/2"]]]]])
    #expect(
      try await Self.told([], then: tabs) == [
        "will_route 1 nowhere", "will_route 2 nowhere", "load 1!", "did_load 1!",
        "will_appear 1!", "did_appear 1!", "did_route 1", "did_route 2",
      ])
    #expect(
      try await Self.told([tabs], then: Action("nav/select_tab", ["index": 2])) == [
        "load 2!", "did_load 2!", "will_appear 2!", "will_disappear 1!", "did_disappear 1!",
        "did_appear 2!",
      ])
    #expect(
      try await Self.told([tabs], then: Action("nav/select_tab", ["index": 1])) == [])
  }

  @Test func `a screen that takes another's place`() async throws {
    #expect(
      try await Self.told(
        [.route("/p/1")], then: .route("/p/2", option: RoutingOption("replace"))) == [
          "will_route 2 nowhere", "load 2!", "did_load 2!", "will_disappear 1!",
          "will_appear 2!", "did_disappear 1!", "did_appear 2!", "did_route 2",
        ])
  }

  @Test func `an update is no event, nor is a screen that isn't presented shown`() async throws {
    #expect(
      try await Self.told(
        [.route("/p/1")],
        then: Action("nav/update", ["screen": ["id": "app", "title": "new", "module": "app"]]))
        == [])
    #expect(
      try await Self.told([.route("/p/1")], then: .route("/none/2")) == [
        "will_route 2 nowhere", "did_route 2 nowhere",
      ])
  }

  @Test func `several changes at once are told one after the other`() async throws {
    let tabs = Action(
      "nav/set_navigation", ["screens": ["/p/2", "/p/3"]])
    #expect(
      try await Self.told([.route("/p/1")], then: tabs) == [
        "will_route 2 nowhere", "will_route 3 nowhere", "load 3", "did_load 3",
        "will_disappear 1", "will_appear 3", "did_disappear 1", "did_appear 3", "did_route 2",
        "did_route 3",
      ])
  }

  @Test func `in Swift the same is told`() async throws {
    let notes = Notes()
    let bench = try await Bench(adding: [
      {
        var module = try Module.routing("app", "/x")
        module.lifecycle = ScreenStage.allCases.map { stage in
          LifecycleListener(stage) { event, context in
            notes.add("\(event.stage.rawValue) \(event.screen.title) \(event.windowID ?? "-")")
            if stage == .didAppear { try context.dispatch(Action("nav/pop_to_root")) }
          }
        }
        return module
      }
    ])
    try await bench.route("/x", [:], .push)
    let outcome = try await bench.route("/x", [:], .push)
    #expect(outcome.failures.isEmpty)
    #expect(
      notes.all.suffix(5) == [
        "did_route app main", "will_disappear app main", "will_appear app main",
        "did_disappear app main", "did_appear app main",
      ])
    #expect(await bench.screens().count == 1)
  }

  @Test func `a listener that fails is a fault, and the others are told`() async throws {
    let notes = Notes()
    let bench = try await Bench.noting(
      notes,
      [
        "app.lua": """
        return {
          routes = { ["/x"] = function() return {} end },
          lifecycle = {
            will_appear = function() error("no") end, did_appear = function() print("there") end,
          },
        }
        """
      ])
    let outcome = try await bench.route("/x")
    #expect(
      outcome.faults.map(\.summary) == [
        "app lifecycle listener will_appear app.lua:4 raised(\"no\")"
      ])
    #expect(notes.all == ["there"])
  }
}
