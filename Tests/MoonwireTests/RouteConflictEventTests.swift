import MoonTestSupport
import Moonwire
import Testing

/// Conflicts between routes are reported once.
@Suite(.timeLimit(.minutes(2))) struct RouteConflictEventTests {
  private static func module(_ patterns: String..., lines: Int = 0) -> String {
    let routes = patterns.map { "[\"\($0)\"] = function() return {} end," }.joined(separator: "\n")
    return String(repeating: "\n", count: lines) + "return { routes = {\n\(routes)\n} }"
  }

  @Test func `a load and the reload that brings a conflict tell it, and no other`() async throws {
    let bench = try await Bench([
      "a.lua": Self.module("/x/:name"), "b.lua": Self.module("/x/:id"),
    ])
    #expect(
      try await bench.events.upTo("1 conflicts") == ["started a 1", "started b 1", "1 conflicts"])
    // The conflict only moves within its file, and another is added.
    try bench.folder.save("b.lua", Self.module("/x/:id", lines: 3))
    await bench.host.reload()
    try bench.folder.save("b.lua", Self.module("/x/:id", "/x(/:id)/more", "/x/new/*"))
    let again = await bench.host.reload()
    #expect(again.map(\.summary).contains { $0.hasSuffix("conflicts") } == false)
    try bench.folder.save("b.lua", Self.module("/x/:id", "/x/:other"))
    let more = await bench.host.reload()
    guard case .conflicts(let conflicts) = more.last else {
      Issue.record("no conflicts in \(more.map(\.summary))")
      return
    }
    #expect(conflicts.map(\.later.pattern.text) == ["/x/:other"])
    #expect(conflicts.map(\.earlier.owner) == ["a"])
    #expect(conflicts.map(\.kind) == [.equal])
  }

  @Test func `a conflict that went and came back is told again`() async throws {
    let bench = try await Bench(["a.lua": Self.module("/x", "/y")])
    let name = try #require(ModuleName("a"))
    for (text, count) in [
      (Self.module("/x", "/x/"), 1), (Self.module("/x"), 0), (Self.module("/x", "/x/"), 1),
    ] {
      try bench.folder.save("a.lua", text)
      let events = await bench.host.reload(name)
      let told = events.reduce(0) { sum, event in
        if case .conflicts(let conflicts) = event { sum + conflicts.count } else { sum }
      }
      #expect(told == count)
    }
  }
}
