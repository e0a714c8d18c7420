import Moonwire
import Testing

/// Lines of a file are found fast, however many lines and searches there are.
@Suite(.serialized, .timeLimit(.minutes(2))) struct SourceIndexTests {
  static let long = String(repeating: "x\n", count: 200_000)

  @Test func `each of very many routes in a long file is found where it is quoted`() async throws {
    let bench = try await Bench([
      "m.lua": """
      local handlers = {
        ["/first"] = function() end,
      }
      for i = 1, 5000 do handlers["/r" .. i] = function() end end
      return { handlers = handlers, routes = { ['/last'] = function() return {} end } }
      --[[
      \(Self.long)
      ]]
      """
    ])
    let info = try #require(try await bench.info("m"))
    #expect(info.problems.isEmpty)
    let lines = await bench.host.routeInfos().map { "\($0.pattern):\($0.place?.line ?? 0)" }
    #expect(lines.contains("/first:2") && lines.contains("/last:5") && lines.contains("/r9:4"))
  }

  @Test func `a key of any length is a problem told soon`() async throws {
    let bench = try await Bench([
      "many.lua": "return {\n  [('a.'):rep(100000)] = 1,\n} --"
        + String(repeating: "a=1", count: 200_000),
      "long.lua": "return {\n  [('a'):rep(500000)] = 1,\n} --"
        + String(repeating: "a", count: 800_000),
      "pairs.lua": """
      local t = {}
      for i = 1, 1000 do t["some.key." .. i] = 1 end
      return t
      --[[
      \(Self.long)
      ]]
      """,
    ])
    for name in ["many", "long", "pairs"] {
      let info = try #require(try await bench.info(name))
      #expect(info.status == .failed)
    }
    #expect(try #require(try await bench.info("pairs")).problems.count == 100)
  }

  @Test(arguments: [
    ("return {\n\n  ['stat'] = 1 }", 3), ("return {\n  [\"stat\"]=1 }", 2),
    ("local s\nif s == stat then end\nreturn {\n  stat = 1 }", 4),
    ("local stat2 = 1\nlocal xstat = 2\nreturn { a = 1,stat\t=1 }", 3),
    ("local k = 'st' .. 'at'\nreturn { [k] = 1 }", 0),
    ("local t = {}\nt.stat = 1\nreturn {\n  stat = t.stat }", 4),
  ])
  func `the line of a key is that of its assignment`(text: String, line: Int) async throws {
    let bench = try await Bench(["m.lua": text])
    let problems = try #require(try await bench.info("m")).problems
    let found = problems.first { $0.reason == .unknownKey("stat", nearest: "state") }
    #expect(found?.place.line == line)
  }
}
