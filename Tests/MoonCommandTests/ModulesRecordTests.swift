import MoonTestSupport
import Moonwire
import Testing

/// The usage of modules in the records of `:modules`.
@Suite(.ownThread) struct ModulesRecordTests {
  @Test func `programs get the numbers`() throws {
    let folder = try ScriptFolder([
      "counter.lua": ScriptFolder.counter, "m.lua": "return { reducers = { go = error } }",
    ])
    let result = try Program.run(
      ["run", folder.root, "--json", "--keep-going"],
      input: "counter/add\nm/go\nm/go\n:modules\n")
    let line = try #require(result.lines.last)
    let parsed = try Value(parsing: line)
    let modules = try #require(parsed.mapValue?["modules"]?.listValue)
    let counter = try #require(modules[0].mapValue)
    #expect(counter["calls"] == 2)
    #expect(counter["faults"] == nil)
    for key in ["memory", "memory_peak", "time_us"] {
      #expect(try #require(counter[Key.string(Text(key))]?.intValue) > 0, "\(key)")
    }
    #expect(modules[1].mapValue?["faults"] == 2)
    #expect(modules[1].mapValue?["recent_faults"] == 2)
  }
}
