import MoonTestSupport
import Moonwire
import Testing

/// Properties of any sequence of URLs and navigation actions.
struct NavigationPropertyTests {
  private static let modules = [
    "app.lua": """
    local moon = require "moonwire"
    local function screen(r) return { title = r.params.n } end
    return {
      state = { n = 0 },
      reducers = { ["nav/*"] = function(s, p, action)
        if p.screen and p.screen.title == "7" then error("seven") end
        s.n = s.n + 1
      end },
      routes = {
        ["/p/:n"] = { option = "push", screen = screen },
        ["/m/:n"] = { option = moon.modal { stack = true }, screen = screen },
        ["/r/:n"] = { option = "root", screen = screen },
        ["/b/:n"] = { option = "back_to", screen = screen },
        ["/s/:n"] = function(r)
          if r.params.n ~= "3" then return { title = r.params.n, id = "s" .. r.params.n } end
        end,
        ["/two/:n"] = { option = "two", screen = screen },
      },
      handlers = { ["/h/:n"] = function(r) return moon.redirect("/p/" .. r.params.n) end },
      routing_presenters = { two = function(screen)
        return { moon.nav.push(screen), moon.nav.present(moon.nav.stack { "/p/5", "/p/6" }) }
      end },
    }
    """
  ]

  private static func action(_ random: inout SplitMix64, _ tree: NavigationTree) -> Action {
    let number = random.below(9)
    let ids = tree.screens.map(\.id) + ["nobody"]
    let id = Value.string(ids[random.below(ids.count)])
    switch random.below(24) {
    case 0...2: return .route(Text("/p/\(number)"))
    case 3: return .route(Text("/m/\(number)"), passing: ["k": .int(Int64(number))])
    case 4: return .route(Text("/r/\(number)"))
    case 5: return .route(Text("/b/\(number)"))
    case 6, 7: return .route(Text("/s/\(number)"))
    case 8: return .route(Text("/h/\(number)"))
    case 9: return .route(Text("/two/\(number)"))
    case 10: return .route(Text("/s/\(number)"), option: .replace)
    case 11: return Action("nav/push", ["screen": .string(Text("/p/\(number)"))])
    case 12: return Action("nav/pop", ["count": .int(Int64(random.below(3)))])
    case 13: return Action("nav/back")
    case 14: return Action("nav/dismiss")
    case 15: return Action("nav/pop_to", ["id": id])
    case 16: return Action("nav/dismiss_to", ["id": id])
    case 17: return Action("nav/back_to", ["id": id])
    case 18:
      return Action(
        "nav/set",
        [
          "root": [
            "tabs": [["stack": [.string(Text("/p/\(number)"))]], .string(Text("/p/\(number)"))]
          ]
        ])
    case 19: return Action("nav/select_tab", ["index": .int(Int64(random.below(3)))])
    case 20:
      return Action("nav/insert_tab", ["tab": ["title": "t", "kind": "tab"], "at": "first"])
    case 21:
      return Action("nav/set_navigation", ["screens": [.string(Text("/p/\(number)")), "/p/1"]])
    case 22: return Action("nav/update", ["screen": ["id": id, "title": "updated"]])
    default: return Action("nav/present", ["node": ["title": "card"]])
    }
  }

  /// Makes a hundred random calls; returns the number that succeeded.
  private static func walk(
    _ bench: Bench, _ seed: UInt64, each: (String, String, Bool) -> Void = { _, _, _ in }
  ) async throws -> Int {
    var random = SplitMix64(seed: seed)
    var count = 0
    for _ in 1...100 {
      let tree = try #require(await bench.host.navigationTree(of: bench.session))
      let action = Self.action(&random, tree)
      let before = await bench.canonicalState()
      let outcome = try? await bench.host.dispatch(action, to: bench.session)
      each(before, await bench.canonicalState(), outcome != nil)
      if outcome != nil { count += 1 }
    }
    return count
  }

  @Test(arguments: 1...10 as ClosedRange<UInt64>)
  func `what the history holds of navigation leads to the same bytes again`(
    seed: UInt64
  ) async throws {
    let bench = try await Bench(Self.modules)
    let count = try await Self.walk(bench, seed)
    #expect(count > 30)
    // There are no modules, so nothing is routed or remade.
    let host = try Host(directory: nil, options: Bench.quiet)
    let session = await host.openSession()
    for entry in await bench.host.history(of: bench.session).entries {
      guard case .done(hasChanged: true) = entry.result, entry.action.type != "nav/route",
        !entry.action.type.hasPrefix("nav/did_")
      else {
        continue
      }
      try await host.dispatch(entry.action, to: session)
    }
    let replayed = await host.state(of: session)?["navigation"]?.canonicalText
    #expect(try await bench.state("navigation")?.canonicalText == replayed)
  }

  @Test(arguments: 11...16 as ClosedRange<UInt64>)
  func `what fails changes no byte, and the tree is always one that can be restored`(
    seed: UInt64
  ) async throws {
    let bench = try await Bench(Self.modules)
    _ = try await Self.walk(bench, seed) { before, after, isDone in
      if !isDone { #expect(before == after) }
    }
    let state = try #require(await bench.host.state(of: bench.session))
    let session = try await bench.host.openSession(restoring: state)
    #expect(
      await bench.host.navigationTree(of: session)?.screens.map(\.id)
        == bench.screens().map(\.id))
  }

  @Test(arguments: 21...24 as ClosedRange<UInt64>)
  func `the same things done twice give the same bytes`(seed: UInt64) async throws {
    let first = try await Bench(Self.modules)
    let second = try await Bench(Self.modules)
    _ = try await Self.walk(first, seed)
    _ = try await Self.walk(second, seed)
    #expect(await first.canonicalState() == second.canonicalState())
  }

  @Test(arguments: 31...34 as ClosedRange<UInt64>)
  func `a reload that changes nothing changes no byte`(seed: UInt64) async throws {
    let bench = try await Bench(Self.modules)
    _ = try await Self.walk(bench, seed)
    // Screens that were updated directly are remade.
    await bench.host.reload()
    let before = await bench.canonicalState()
    await bench.host.reload()
    #expect(await bench.canonicalState() == before)
  }
}
