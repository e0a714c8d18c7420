import MoonTestSupport
import Moonwire
import Testing

/// The ids that actions give, and those that screens and containers get by themselves.
struct GivenIDsTests {
  /// Ids that screens and containers would also get by themselves.
  private static let ids: [Text] = ["a", "a-2", "a-3", "b", "b-2", "stack", "stack-2", "tabs", "x"]

  /// Ids that no part of the tree has been given yet.
  private struct Chooser {
    var random: SplitMix64
    var left: [Text] = []

    mutating func node(_ entry: (key: Key, value: Value)? = nil) -> Value {
      var map: Map = [:]
      if let entry { map[entry.key] = entry.value }
      if random.once(in: 2), !left.isEmpty {
        map["id"] = .string(left.remove(at: random.below(left.count)))
      }
      return .map(map)
    }

    mutating func screen() -> Value {
      switch random.below(3) {
      case 0: random.pick(["/a", "/b"])
      case 1: ["route": "/a"]
      default: node(("kind", random.pick(["a", "b"])))
      }
    }

    mutating func stack() -> Value {
      let screens = (0..<random.below(4)).map { _ in screen() }
      return node(("stack", .list(List(screens))))
    }

    mutating func root() -> Value {
      let items = (0..<1 + random.below(3)).map { _ in random.once(in: 2) ? stack() : screen() }
      return node(("tabs", .list(List(items))))
    }
  }

  @Test func `an id that is given is never one that another part got by itself`() async throws {
    let bench = try await Bench([
      "m.lua": """
      return { routes = {
        ["/a"] = function() return { kind = "a" } end, ["/b"] = function() return { kind = "b" } end,
      } }
      """
    ])
    var chooser = Chooser(random: SplitMix64(seed: 7))
    for _ in 0..<300 {
      chooser.left = Self.ids
      let root = chooser.root()
      try await bench.dispatch("nav/set", ["root": root])
      let tree = try #require(await bench.host.navigationTree(of: bench.session))
      let unused = Set(chooser.left)
      for id in Self.ids where !unused.contains(id) {
        #expect(tree.node(id) != nil, "\(id) of \(root) isn't in the tree")
      }
    }
  }
}
