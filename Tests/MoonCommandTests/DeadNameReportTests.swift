import MoonTestSupport
import Testing

/// Warnings about names, as people see them.
@Suite(.ownThread) struct DeadNameReportTests {
  @Test func `a check and a run warn of names, and all goes on`() throws {
    let folder = try ScriptFolder([
      "counter.lua": ScriptFolder.counter,
      "m.lua": "return { state = {}, reducers = {\n  ['counter/ad'] = function() end } }",
    ])
    let warning = """
      warning: reducer counter/ad of module m may never be called: no module has an action counter/ad
        m.lua:2
        help         did you mean counter/add?

      """
    let check = try Program.run(["check", folder.root])
    #expect(check.code == 0)
    #expect(check.errors == warning.replacing("ad\n", with: "ad [never_called]\n"))
    #expect(check.output == "2 modules, no problems, 1 warning\n")
    let run = try Program.run(["run", folder.root], input: "counter/add\n")
    #expect(run.code == 0 && run.errors == warning)
    #expect(run.output == "counter.count  0 → 1\n")
    let json = try Program.run(["check", "--json", folder.root])
    #expect(json.output.contains("reducer counter/ad of module m may never be called"))
    try folder.save(
      "m.lua", "return { -- moonwire: allow counter/ad\n reducers = { ['counter/ad'] = print } }")
    #expect(try Program.run(["check", folder.root]).errors == "")
  }
}
