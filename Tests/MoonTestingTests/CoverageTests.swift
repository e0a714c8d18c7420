import MoonTestSupport
import Moonwire
import Testing

@testable import MoonLua
@testable import MoonTesting

/// The lines of scripts that run in tests.
@Suite(.ownThread, .timeLimit(.minutes(2))) struct CoverageTests {
  static let code: [(source: String, lines: Set<Int>?)] = [
    ("", []), ("local x = 1\n\n-- nothing\nreturn x", [1, 4]),
    ("#!/usr/bin/lua\nlocal t = {}\nprint(#t)", [2, 3]),
    ("return function(a, ...)\n  if a then\n    return 1.5, 'x'\n  end\nend", [2, 3, 5]),
    ("local t = {\n" + String(repeating: "\n", count: 300) + "  f() }\nreturn t", [1, 302, 303]),
    ("local x = ", nil),
  ]

  @Test(arguments: code) func `lines with code are those that can run`(
    source: String, lines: Set<Int>?
  ) {
    #expect(LineCoverage.codeLines(of: Array(source.utf8)) == lines)
  }

  @Test func `code that is cut off has no lines`() {
    for count in [0, 26, 100] {
      let head: [UInt8] = [0x1B, 0x4C, 0x75, 0x61, 0x54, 0]
      var code = CompiledCode(head + Array(repeating: 0, count: count))
      #expect(code.lines() == nil)
    }
  }

  @Test func `lines that have run are counted, also in coroutines and after a collection`()
    async throws
  {
    let folder = try ScriptFolder([
      "covered.lua": """
      local moon = require "moonwire"
      local function never()
        return 1
      end
      local f = coroutine.wrap(function()
        local t = {}
        for i = 1, 3 do
          t[i] = ("x"):rep(1000000) .. i
        end
      end)
      f()
      return moon.module { state = { n = 0 } }
      """,
      "tests/t.lua": "return {}",
    ])
    CoverageReport.begin()
    let host = try Moonwire.Host(directory: folder.root)
    try await host.load()
    await host.close()
    let report = CoverageReport(of: ScriptDirectory(root: folder.root))
    #expect(report.lines == ["covered.lua  90.0 % of 10 lines", "all          90.0 % of 10 lines"])
    for line in ["SF:covered.lua", "DA:3,0", "DA:8,3", "DA:12,1", "LF:10", "LH:9"] {
      #expect(report.lcov.contains("\(line)\n"), "\(line): \(report.lcov)")
    }
  }

  @Test func `a file's name forges no records`() async throws {
    let folder = try ScriptFolder([
      "a.lua": "return { state = { n = 1 } }",
      "lib/x\nend_of_record\nSF:a.lua\nDA:1,9.lua": "return 1",
      "tests/t.lua": "return {}",
    ])
    CoverageReport.begin()
    let report = CoverageReport(of: ScriptDirectory(root: folder.root))
    let files = report.lcov.split(separator: "\n").filter { $0.hasPrefix("SF:") }
    #expect(files.count == 2 && files.filter { $0 == "SF:a.lua" }.count == 1, "\(report.lcov)")
  }
}
