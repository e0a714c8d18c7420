import MoonTestSupport
import Moonwire
import Testing

/// What becomes of actions, commands and URLs of modules that aren't in service.
struct ModuleAbsenceTests {
  private static let files = [
    "bad.lua": "return {\n  reducers = { go = 3 } }",
    "need.lua": "return { needs = { 'storage' }, reducers = { go = function() end } }",
    "good.lua": """
    return { routes = { ["/card/:id<int>"] = function() return {} end,
      ["/cards(/by/:who)"] = function() return {} end, ["/file/*"] = function() return {} end } }
    """,
  ]

  @Test(arguments: [
    ("bad/go", #"module bad isn't in service: reducers["go"] of module bad is a number"#),
    ("bad/other", "(bad.lua:2)"),
    ("need/go", "module need isn't in service: it needs storage, which isn't granted"),
    ("nix/go", "no module knows the action nix/go"),
  ])
  func `an action says why its module isn't in service`(
    type: String, message: String
  ) async throws {
    let bench = try await Bench(Self.files)
    let error = await bench.failure(of: type)
    #expect(error?.description.contains(message) == true, "\(error as Any)")
  }

  @Test func `a command says so, too, and a mended module is known again`() async throws {
    let bench = try await Bench(Self.files)
    let error = await #expect(throws: CommandError.self) {
      try await bench.host.call("bad/ask", in: bench.session)
    }
    #expect(error?.description.hasPrefix("module bad isn't in service: ") == true)
    try bench.folder.save("bad.lua", "return { reducers = { go = function() end } }")
    try await bench.host.load()
    try await bench.dispatch("bad/go")
    #expect(await bench.failure(of: "bad/other") == .unknownType("bad/other", nearest: nil))
  }

  @Test(
    arguments: [
      ("/crad/1", "/card/"), ("/crads/by/me", "/cards("), ("/crads", "/cards("),
      ("/fiel/a/b", "/file/*"), ("/something", nil),
    ] as [(Text, String?)])
  func `a misspelt URL gets the pattern that it may mean`(
    url: Text, pattern: String?
  ) async throws {
    let bench = try await Bench(Self.files)
    let reason = await bench.routingError(of: url)?.reason
    guard case .noRoute(let nearest)? = reason else {
      Issue.record("\(reason as Any)")
      return
    }
    #expect(pattern.map { nearest?.string.hasPrefix($0) == true } ?? (nearest == nil))
  }
}
