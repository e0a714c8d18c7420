import MoonTestSupport
import Testing

/// `--follow-links`, and what `check` reports about files that are left out.
@Suite(.ownThread) struct FollowLinksTests {
  private let folder: ScriptFolder

  init() throws {
    folder = try ScriptFolder()
    try folder.save("../checkout/counter.lua", ScriptFolder.counter)
    try folder.save("../elsewhere/other.lua")
    try folder.makeLink("counter.lua", to: "../checkout/counter.lua")
  }

  private var allowed: [String] { ["--follow-links", folder.path("../checkout")] }

  @Test func `a module behind a link runs if its directory is named`() throws {
    let refused = try Program.run(["run", folder.root], input: "counter/add\n")
    #expect(refused.code == 65)
    #expect(refused.errors.contains("it leads out of the script directory, to "))
    #expect(refused.errors.contains("--follow-links DIR"))
    let run = try Program.run(["run", folder.root] + allowed, input: "counter/add\n")
    #expect(run.output == "counter.count  0 → 1\n")
    #expect(run.errors == "")
    #expect(run.code == 0)
  }

  @Test(arguments: [["check"], ["routes"]])
  func `it is looked at in the same way`(command: [String]) throws {
    let good = try Program.run(command + [folder.root] + allowed)
    #expect(good.errors == "")
    #expect(good.code == 0)
    try folder.makeLink("other.lua", to: "../elsewhere/other.lua")
    let bad = try Program.run(command + [folder.root] + allowed)
    #expect(bad.errors.contains("other.lua can't be used"))
    #expect(!bad.errors.contains("counter.lua"))
  }

  @Test(arguments: ["../none", "../checkout/counter.lua"])
  func `a directory that isn't there is named`(path: String) throws {
    let named = folder.path(path)
    let run = try Program.run(["run", folder.root, "--follow-links", named], input: "")
    #expect(run.code == 64)
    #expect(run.output == "")
    #expect(run.errors.contains("--follow-links '\(named)': there is no such directory"))
  }

  @Test func `files that only look like scripts are noted, and are no problem`() throws {
    try folder.save(".hidden.lua")
    try folder.save("x.LUA")
    let check = try Program.run(["check", folder.root] + allowed)
    #expect(
      check.errors == """
        note: .hidden.lua isn't loaded: names that begin with a dot are passed over [not_a_script]
          help         give it another name if it is a script
        note: x.LUA isn't loaded: a script's name ends with .lua in small letters [not_a_script]
          help         rename it if it is a script

        """)
    #expect(check.output == "1 module, no problems, 2 notes\n")
    #expect(check.code == 0)
    let json = try Program.run(["check", "--json", folder.root] + allowed)
    #expect(json.output.contains(#""message":".hidden.lua isn't loaded: "#))
    #expect(json.code == 0)
  }

  @Test func `of many such files the first are named`() throws {
    for number in 10..<35 { try folder.save("x\(number).LUA") }
    let check = try Program.run(["check", folder.root] + allowed)
    #expect(check.errors.contains("x29.LUA"))
    #expect(!check.errors.contains("x30.LUA"))
    #expect(check.errors.hasSuffix("note: 5 files more like that\n"))
  }
}
