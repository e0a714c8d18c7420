import MoonTestSupport
import Testing

/// What can be asked about an app at the prompt.
@Suite(.ownThread) struct InquiryTests {
  private static let shop = """
    local moon = require "moonwire"
    return moon.module {
      state = { n = 0, m = 0 },
      actions = { add = { by = "integer?" } },
      reducers = { add = function(s, p) s.n = s.n + (p.by or 1) end },
      observe = { ["shop.n"] = function() end },
      map_navigation = { add = function() end },
      effects = { add = function() end },
      commands = { total = function() return 3 end, bad = function() error("no", 0) end },
      presenters = function() end,
    }
    """

  static let answers: [(String, [String])] = [
    (":actions", ["shop/add by=integer?", "shop/bad", "shop/total"]),
    (
      ":help shop/add",
      [
        "shop/add by=integer?", "reducer  shop/add  of shop  shop.lua:5",
        "navigation mapper  shop/add  of shop  shop.lua:7", "effect  shop/add  of shop  shop.lua:8",
        "observer  shop.n  of shop  shop.lua:6",
      ]
    ),
    (":help shop/total", ["shop/total"]),
    (":help moon.http.get", ["moon.http.get(url, {query", "timeout  number, by name", "waits"]),
    (":presenters", ["presenter  all routes  of shop  shop.lua:10"]),
    (":mappers", ["navigation mapper  shop/add  of shop  shop.lua:7"]),
    (":registrations shop", ["action  shop/add  of shop  shop.lua:4", "command  total  of shop"]),
    ("shop/add\n:why shop.n", ["#1  shop/add", "shop.n  0 → 1"]),
  ]

  @Test(arguments: answers)
  func `questions are answered with the places in the files`(
    line: String, parts: [String]
  ) throws {
    let folder = try ScriptFolder(["shop.lua": Self.shop])
    let run = try Program.run(["run", "--no-watch", folder.root], input: line + "\n")
    for part in parts { #expect(run.output.contains(part), "\(run)") }
    #expect(run.code == 0)
  }

  static let refusals: [(String, String)] = [
    (":hist", "did you mean :history?"), (":help moon.htp.get", "did you mean moon.http.get?"),
    (":reducerz", "did you mean :reducers?"),
    (":why shop.m", "no action in the timeline has changed shop.m"),
    (":call shop/bad", "caused by    a call of shop/bad"),
    ("= io.open('x')", "moon.files reads and writes"),
  ]

  @Test(arguments: refusals)
  func `what isn't there has a suggestion of its own kind`(line: String, part: String) throws {
    let folder = try ScriptFolder(["shop.lua": Self.shop])
    let run = try Program.run(["run", "--no-watch", folder.root], input: line + "\n")
    #expect(run.errors.contains(part), "\(run)")
    #expect(run.code == 65)
  }

  @Test(arguments: [
    ("--frob", "Unknown option '--frob'.\n"), ("--resum", "Did you mean '--resume'?"),
  ])
  func `an unknown option is compared with those that resemble it`(
    option: String, part: String
  ) throws {
    let folder = try ScriptFolder(["shop.lua": Self.shop])
    let run = try Program.run(["run", folder.root, option])
    #expect(run.code == 64 && run.errors.contains(part), "\(run)")
  }

  static let files: [([UInt8], String)] = [
    ([0xFF, 0xFE, 0x72, 0], "the file of module m is UTF-16, and must be UTF-8"),
    (Array("return { description = \"caf".utf8) + [0xE9] + Array("\" }".utf8), "Latin-1"),
    (
      Array("return { reducers = { 1, 2, 3, a = function() end } }".utf8),
      "reducers[1] of module m is one of 3 without a name, and must be under one"
    ),
    (
      Array("return { routes = { [\"/a\"] = { parent = \"/b\", screen = function() end } } }".utf8),
      "no route takes /b"
    ),
  ]

  @Test(arguments: files)
  func `a mistake in a file is told once, by its name`(bytes: [UInt8], part: String) throws {
    let folder = try ScriptFolder([:])
    try folder.save("m.lua", bytes: bytes)
    let run = try Program.run(["check", folder.root])
    #expect(run.errors.contains(part), "\(run)")
  }
}
