import Moonwire
import Testing

/// The table that a reducer returns is the new slice; one that looks like an action is an error.
struct ReturnedActionTests {
  private static func module(_ state: String, _ body: String) -> String {
    """
    return { \(state) actions = { go = "Goes" }, reducers = {
      go = function(s) \(body) end,
    } }
    """
  }

  @Test(arguments: [
    ("state = { n = 0 },", "return { type = 'm/other', payload = {} }"),
    ("state = { n = 0 },", "return { type = 'm/other' }"),
    ("state = { n = 0 },", "return require('moonwire').nav.push('/x')"),
    ("state = { n = 0 },", "return { { type = 'm/a' }, { type = 'm/b' } }"),
    ("", "return { type = 'm/other' }"),
  ])
  func `one that returns an action is told how to dispatch`(
    state: String, body: String
  ) async throws {
    let bench = try await Bench(["m.lua": Self.module(state, body)])
    let before = await bench.canonicalState()
    guard case .fault(let fault) = await bench.failure(of: "m/go") else {
      Issue.record("an action became the slice")
      return
    }
    #expect(
      fault.description.hasSuffix(
        "this is an action: it isn't dispatched; call self.dispatch where there is a self, as in "
          + "`observe`"))
    #expect(fault.place?.description == "m.lua:2")
    #expect(await bench.canonicalState() == before)
  }

  @Test(arguments: ["return { n = 1 }", "return {}", "return { 1, 2 }"])
  func `a table is an error where there is no slice`(body: String) async throws {
    let bench = try await Bench(["m.lua": Self.module("", body)])
    guard case .fault(let fault) = await bench.failure(of: "m/go") else {
      Issue.record("a table became the slice")
      return
    }
    #expect(fault.description.contains("module m has none: give it `state`"), "\(fault)")
    #expect(try await bench.state("m") == nil)
  }

  @Test(arguments: [
    ("state = { type = 'a' },", "return { type = 'b' }", #"{"type":"b"}"#),
    ("state = { n = 0 },", "return { n = 1, type = 'b' }", #"{"n":1,"type":"b"}"#),
    ("state = { n = 0 },", "return { type = 5 }", #"{"type":5}"#),
    ("state = { n = 0 },", "return { { type = 'a', n = 1 } }", #"[{"n":1,"type":"a"}]"#),
    ("state = { { type = 'a' } },", "return { { type = 'b' } }", #"[{"type":"b"}]"#),
    ("state = { n = 0 },", "s.type = 'b' s.n = nil return s", #"{"type":"b"}"#),
    ("", "s.n = 1", #"{"n":1}"#), ("", "s.n = 2 return s", #"{"n":2}"#),
  ])
  func `what isn't an action is the new slice`(
    state: String, body: String, slice: String
  ) async throws {
    let bench = try await Bench(["m.lua": Self.module(state, body)])
    try await bench.dispatch("m/go")
    #expect(try await bench.state("m")?.canonicalText == slice)
  }
}
