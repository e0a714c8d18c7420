import Moonwire
import Testing

/// The arguments of modules' functions.
struct ArgumentTests {
  @Test func `a function gets the arguments that it takes, however it takes them`() async throws {
    let notes = Notes()
    let bench = try await Bench.noting(
      notes,
      [
        "main.lua": """
        local function count(name)
          return function(...) print(name .. " " .. select("#", ...)) end
        end
        return require "moonwire".module {
          state = { count = 3 },
          routes = {
            ["/x/:id"] = function(route) return { title = route.params.id } end,
          },
          routing_options = {
            function(route, option, state) print("option " .. state.count) end,
            count "option",
          },
          presenters = {
            function(screen) screen.title = screen.title .. "!" end,
            function(screen, route, state, self)
              print("presenter " .. route.params.id .. state.count .. type(self))
            end,
            count "presenter",
          },
          routing_observers = {
            { will = function() print "none" end, did = count "did" },
            { will = count "will", did = function(_, screen) print("did " .. screen.title) end },
          },
          lifecycle = { did_appear = count "did_appear" },
        }
        """
      ])
    try await bench.route("/x/7")
    #expect(
      notes.all == [
        "option 3", "option 4", "none", "will 3", "presenter 73table", "presenter 4",
        "did_appear 4", "did 4", "did 7!",
      ])
  }
}
