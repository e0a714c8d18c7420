import Foundation
import MoonTestSupport
import Moonwire
import Testing

@testable import MoonPrompt

/// Grants that a person keeps, and the question at a terminal that leads to them.
@Suite(.ownThread) struct GrantsFileTests {
  private static let module = """
    return {
      needs = { "env:HOME", "storage" },
      state = { n = 0 },
      reducers = { add = function(s) s.n = s.n + 1 end },
    }
    """

  @Test func `grants in the file count for their directory and module`() throws {
    let folder = try ScriptFolder(["m.lua": Self.module])
    let home = try TemporaryFolder()
    let file = home.path + "/grants.json"
    func run(_ text: String, _ options: [String] = []) throws -> Program.Result {
      try text.write(toFile: file, atomically: true, encoding: .utf8)
      return try Program.run(
        ["run", folder.root, "--dispatch", "m/add"] + options,
        environment: ["MOONWIRE_GRANTS": file])
    }
    let root = try #require(realpath(folder.root, nil).map { String(cString: $0) })
    for grants in [
      #"{"m": {"allow": ["env:*", "storage"]}}"#, #"{"*": {"allow": ["env:HOME", "storage"]}}"#,
      #"{"*": {"allow": ["storage"]}, "m": {"allow": ["env:HOME"]}}"#,
    ] {
      #expect(try run("{\"\(root)\": \(grants)}").output == "m.n  0 → 1\n")
    }
    for text in [
      "{}", "{\"/elsewhere\": {\"*\": {\"allow\": [\"env:HOME\", \"storage\"]}}}",
      "{\"\(root)\": {\"*\": {\"allow\": [\"env:*\", \"storage\"], \"deny\": [\"storage\"]}}}",
      "{\"\(root)\": {\"other\": {\"allow\": [\"env:*\", \"storage\"]}}}",
    ] {
      #expect(try run(text).errors.contains("module m needs"), "\(text)")
    }
    for (text, problem) in [
      ("{", "it isn't JSON"), ("[]", "must hold a table"),
      ("{\"\(root)\": 7}", "must hold a table"),
      ("{\"\(root)\": {\"a b\": {}}}", "can't be a module's name"),
      ("{\"\(root)\": {\"m\": {\"alow\": []}}}", "there is no 'alow'"),
      ("{\"\(root)\": {\"m\": {\"allow\": \"storage\"}}}", "must be a list of scopes"),
      ("{\"\(root)\": {\"m\": {\"allow\": [\"strage\"]}}}", "did you mean 'storage'?"),
    ] {
      let errors = try run(text).errors
      #expect(errors.contains("nothing is granted") && errors.contains(problem), "\(errors)")
      // What it denies isn't known.
      #expect(try run(text, ["--allow-all"]).errors.contains("module m needs"), "\(text)")
    }
  }

  @Test func `no module may write the file, nor what a link in its place leads to`() throws {
    let home = try TemporaryFolder()
    let root = try #require(realpath(home.path, nil).map { String(cString: $0) })
    try "{}".write(toFile: root + "/real.json", atomically: true, encoding: .utf8)
    try FileManager.default.createSymbolicLink(
      atPath: root + "/grants.json", withDestinationPath: "real.json")
    let file = try #require(GrantsFile(["MOONWIRE_GRANTS": home.path + "/grants.json"]))
    var grants = Grants()
    grants.allowed = [Grants.Rule(try Scope(parsing: "write:*"))]
    grants.denied = file.denials
    let module = try #require(ModuleName("m"))
    for (name, isGranted) in [("grants.json", false), ("real.json", false), ("more.json", true)] {
      let answer = grants.answer(to: Scope(.write, path: "\(root)/\(name)"), of: module)
      #expect((answer == .granted) == isGranted, "\(name)")
    }
  }

  @Test func `a directory is the same however its path is written`() throws {
    let folder = try ScriptFolder(["m.lua": Self.module])
    let home = try TemporaryFolder()
    let file = home.path + "/grants.json"
    let root = try #require(realpath(folder.root, nil).map { String(cString: $0) })
    let link = home.path + "/link"
    try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: root)
    let spellings = [
      root, root + "/", root + "/.", root + "/../" + URL(filePath: root).lastPathComponent, link,
      link + "/",
    ]
    for kept in spellings {
      try "{\"\(kept)\": {\"*\": {\"allow\": [\"env:HOME\", \"storage\"]}}}".write(
        toFile: file, atomically: true, encoding: .utf8)
      for given in [root, link, root + "/./"] {
        let result = try Program.run(
          ["run", given, "--dispatch", "m/add"], environment: ["MOONWIRE_GRANTS": file])
        #expect(result.output == "m.n  0 → 1\n", "\(kept) \(given)")
      }
    }
  }

  @Test func `advice about a denial names where it is`() throws {
    let folder = try ScriptFolder(["m.lua": Self.module])
    let home = try TemporaryFolder()
    let file = home.path + "/grants.json"
    let root = try #require(realpath(folder.root, nil).map { String(cString: $0) })
    try "{\"\(root)\": {\"m\": {\"deny\": [\"storage\"]}}}".write(
      toFile: file, atomically: true, encoding: .utf8)
    func errors(_ options: [String]) throws -> String {
      try Program.run(
        ["check", folder.root, "--allow-all"] + options, environment: ["MOONWIRE_GRANTS": file]
      ).errors
    }
    let kept = try errors([])
    #expect(kept.contains("\(file) has it under deny, for this directory"), "\(kept)")
    #expect(!kept.contains("--deny"))
    let both = try errors(["--deny", "m=storage"])
    #expect(both.contains("leave out --deny m=storage"), "\(both)")
  }

  @Test(.enabled(if: TerminalScreen.isAvailable, "tmux isn't installed: apt-get install tmux"))
  func `what a module can do without is asked for with what it needs`() throws {
    let folder = try ScriptFolder([
      "m.lua": """
      local moon = require "moonwire"
      return { needs = { ["storage"] = "to keep it", moon.optional("env:HOME", "to greet") } }
      """
    ])
    let home = try TemporaryFolder()
    let screen = try TerminalScreen(
      running: [Program.executable.path, "run", folder.root],
      environment: [
        "MOONWIRE_HISTORY": "", "NO_COLOR": "1", "EDITRC": "/dev/null",
        "XDG_CONFIG_HOME": home.path + "/config",
      ])
    try screen.wait(
      forEnd: """
          1  m.lua:2: module m needs storage to keep it
          2  module m can use env:HOME to greet (optional)
        Grant all? [y/n/always, or o for one by one]
        """)
    try screen.enter("y")
    try screen.wait(forEnd: "app>")
    try screen.enter(":grants")
    try screen.wait(
      forEnd: "m  env:HOME  granted, to greet (optional)\napp>")
  }

  @Test(.enabled(if: TerminalScreen.isAvailable, "tmux isn't installed: apt-get install tmux"))
  func `at a terminal, each scope is asked for once, and 'always' is kept`() throws {
    let folder = try ScriptFolder(["m.lua": Self.module])
    let home = try TemporaryFolder()
    let file = home.path + "/config/moonwire/grants.json"
    let environment = [
      "MOONWIRE_HISTORY": "", "NO_COLOR": "1", "EDITRC": "/dev/null",
      "XDG_CONFIG_HOME": home.path + "/config",
    ]
    func screen() throws -> TerminalScreen {
      try TerminalScreen(
        running: [Program.executable.path, "run", folder.root], environment: environment)
    }
    let first = try screen()
    try first.wait(forEnd: "Grant all? [y/n/always, or o for one by one]")
    try first.enter("o")
    try first.wait(
      forEnd: "m.lua:2: module m needs env:HOME. Grant it? [y/n/always]")
    try first.enter("always")
    try first.wait(forEnd: "m.lua:2: module m needs storage. Grant it? [y/n/always]")
    try first.enter("y")
    try first.wait(forEnd: "app>")
    try first.enter("m/add")
    try first.wait(forEnd: "m.n  0 → 1\napp>")
    let kept = try String(contentsOfFile: file, encoding: .utf8)
    #expect(kept.contains(#"{"m":{"allow":["env:HOME"]}}"#))

    let second = try screen()
    try second.wait(forEnd: "m.lua:2: module m needs storage. Grant it? [y/n/always]")
    // A line that is no answer isn't swallowed.
    try second.enter("= 1")
    try second.wait(forEnd: "1\napp!>")
    try second.enter(":reload m")
    try second.wait(forEnd: "m.lua:2: module m needs storage. Grant it? [y/n/always]")
    try second.enter("n")
    try second.enter(":grant m")
    try second.wait(forEnd: "app>")
    try second.enter("m/add")
    try second.wait(forEnd: "m.n  0 → 1\napp>")
  }
}
