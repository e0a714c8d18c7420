import MoonRouting
import MoonValues
import Testing

struct RouteExplanationTests {
  private func verdicts(_ url: Text, _ patterns: Text...) throws -> [Text: RouteVerdict] {
    var builder = RouteTableBuilder()
    for text in patterns {
      try builder.add(RouteEntry(RoutePattern(parsing: text), owner: "m", id: 0))
    }
    let explanation = builder.build().explain(try RouteRequest(parsing: url))
    return Dictionary(
      uniqueKeysWithValues: explanation.candidates.map { ($0.route.pattern.text, $0.verdict) })
  }

  @Test func `every route is told why it lost`() throws {
    let found = try verdicts(
      "/item/x7", "/item/:id", "/item/*", "/item(/:n)", "/item/:key", "/item/:id<int>",
      "/item/:id.js", "/other/:x", "/item", "/item/:id/edit", "shop://item/x7", "/item(/a/b)")
    #expect(found["/item/:id"] == .won)
    #expect(found["/item/:key"] == .laterText)
    #expect(found["/item/*"] == .lessSpecific(at: 1))
    #expect(found["/item(/:n)"] == .lessSpecific(at: 1))
    #expect(
      found["/item/:id<int>"] == .typeMismatch(at: 1, name: "id", expected: .int, found: "x7"))
    #expect(found["/item/:id.js"] == .differentSuffix(at: 1, expected: ".js", found: "x7"))
    #expect(found["/other/:x"] == .differentLiteral(at: 0, expected: "other", found: "item"))
    #expect(found["/item"] == .tooLong(at: 1))
    #expect(found["/item/:id/edit"] == .tooShort(missing: "edit"))
    #expect(found["shop://item/x7"] == .otherScheme)
    #expect(found["/item(/a/b)"] == .differentLiteral(at: 1, expected: "a", found: "x7"))
  }

  @Test func `conditional routes win if their owners say so, and hide nothing`() throws {
    var builder = RouteTableBuilder()
    func add(_ text: Text, _ owner: Text, priority: Int = 0, when: Bool = false) throws {
      try builder.add(
        RouteEntry(
          RoutePattern(parsing: text), owner: owner, id: 0, priority: priority,
          isConditional: when))
    }
    try add("/a", "first", priority: 2, when: true)
    try add("/:x", "second", priority: 1, when: true)
    try add("/a", "third")
    try add("/a", "fourth", when: true)
    try add("/:x", "fifth")
    let explanation = builder.build().explain(try RouteRequest(parsing: "/a"))
    // The third is behind the fourth by its name.
    #expect(
      explanation.candidates.map { "\($0.route.owner) \($0.verdict)" } == [
        "first takes it if its `when` says so", "second takes it if its `when` says so",
        "fourth takes it if its `when` says so", "third takes it otherwise",
        "fifth matches, but is less specific at component 1",
      ])
    #expect(explanation.winner?.owner == "first")
    #expect(
      builder.conflicts().map { "\($0.later.owner) behind \($0.earlier.owner)" } == [])
    try add("/a", "zero", priority: 1)
    #expect(
      Set(builder.conflicts().map { "\($0.later.owner) behind \($0.earlier.owner)" }) == [
        "fourth behind zero", "third behind zero",
      ])
  }

  @Test func `matching routes lose by priority, groups, owner, place or scheme`() throws {
    var builder = RouteTableBuilder()
    func add(_ text: Text, _ owner: Text, priority: Int = 0, line: Int = 1) throws {
      try builder.add(
        RouteEntry(
          RoutePattern(parsing: text), owner: owner, id: 0, priority: priority,
          place: SourcePlace(file: "m.lua", line: line)))
    }
    try add("/a", "m", line: 2)
    try add("/a", "m", line: 5)
    try add("/a", "n")
    try add("/a(/b)", "a")
    try add("/a", "b", priority: -1)
    let global = builder.build().explain(try RouteRequest(parsing: "x://a"))
    #expect(
      global.candidates.map(\.verdict) == [
        .won, .laterPlace, .laterOwner, .moreGroupsOmitted, .lowerPriority,
      ])
    #expect(global.candidates[0].route.place == SourcePlace(file: "m.lua", line: 2))
    try add("x://:any", "z")
    let own = builder.build().explain(try RouteRequest(parsing: "x://a"))
    #expect(own.winner?.owner == "z")
    #expect(own.candidates.dropFirst().allSatisfy { $0.verdict == .afterOwnScheme })
    builder.closedSchemes = ["x"]
    let closed = builder.build().explain(try RouteRequest(parsing: "x://a"))
    #expect(closed.candidates.dropFirst().allSatisfy { $0.verdict == .otherScheme })
  }
}
