import MoonBuiltIns
import MoonTestSupport
import Moonwire
import Testing

@Suite(.timeLimit(.minutes(2))) struct AnimationBlockerTests {
  private static let app = [
    "app.lua": """
    local moon = require "moonwire"
    local function screen() return { title = "A screen", props = {} } end
    return { state = { animated = moon.list() },
      routes = { ["/"] = { screen = screen },
        ["/moving"] = { option = moon.modal { animated = true }, screen = screen } },
      reducers = {
        ["nav/did_present"] = function(s, p) table.insert(s.animated, p.animated) end,
        ["nav/did_push"] = function(s, p) table.insert(s.animated, p.animated) end } }
    """
  ]

  @Test func `navigation is animated unless the blocker is enabled`() async throws {
    let bench = try await BuiltInBench([.animationBlocker], Self.app)
    try await bench.dispatch("nav/route", ["url": "/"])
    for state in ["disable", "enable", "disable"] {
      try await bench.dispatch("animation_blocker/\(state)")
      try await bench.dispatch("nav/route", ["url": "/moving"])
      try await bench.dispatch("nav/dismiss")
      try await bench.dispatch(
        "nav/push",
        ["screen": ["id": .string(Text("s\(state)")), "kind": "detail"], "animated": true])
      try await bench.dispatch("nav/pop")
    }
    #expect(
      try await bench.state("app.animated") == [true, true, false, false, true, true])
  }
}
