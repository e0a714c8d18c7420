import MoonTestSupport
import Moonwire
import Testing

@Suite(.timeLimit(.minutes(2))) struct ModuleLoaderTests {
  @Test func `modules are files and folders at the top, and nothing deeper`() async throws {
    let bench = try await Bench([
      "a.lua": "return {}", "b/init.lua": "return {}", "b/part.lua": "return 5",
      "c/d/init.lua": "return 5", "lib/init.lua": "return 5", "lib/e.lua": "return 5",
      "note.txt": "", ".hidden.lua": "return 5", "f.lua~": "", "#g.lua#": "",
    ])
    #expect(await bench.host.moduleInfos().map(\.name.text) == ["a", "b"])
    #expect(await bench.host.strayProblems() == [])
  }

  @Test(arguments: ["1st", "a-b", "a.b", "host", "_x", "é", String(repeating: "a", count: 65)])
  func `an invalid module name is reported`(name: String) async throws {
    let bench = try await Bench(["\(name).lua": "return {}", "good.lua": "return {}"])
    let problem = try #require(await bench.host.strayProblems().first)
    #expect(await bench.host.strayProblems().count == 1)
    #expect(problem.module == nil)
    #expect(problem.place == SourcePlace(file: "\(name).lua"))
    #expect(problem.reason == .invalidName(name))
    #expect(await bench.host.moduleInfos().map(\.name.text) == ["good"])
    #expect(
      try await bench.events.upTo("failed").last == "failed - running none: \(problem.summary)")
  }

  @Test func `two files of one name are a clash, and neither is taken`() async throws {
    let bench = try await Bench([
      "a.lua": "return {}", "a/init.lua": "return {}", "good.lua": "return {}",
    ])
    #expect(
      try await bench.events.upTo("failed").last
        == "failed a running none: a.lua nameTaken(others: [\"a/init.lua\"])")
    let infos = await bench.host.moduleInfos()
    #expect(infos.map { "\($0.name) \($0.status)" } == ["a failed", "good running"])
  }

  @Test func `what can't be listed or read is told and the rest goes on`() async throws {
    let folder = try ScriptFolder([
      "good.lua": "return {}", "big.lua": String(repeating: " ", count: 1_100_000),
    ])
    try folder.makeLink("dangling.lua", to: "nowhere.lua")
    try folder.makeLink("out.lua", to: "../outside.lua")
    try folder.save("../outside.lua", "return {}")
    let bench = try await Bench(in: folder)
    let infos = await bench.host.moduleInfos()
    #expect(
      infos.map { "\($0.name) \($0.status)" } == [
        "big failed", "dangling failed", "good running", "out failed",
      ])
    #expect(
      infos.compactMap(\.problems.first).map { problem in
        switch problem.reason {
        case .skipped(.tooLarge): "\(problem.place) too large"
        case .skipped(.danglingLink(let target)): "\(problem.place) without \(target)"
        case .skipped(.leavesRoot): "\(problem.place) leaves the root"
        default: problem.summary
        }
      } == ["big.lua too large", "dangling.lua without nowhere.lua", "out.lua leaves the root"])
  }

  @Test(arguments: [
    ("return {\n  x = = 5\n}", 2, "syntax(\"unexpected symbol near '='\")"),
    ("return {\n  x = 5", 2, "syntax(\"'}' expected (to close '{' at line 1) near <eof>\")"),
    ("local t = nil\nlocal x = t.x", 2, "raised(\"attempt to index a nil value (local 't')\")"),
    ("error('my own words')", 1, "raised(\"my own words\")"),
    ("error { code = 5 }", 1, "raised("),
    ("error()", 1, "raised("),
    (
      "local m = require 'moonwire'\nm.module(5)", 2,
      "raised(\"moon.module takes a table of registrations, not a number\")"
    ),
    (
      "undefined_function()", 1,
      "raised(\"attempt to call a nil value (global 'undefined_function')\")"
    ),
    ("\u{1B}Lua", 0, ""),
  ])
  func `an error at load is told with its line and lines around it`(
    text: String, line: Int, reason: String
  ) async throws {
    let bench = try await Bench(["m.lua": text, "good.lua": "return {}"])
    let problem = try #require(try await bench.info("m")?.problems.first)
    guard case .fault(let fault) = problem.reason else {
      Issue.record("\(problem)")
      return
    }
    #expect(problem.place == SourcePlace(file: "m.lua", line: line))
    #expect(fault.reason.summary.hasPrefix(reason), "\(fault.reason.summary)")
    #expect(fault.module == "m")
    if line > 0 { #expect(fault.excerpt?.line == line) }
    #expect(try await bench.info("good")?.status == .running)
  }

  @Test func `an empty directory is a host without modules`() async throws {
    let bench = try await Bench()
    #expect(await bench.host.moduleInfos().isEmpty)
    #expect(try await bench.state() == .map(Map()))
    #expect(await bench.failure(of: "a/b") == .unknownType("a/b", nearest: nil))
  }

  @Test func `a directory that isn't there is an error`() async throws {
    let folder = try ScriptFolder()
    let host = try Host(directory: folder.path("nothing"), options: Bench.quiet)
    await #expect(throws: FilesError.rootMissing(path: folder.path("nothing"))) {
      try await host.load()
    }
  }

  @Test func `a host without a directory has the modules that it is given`() async throws {
    let host = try Host(directory: nil, options: Bench.quiet)
    try await host.load()
    try await host.watch()
    try await host.add(try Thermostat.module())
    let session = await host.openSession()
    try await host.dispatch(Action("thermostat/heat"), to: session)
    #expect(await host.state(of: session)?["thermostat"]?["isHeating"] == true)
    #expect(await host.reload().isEmpty)
  }

  @Test func `a file with a byte order mark and a first line for the shell is read`() async throws {
    let bench = try await Bench(["a.lua": "\u{FEFF}return { state = { n = 1 } }"])
    #expect(try await bench.state("a.n") == 1)
  }

  @Test func `loading can't look at the state or dispatch`() async throws {
    let bench = try await Bench([
      "a.lua": "return { on_start = function(self) kept = self; kept.state('a') end }",
      "b.lua": "return { state = { n = 1 } }",
    ])
    #expect(await bench.host.moduleInfos().map(\.status) == [.running, .running])
  }

  @Test func `a thousand modules are loaded`() async throws {
    var files: [String: String] = [:]
    for number in 1000..<2000 {
      files["m\(number).lua"] = """
        return {
          state = { n = \(number) },
          reducers = { go = function(s) s.n = s.n + 1 end },
        }
        """
    }
    let bench = try await Bench(files)
    #expect(await bench.host.moduleInfos().count { $0.status == .running } == 1000)
    try await bench.dispatch("m1999/go")
    #expect(try await bench.state("m1999.n") == 2000)
    #expect(try await bench.state()?.mapValue?.count == 1000)
  }
}
