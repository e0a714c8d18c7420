import MoonTestSupport
import Moonwire
import Testing

/// An action of the navigation that a program makes is completed like one that a script makes.
@Suite struct TypedNavigationTests {
  @Test func `a screen without an owner gets the module that dispatched it`() async throws {
    let bench = try await Bench(
      ["m.lua": "return { state = {}, reducers = { go = function() end } }"],
      options: Bench.quiet,
      adding: [
        {
          try Module("mapper") { module in
            module.navigationMappers = [
              NavigationMapper(.exact("m/go")) { _, _ in
                [Action(NavigationAction(.push(Screen(id: "x"))))]
              }
            ]
          }
        }
      ])
    try await bench.dispatch("m/go")
    let tree = try #require(await bench.state("navigation")?.canonicalText)
    #expect(tree.contains(#""id":"x""#) && tree.contains(#""module":"mapper""#), "\(tree)")
  }
}
