import FoundationEssentials
import MoonPrompt
import MoonServices
import MoonTestSupport
import Moonwire
import Testing

@testable import MoonAuthoring

/// What a check finds in the text of scripts, and how it is written.
@Suite(.ownThread, .timeLimit(.minutes(2))) struct LintTests {
  /// Returns the lines of what a check finds.
  private static func lines(_ files: [String: String]) async throws -> [String] {
    try await findings(files).all.map(\.line)
  }

  private static func findings(_ files: [String: String]) async throws -> CheckFindings {
    let folder = try ScriptFolder(files)
    let host = try Moonwire.Host(directory: folder.root)
    try await host.load()
    return await CheckFindings(
      of: host, in: folder.root, followingLinksInto: [],
      ConfiguredSettings(set: [:], file: nil, environment: [:]))
  }

  /// Code, and the locals that a check names, each with its line and column; `~` begins those that
  /// hide another.
  static let locals: [(code: String, found: [String])] = [
    ("local x = 1", ["x 1:7"]), ("local x = 1 x = 2", ["x 1:7"]), ("local x = 1 print(x)", []),
    ("local x = 1 x.y = 2", []), ("local _x, y = 1, 2 return y", []),
    ("local f <close> = nil", []), ("local x <const>, y = 1, 2 return y", ["x 1:7"]),
    ("local function f() return f end", []), ("local function f() end", ["f 1:16"]),
    ("for i, v in pairs {} do end", []), ("local function g(a, b) end return g", []),
    // The new local isn't there in its own value.
    ("local x = x", ["x 1:7"]), ("local x = 1 local x = x + 1 return x", []),
    ("local t = { x = 1 } local x = 2 return t.x", ["x 1:27"]),
    ("local x, y = 1, 2 x, y = y, 1", ["x 1:7"]),
    ("local a = function() local b = 1 return b end return a", []),
    ("do local x = 1 end local x = 2 return x", ["x 1:10"]),
    ("local s = 'x' return ('local y'):rep(2) --[[ s ]]", ["s 1:7"]),
    ("repeat local done = f() until done", []), ("if a then local b = 1 else b() end", ["b 1:17"]),
    ("while a do local b = 1 end b()", ["b 1:18"]), ("local x = 1; goto x; ::x::", ["x 1:7"]),
    ("function m:f() return self end local self = 1 return self", []),
    ("local x = 1\ndo\n  local x = 2 print(x)\nend print(x)", ["~x 3:9 1"]),
    ("local x = 1 print(x) local x = 2 print(x)", ["~x 1:28 1"]),
    ("local x return function(x) return x end", ["x 1:7", "~x 1:25 1"]),
    ("local i for i = 1, i do print(i) end", ["~i 1:13 1"]),
    ("local x return function(self, _) return function(self, _) return x, self end end", []),
    ("--[[ é ]] local x", ["x 1:17"]), ("", []), ("local", []), ("end until ) } local x = (", []),
  ]

  @Test(arguments: locals)
  func `locals that no code reads and those that hide others are named`(
    code: String, found: [String]
  ) {
    let remarks = SourceRemarks(Array(code.utf8)).locals.map { local in
      let place = "\(local.name) \(local.line):\(local.column ?? 0)"
      if case .hiding(let line) = local.reason { return "~\(place) \(line)" }
      return place
    }
    #expect(remarks == found)
  }

  @Test func `findings are lines that editors read, in order of severity and place`() async throws {
    let lines = try await Self.lines([
      "a.lua": "local x = 1\nreturn { reducer = {}, state = {} }\n",
      "b.lua": "\nlocal u = 1\n  count = prnt\nreturn { state = {} }\n",
      "c.lua": "local x = = 1\n", "lib/l.lua": "local a = 1\nreturn function(a) return a end\n",
    ])
    #expect(
      lines == [
        "a.lua:2: error: module a has a key that nothing knows: reducer: did you mean reducers?"
          + " [unknown_key]",
        "c.lua:1: error: module c has a syntax error: unexpected symbol near '=' [syntax]",
        "a.lua:1:7: warning: local x is never read [unused_local]",
        "b.lua:2:7: warning: local u is never read [unused_local]",
        "b.lua:3:3: warning: module b assigns a global: count [assigned_global]",
        "b.lua:3:11: warning: module b uses a global that nothing assigns: prnt: did you mean"
          + " print? [undefined_global]",
        "lib/l.lua:1:7: warning: local a is never read [unused_local]",
        "lib/l.lua:2:17: note: a hides the local of that name in line 1 [shadowed_local]",
      ])
  }

  @Test func `a comment leaves out a warning in its line or the next, and only that`() async throws
  {
    let lines = try await Self.lines([
      "a.lua": """
      local a = 1 -- moonwire: ignore unused_local
      -- moonwire: ignore shadowed_local, unused_local
      local b = 1
      local c = 1 -- moonwire: ignore unused_locl
      local d = 1 -- moonwire: ignore shadowed_local
      local text = "-- moonwire: ignore unused_local"
      return { reducer = {} } -- moonwire: ignore unknown_key
      """
    ])
    #expect(
      lines == [
        "a.lua:7: error: module a has a key that nothing knows: reducer: did you mean reducers?"
          + " [unknown_key]",
        "a.lua:4:7: warning: local c is never read [unused_local]",
        "a.lua:5:7: warning: local d is never read [unused_local]",
        "a.lua:6:7: warning: local text is never read [unused_local]",
        "a.lua:2:1: note: there is no shadowed_local here to ignore [unused_ignore]",
        "a.lua:4:13: note: 'unused_locl' is no code of a warning: did you mean unused_local?"
          + " [unused_ignore]",
        "a.lua:5:13: note: there is no shadowed_local here to ignore [unused_ignore]",
        "a.lua:7:25: note: there is no unknown_key here to ignore [unused_ignore]",
      ])
  }

  @Test func `the record and the SARIF log have codes, severities and places`() async throws {
    let findings = try await Self.findings(["a b.lua": "", "a.lua": "local x = 1 return {}"])
    let record = findings.record
    #expect(record["warnings"]?.listValue?.first?["code"] == "unused_local")
    #expect(record["warnings"]?.listValue?.first?["column"] == 7)
    #expect(record["problems"]?.listValue?.first?["code"] == "invalid_name")
    let log = try Value(
      parsing: SARIFLog(findings.all, in: "/x y", version: "1.0.0").text)
    #expect(log["version"] == "2.1.0")
    let run = try #require(log["runs"]?.listValue?.first)
    #expect(run["originalUriBaseIds"]?["SCRIPTS"]?["uri"] == "file:///x%20y/")
    let results = try #require(run["results"]?.listValue)
    #expect(results.map { $0["ruleId"] } == ["invalid_name", "unused_local"])
    #expect(results.map { $0["level"] } == ["error", "warning"])
    let location = results[1]["locations"]?.listValue?.first?["physicalLocation"]
    #expect(location?["artifactLocation"] == ["uri": "a.lua", "uriBaseId": "SCRIPTS"])
    #expect(location?["region"] == ["startLine": 1, "startColumn": 7])
    let first = results[0]["locations"]?.listValue?.first?["physicalLocation"]
    #expect(first?["artifactLocation"]?["uri"] == "a%20b.lua")
    let meant = try await Self.findings(["a.lua": "return {\n  zz = 1,\n  reducer = {} }"]).all
    #expect(meant.map(\.place?.line) == [2, 3])
    let messages = SARIFLog(meant, in: "/", version: "1.0.0").text
    #expect(messages.contains("reducer: did you mean reducers?"))
  }

  @Test func `the page of problems explains each code and no other`() throws {
    let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent()
    let page = "Sources/Moonwire/Moonwire.docc/Reference/Problems.md"
    let explanations = CodeExplanations(
      try String(contentsOf: root.appending(path: page), encoding: .utf8))
    #expect(explanations.codes == Set(CheckCode.allCases.map(\.rawValue)))
    #expect(explanations[.unusedLocal]?.hasPrefix("unused_local\n\nA local is never read.") == true)
  }
}
