import Moonwire
import Testing

/// The parents of actions: whatever makes an action notes the one that it follows from.
struct ActionParentTests {
  /// A module whose registrations of all kinds make actions.
  private static let maker = """
    local moon = require "moonwire"
    local function tell(self) self.dispatch("told") end
    local asked = false
    local lifecycle = {}
    for _, stage in ipairs { "load", "did_load", "will_route", "will_appear", "did_appear",
        "did_route", "will_disappear", "did_disappear" } do
      lifecycle[stage] = function(screen, event, state, self) tell(self) end
    end
    return {
      state = { n = 0 },
      actions = { told = {}, part = {}, start = {}, go = {}, ask = {} },
      reducers = { go = function(state) state.n = state.n + 1 end },
      middleware = { on = "m/go", run = function(action, state, self)
        tell(self)
        return { action, { type = "part" }, { type = "part" } }
      end },
      map_modules = { go = function(action, state, self)
        tell(self)
        return { moon.start "m", moon.replace(action) }
      end },
      map_navigation = { start = function(action, state, self)
        tell(self)
        return "/x"
      end },
      after_reduce = { on = "m/go", run = function() return { type = "told" } end },
      observe = { ["m.n"] = function(new, old, self) tell(self) end },
      effects = { go = function(payload, self)
        tell(self)
        moon.sleep(1)
        tell(self)
        moon.spawn(function() tell(self) end):await()
        self.after(1, "told")
        self.call "order"
        self.dispatch_and_wait "told"
        self.dispatch(function() return { type = "ask" } end)
        self.route_and_wait "/handled"
        self.route_and_wait "/nowhere"
        return moon.defer(function(emit) emit { type = "told" } end)
      end },
      api = { ask = {
        request = function() return 1 end, loading = "told", success = "told", failure = "told",
      } },
      commands = { order = function(payload, self) tell(self) end },
      routes = { ["/x"] = function(route, state, self)
        tell(self)
        return { title = "X" }
      end },
      handlers = { ["/handled"] = function(route, state, self)
        tell(self)
        return moon.redirect "/x"
      end },
      unmatched = function(request, state, self)
        tell(self)
        return false
      end,
      routing_options = function(route, option, state, self) tell(self) end,
      routing_observers = {
        will = function(route, state, self)
          tell(self)
          moon.sleep(1)
          tell(self)
        end,
        did = function(route, screen, state, self) tell(self) end,
        failed = function(url, error, state, self) tell(self) end,
      },
      presenters = function(screen, route, state, self) tell(self) end,
      routing_presenters = { show = function(screen, option, state, self) tell(self) end },
      lifecycle = lifecycle,
      on_back = function(screen, state, self)
        tell(self)
        if asked then return end
        asked = true
        return { { type = "told" }, "/handled" }
      end,
      containers = { stack = function(container, state, self)
        tell(self)
        return { type = "told" }
      end },
    }
    """

  @Test func `every action that a registration makes has an earlier one as its parent`()
    async throws
  {
    let bench = try await TaskBench(["m.lua": Self.maker])
    try await bench.dispatch("m/go")
    for _ in 1...8 { await bench.pass(1) }
    try await bench.dispatch("nav/back")
    for _ in 1...4 { await bench.pass(1) }
    try await bench.dispatch("nav/pop_to_root")
    try await bench.dispatch("nav/back")
    let actions = await bench.host.history(of: bench.session).entries.map(\.action)
    let ids = Set(actions.map(\.meta.id))
    var kinds: Set<RegistrationKind> = []
    for action in actions {
      if case .module(_, let kind) = action.meta.cause { kinds.insert(kind) }
      let isFirst =
        action.meta.cause == .native
        && ["m/go", "nav/back", "nav/pop_to_root"].contains(action.type)
      let parent = action.meta.parent ?? 0
      #expect(
        isFirst || (parent < action.meta.id && ids.contains(parent)),
        "\(action.type) \(action.meta.id), parent \(parent), from \(action.meta.cause)")
    }
    let makers: Set<RegistrationKind> = [
      .middleware, .moduleMapper, .navigationMapper, .afterReduce, .observer, .effect, .timer,
      .command, .apiRequest, .route, .handler, .unmatched, .optionProvider, .routingObserver,
      .presenter, .routingPresenter, .lifecycle, .onBack, .container,
    ]
    #expect(makers.subtracting(kinds).isEmpty, "\(makers.subtracting(kinds))")
  }
}
