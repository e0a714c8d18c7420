import Foundation
import MoonTestSupport
import Moonwire
import Testing

/// Files and programs of modules in the built command.
@Suite(.ownThread, .timeLimit(.minutes(5))) struct ServiceRunTests {
  private static let module = """
    local moon = require "moonwire"
    return moon.module {
      needs = { "read:data/", "write:data/", "run:sort", "run:sh" },
      state = { text = "" },
      reducers = { show = function(s, p) s.text = p.text end },
      effects = {
        add = function(p, self)
          moon.files.append("data/log", p.line .. "\\n")
          local sorted = moon.processes.run { "sort", "data/log" }
          self.dispatch("show", { text = sorted.output })
        end,
        fill = function(p, self)
          local done, problem = pcall(moon.files.write, "data/log", ("x"):rep(p.count))
          self.dispatch("show", { text = done and "done" or problem.code })
        end,
        stay = function()
          moon.processes.run { "sh", "-c", "trap '' TERM; echo $$ > data/id; while :; do sleep 1; done" }
        end,
      },
    }
    """

  private let folder: ScriptFolder

  init() throws { folder = try ScriptFolder(["m.lua": Self.module, "data/log": "b\n"]) }

  @Test func `a granted module uses files and programs`() throws {
    let run = try Program.run(
      [
        "run", folder.root, "--allow", "read:data/", "--allow", "m=write:data/", "--allow",
        "run:*",
      ],
      input: "m/add line=c\nm/add line=a\n")
    #expect(run.code == 0, "\(run.output)\(run.errors)")
    #expect(run.output.contains(#"a\nb\nc\n"#), "\(run.output)\(run.errors)")
    #expect(TextFile.contents(of: folder.path("data/log")) == "b\nc\na\n")
  }

  @Test func `without a grant, the error says what grants it`() throws {
    let run = try Program.run(["run", folder.root], input: "m/add line=c\n")
    #expect((run.output + run.errors).contains("--allow m=write:"), "\(run.output)\(run.errors)")
    #expect(TextFile.contents(of: folder.path("data/log")) == "b\n")
  }

  @Test func `a full disk is an error with a code, and the old file stays`() throws {
    let run = try Program.shell(
      """
      ulimit -f 8
      printf 'm/fill count=1000000\\nm/fill count=10\\n' \
        | "$MOONWIRE" run "\(folder.root)" --allow-all
      """)
    #expect(run.output.contains(#""disk_full""#), "\(run.output)\(run.errors)")
    #expect(run.output.contains(#""done""#), "\(run.output)\(run.errors)")
    #expect(TextFile.contents(of: folder.path("data/log")) == "xxxxxxxxxx")
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.path("data"))
    #expect(names == ["log"])
  }

  @Test func `no program is left when the command ends`() async throws {
    let run = try Program.run(
      ["run", folder.root, "--allow-all", "--wait", "1s"], input: "m/stay\n")
    let id = try #require(
      Int32(TextFile.contents(of: folder.path("data/id")).split(separator: "\n").first ?? ""),
      "\(run.output)\(run.errors)")
    while !ProcessTable.hasEnded(id) { await Task.yield() }
  }

  @Test func `:settings says which secrets are given`() throws {
    try folder.save(
      "s.lua",
      """
      return { settings = { given = { "string", secret = true },
        none = { "string?", secret = true }, city = { "string?" } } }
      """)
    let run = try Program.run(
      ["run", folder.root, "--set", "s.given=hunter2"], input: ":settings\n")
    #expect(run.output.contains("s.given = (secret)"), "\(run.output)\(run.errors)")
    #expect(run.output.contains("s.none = not given"))
    #expect(run.output.contains("s.city = not given"))
  }

  @Test(arguments: [
    ("nope", []), ("json", ["json.decode", "json.encode"]), ("json.d", ["json.decode"]),
    ("moon.time.now", ["time.now"]),
  ])
  func `:services lists the same functions as JSON`(name: String, functions: [String]) throws {
    let run = try Program.run(["run", folder.root, "--json"], input: ":services \(name)\n")
    let line = try #require(
      run.output.split(separator: "\n").first { $0.contains(#""kind":"services""#) })
    let record = try Value(parsing: Array(line.utf8))
    let names = (record["services"]?.listValue ?? List()).flatMap { service in
      (service["functions"]?.listValue ?? List()).map {
        "\(service["name"]?.stringValue ?? "").\($0["name"]?.stringValue ?? "")"
      }
    }
    #expect(names.sorted() == functions)
  }
}
