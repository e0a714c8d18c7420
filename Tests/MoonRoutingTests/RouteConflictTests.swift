import MoonRouting
import MoonValues
import Testing

struct RouteConflictTests {
  private func conflicts(_ routes: [(Text, Int)]) throws -> [String] {
    var builder = RouteTableBuilder()
    for (index, (text, priority)) in routes.enumerated() {
      try builder.add(
        RouteEntry(
          RoutePattern(parsing: text), owner: Text("m\(index)"), id: index, priority: priority))
    }
    return builder.conflicts().map {
      "\($0.earlier.pattern) \($0.kind) \($0.later.pattern)"
    }
  }

  @Test(
    arguments: [
      ([("/a/:x", 0), ("/a/:y", 0)], ["/a/:x equal /a/:y"]),
      ([("/a/b", 0), ("/a/:y", 0)], []),
      ([("/a/b", 0), ("/a/:y", 1)], ["/a/:y shadowed /a/b"]),
      ([("/a/b", 0), ("/a/:y<int>", 1)], []),
      ([("/a/7", 0), ("/a/:y<int>", 1)], ["/a/:y<int> shadowed /a/7"]),
      ([("/a/:x<int>", 0), ("/a/:y<number>", 1)], ["/a/:y<number> shadowed /a/:x<int>"]),
      ([("/a/:x.min.js", 0), ("/a/:y.js", 1)], ["/a/:y.js shadowed /a/:x.min.js"]),
      ([("/a/b/c", 0), ("/a/*", 1)], ["/a/* shadowed /a/b/c"]),
      ([("/a/*", 0), ("/*", 1)], ["/* shadowed /a/*"]),
      ([("/a(/:x)", 0), ("/a", 0)], ["/a partlyShadowed([/a]) /a(/:x)"]),
      ([("/a(/:x)", 0), ("/a(/:y)", 0)], ["/a(/:x) equal /a(/:y)"]),
      ([("/a", 0), ("shop://a", 1)], []),
      ([("/a", 0), ("/b", 0), ("/:x/c", 0), ("/a/:y", 0)], []),
    ] as [([(Text, Int)], [String])])
  func `patterns that equal or shadow others are found`(
    routes: [(Text, Int)], expected: [String]
  ) throws {
    #expect(try conflicts(routes) == expected)
    // Neither the order of adding nor the owners' names decide which route shadows which.
    if routes.allSatisfy({ $0.1 == routes[0].1 }) { return }
    #expect(try conflicts(routes.reversed()) == expected)
  }

  @Test(.timeLimit(.minutes(1)))
  func `very many patterns that equal each other are compared with the first alone`() throws {
    let routes = (0..<5000).map { (Text("/:p\($0)"), 0) }
    let found = try conflicts(routes)
    #expect(found.count == 4999)
    #expect(found.allSatisfy { $0.hasPrefix("/:p0 equal ") })
  }

  @Test func `patterns that branch everywhere are looked at for a bounded number of steps`() throws
  {
    var builder = RouteTableBuilder()
    for number in 0..<256 {
      let parts = (0..<8).map { number & (1 << $0) == 0 ? "/a" : "/:x\($0)" }
      try builder.add(
        RouteEntry(
          RoutePattern(parsing: Text(parts.joined())), owner: "m", id: number, priority: number)
      )
    }
    let all = builder.conflicts()
    #expect(all.count == 255)
    let some = builder.conflicts(stepsMax: 5000)
    #expect((1..<255).contains(some.count))
    #expect(Set(some).isSubset(of: all))
  }

  @Test func `one name for two routes is a conflict with both places`() throws {
    var builder = RouteTableBuilder()
    for (line, text) in (["/b", "/a"] as [Text]).enumerated() {
      try builder.add(
        RouteEntry(
          RoutePattern(parsing: text), owner: "m", id: line, name: "same",
          place: SourcePlace(file: "m.lua", line: line + 1)))
    }
    let conflict = try #require(builder.conflicts().first)
    #expect(conflict.kind == .sameName("same"))
    #expect(conflict.earlier.place?.line == 2)
    #expect(conflict.later.place?.line == 1)
    #expect(try builder.build().url(for: "same") == "/a")
  }
}
