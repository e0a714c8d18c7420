import MoonRouting
import MoonTestSupport
import MoonValues
import Testing

/// Returns a table of patterns; the number of a route is its pattern's place in the list.
func table(_ patterns: String..., owner: Text = "app") throws -> RouteTable {
  var builder = RouteTableBuilder()
  for (id, text) in patterns.enumerated() {
    try builder.add(RouteEntry(RoutePattern(parsing: Text(text)), owner: owner, id: id))
  }
  return builder.build()
}

/// Returns the texts of the matching patterns, the winner first.
func winners(_ table: RouteTable, _ url: Text) throws -> [String] {
  try table.matches(RouteRequest(parsing: url)).map { $0.expandedPatternText.string }
}

/// Invariant 13: the route of a URL doesn't depend on the order of loading.
struct RouteTableTests {
  @Test(arguments: Array(1...40) as [UInt64])
  func `the trie agrees with trying every route`(seed: UInt64) throws {
    var random = RandomRoutes(seed: seed)
    // Routes that differ only in their numbers would tie.
    var texts: Set<String> = []
    var entries: [SlowRoutes.Entry] = []
    for id in 0..<40 {
      let entry = random.entry(id: id)
      if texts.insert(entry.owner + entry.text).inserted { entries.append(entry) }
    }
    let model = SlowRoutes(entries: entries)
    var builder = RouteTableBuilder()
    for entry in entries.shuffled(using: &random.random) {
      try builder.add(
        RouteEntry(
          RoutePattern(parsing: Text(entry.text)), owner: Text(entry.owner), id: entry.id,
          priority: entry.priority))
    }
    let table = builder.build()
    for step in 0..<50 {
      let path = random.path()
      let scheme = random.random.pick([nil, "shop", "other"])
      let url = (scheme.map { $0 + "://" } ?? "") + "/" + path.joined(separator: "/")
      let request = try RouteRequest(parsing: Text(url))
      let expected = model.matches(scheme: scheme, path)
      let found = Array(table.matches(request))
      #expect(found.map(\.id) == expected.map(\.id), "seed \(seed), \(url)")
      #expect(table.firstMatch(request)?.id == expected.first?.id, "seed \(seed), \(url)")
      for (match, model) in zip(found, expected) {
        let captures = Dictionary(
          uniqueKeysWithValues: match.pathParameters.map {
            ($0.key.description, $0.value.stringValue ?? $0.value.canonicalText)
          })
        #expect(captures == model.captures, "seed \(seed), \(url), \(match.patternText)")
        #expect(match.wildcard?.compactMap(\.stringValue) == model.wildcard, "seed \(seed), \(url)")
      }
      // Explaining parses every pattern again.
      guard step % 10 == 0 else { continue }
      let explanation = table.explain(request)
      #expect(explanation.candidates.count == entries.count, "seed \(seed), \(url)")
      #expect(explanation.winner?.id == expected.first?.id, "seed \(seed), \(url)")
      if expected.isEmpty { #expect(explanation.candidates.allSatisfy { $0.verdict != .won }) }
    }
  }

  @Test(arguments: Array(1...20) as [UInt64])
  func `the order of adding changes nothing`(seed: UInt64) throws {
    var random = RandomRoutes(seed: seed)
    var routes: [RouteEntry] = []
    for id in 0..<30 {
      let entry = random.entry(id: id)
      routes.append(
        RouteEntry(
          try RoutePattern(parsing: Text(entry.text)), owner: Text(entry.owner), id: id,
          priority: entry.priority))
    }
    let requests = try (0..<30).map { _ in
      try RouteRequest(parsing: Text("/" + random.path().joined(separator: "/")))
    }
    var first: [[Int]]?
    for _ in 0..<4 {
      routes.shuffle(using: &random.random)
      var builder = RouteTableBuilder()
      for route in routes { try builder.add(route) }
      let table = builder.build()
      let ids = requests.map { table.matches($0).map(\.id) }
      #expect(first == nil || ids == first, "seed \(seed)")
      first = ids
    }
  }

  @Test(arguments: [
    (["/a/:x", "/a/b"], "/a/b", ["/a/b", "/a/:x"]),
    (["/a/*", "/a/:x", "/a(/:y)"], "/a/b", ["/a/:x", "/a/:y", "/a/*"]),
    (["/a/*", "/a"], "/a", ["/a", "/a/*"]),
    (["/:x/b", "/a/:y"], "/a/b", ["/a/:y", "/:x/b"]),
    (["/:x", "/:x<word>", "/:x<int>"], "/7", ["/:x<int>", "/:x<word>", "/:x"]),
    (["/:x", "/:x.js", "/:x.min.js"], "/a.min.js", ["/:x.min.js", "/:x.js", "/:x"]),
    (["/a(/b)", "/a/:x"], "/a/b", ["/a/:x", "/a/b"]),
    (["/a(/b)", "/a"], "/a", ["/a", "/a"]),
    (["/a/:x/c", "/a/b/:y", "/a/b/*"], "/a/b/c", ["/a/b/:y", "/a/b/*", "/a/:x/c"]),
  ])
  func `the more specific pattern wins`(
    patterns: [String], url: String, order: [String]
  ) throws {
    var builder = RouteTableBuilder()
    for (id, text) in patterns.enumerated() {
      try builder.add(RouteEntry(RoutePattern(parsing: Text(text)), owner: "app", id: id))
    }
    #expect(try winners(builder.build(), Text(url)) == order)
  }

  @Test func `priorities may be any integers`() throws {
    let priorities = [0, .min, .max, -1, .min + 1, 1]
    var builder = RouteTableBuilder()
    for (id, priority) in priorities.enumerated() {
      try builder.add(
        RouteEntry(
          RoutePattern(parsing: Text("/:p\(id)")), owner: "m", id: id, priority: priority,
          place: SourcePlace(file: "m.lua", line: priority)))
    }
    let table = builder.build()
    let request = try RouteRequest(parsing: "/x")
    let order = priorities.indices.sorted { priorities[$0] > priorities[$1] }
    #expect(table.matches(request).map(\.id) == order)
    #expect(table.firstMatch(request)?.id == order.first)
    #expect(table.explain(request).candidates.map(\.route.id) == order)
    #expect(builder.conflicts().count == priorities.count - 1)
  }

  @Test func `a pattern without groups wins over one that leaves a group out`() throws {
    let table = try table("/a(/b)", "/a")
    #expect(try table.firstMatch(RouteRequest(parsing: "/a"))?.id == 1)
  }

  @Test func `priority comes before specificity, and the owner before the text`() throws {
    var builder = RouteTableBuilder()
    try builder.add(RouteEntry(RoutePattern(parsing: "/a/b"), owner: "m", id: 0))
    try builder.add(RouteEntry(RoutePattern(parsing: "/*"), owner: "z", id: 1, priority: 5))
    try builder.add(RouteEntry(RoutePattern(parsing: "/a/:x"), owner: "n", id: 2))
    try builder.add(RouteEntry(RoutePattern(parsing: "/a/:y"), owner: "m", id: 3))
    try builder.add(RouteEntry(RoutePattern(parsing: "/*"), owner: "a", id: 4, priority: -1))
    let request = try RouteRequest(parsing: "/a/b")
    #expect(builder.build().matches(request).map(\.id) == [1, 0, 3, 2, 4])
  }

  @Test func `an abandoned branch leaves no capture behind`() throws {
    let table = try table("/files/:name.jpg/raw", "/files/:id/info", "/files/:id/:part/*")
    let info = try #require(
      table.firstMatch(RouteRequest(parsing: "/files/cat.jpg/info")))
    #expect(info.pathParameters == Map([("id", "cat.jpg")]))
    let raw = try #require(table.firstMatch(RouteRequest(parsing: "/files/cat.jpg/raw")))
    #expect(raw.pathParameters == Map([("name", "cat")]))
    let deep = try #require(table.firstMatch(RouteRequest(parsing: "/files/cat.jpg/raw/x")))
    #expect(deep.pathParameters == Map([("id", "cat.jpg"), ("part", "raw")]))
    #expect(deep.wildcard == ["x"])
  }

  @Test func `a scheme's routes come before the global ones, which a closed scheme hides`() throws {
    var builder = RouteTableBuilder()
    try builder.add(RouteEntry(RoutePattern(parsing: "shop://item/:id"), owner: "a", id: 0))
    try builder.add(RouteEntry(RoutePattern(parsing: "/item/7"), owner: "a", id: 1, priority: 9))
    try builder.add(RouteEntry(RoutePattern(parsing: "/:"), owner: "a", id: 2))
    let item = try RouteRequest(parsing: "shop://item/7")
    let other = try RouteRequest(parsing: "shop://other")
    #expect(builder.build().matches(item).map(\.id) == [0, 1])
    #expect(builder.build().firstMatch(other)?.id == 2)
    #expect(try builder.build().matches(RouteRequest(parsing: "/item/7")).map(\.id) == [1])
    #expect(try builder.build().firstMatch(RouteRequest(parsing: "SHOP://item/8"))?.id == 0)
    builder.closedSchemes = ["shop"]
    #expect(builder.build().matches(item).map(\.id) == [0])
    #expect(builder.build().firstMatch(other) == nil)
  }

  @Test func `a closed scheme without routes of its own is closed, too`() throws {
    var builder = RouteTableBuilder()
    try builder.add(RouteEntry(RoutePattern(parsing: "/*"), owner: "a", id: 1))
    let request = try RouteRequest(parsing: "shop://item")
    #expect(builder.build().firstMatch(request)?.id == 1)
    builder.closedSchemes = ["shop"]
    #expect(builder.build().firstMatch(request) == nil)
    #expect(builder.build().matches(request).map(\.id) == [])
    #expect(builder.build().explain(request).winner == nil)
  }

  @Test func `a builder takes no more than its trie can number`() throws {
    let text = String(repeating: "(/a)", count: 6) + String(repeating: "/a", count: 26)
    let pattern = try RoutePattern(parsing: Text(text))
    var builder = RouteTableBuilder()
    let countMax = RouteTableBuilder.componentCountMax / (64 * 32)
    for id in 0..<countMax { try builder.add(RouteEntry(pattern, owner: "a", id: id)) }
    #expect(throws: RouteTableBuilder.Full.components(max: 1 << 24)) {
      try builder.add(RouteEntry(pattern, owner: "b", id: 0))
    }
    #expect(builder.routes.count == countMax)
  }

  @Test func `asking beyond the last match goes on answering nil`() throws {
    var matches = try table("/a", "/:x").matches(RouteRequest(parsing: "/a"))
    let copy = matches
    #expect(matches.next()?.id == 0)
    #expect(matches.next()?.id == 1)
    #expect(matches.next() == nil)
    #expect(matches.next() == nil)
    #expect(copy.map(\.id) == [0, 1])
    #expect(Array(try RouteTable().matches(RouteRequest(parsing: "/"))).isEmpty)
  }

  @Test func `a thousand literals that look alike are told apart`() throws {
    var builder = RouteTableBuilder()
    for id in 0..<1000 {
      let text = Text("/section/" + String(repeating: "long-prefix-", count: 3) + "\(id)")
      try builder.add(RouteEntry(RoutePattern(parsing: text), owner: "a", id: id))
    }
    let table = builder.build()
    for id in 0..<1000 {
      let url = Text("/section/" + String(repeating: "long-prefix-", count: 3) + "\(id)")
      #expect(try table.firstMatch(RouteRequest(parsing: url))?.id == id)
    }
    #expect(try table.firstMatch(RouteRequest(parsing: "/section/long-prefix-")) == nil)
    #expect(table.byteCount < 300_000)
  }

  @Test(arguments: Array(1...8) as [UInt64])
  func `a bare path finds what its request finds`(seed: UInt64) throws {
    var random = RandomRoutes(seed: seed)
    var builder = RouteTableBuilder()
    for id in 0..<60 {
      let entry = random.entry(id: id)
      try builder.add(
        RouteEntry(RoutePattern(parsing: Text(entry.text)), owner: Text(entry.owner), id: id))
    }
    let table = builder.build()
    var scan = PathScan()
    for _ in 0..<200 {
      let path = "/" + random.path().joined(separator: random.random.pick(["/", "//"]))
      let request = try RouteRequest(parsing: Text(path))
      let full = table.firstMatch(request)
      let bytes = Array(path.utf8)
      bytes.withUnsafeBufferPointer { buffer in
        let match = table.firstMatch(path: buffer, &scan)
        #expect(match.map { table.id(of: $0) } == full?.id, "seed \(seed), \(path)")
        for index in 0..<(match.map { table.captureCount(of: $0) } ?? 0) {
          guard let match, let full else { continue }
          let capture = table.capture(index, of: match)
          let text = String(decoding: buffer[scan.range(of: capture)], as: UTF8.self)
          if let value = full.pathParameters[.string(capture.name)] {
            #expect(text.contains(value.stringValue ?? value.canonicalText), "\(path)")
          } else {
            #expect(capture.name == "wildcard" && full.wildcard != nil, "\(path)")
          }
        }
      }
    }
  }
}
