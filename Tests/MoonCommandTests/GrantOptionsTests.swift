import Foundation
import MoonTestSupport
import Testing

@testable import MoonCommand

/// The options that grant permissions, and those that set rules for URLs.
@Suite(.ownThread) struct GrantOptionsTests {
  private static let files = [
    "a.lua": "return { state = { n = 1 }, actions = { reset = {} } }",
    "c.lua": """
    return {
      needs = { "state:*" },
      reduce_all = { ["a/reset"] = function(state) state.a.n = 0 end },
    }
    """,
  ]

  @Test(arguments: [
    ["--allow", "state:*"], ["--allow", "c=state:*"], ["--allow-all"],
    ["--allow", "state:*", "--deny", "a=state:*"],
  ])
  func `a module gets what it is granted`(options: [String]) throws {
    let folder = try ScriptFolder(Self.files)
    let run = try Program.run(["run", folder.root, "--dispatch", "a/reset"] + options)
    #expect(run.output == "a.n  1 → 0\n", "\(run.errors)")
    let check = try Program.run(["check", folder.root] + options)
    #expect(check.output == "module c needs state:*, granted\n2 modules, no problems\n")
    #expect(check.code == 0)
  }

  @Test(arguments: [
    ([], "--allow c=state:* grants it to this module, --allow state:* to all"),
    (["--allow", "state:a"], "--allow c=state:* grants it"),
    (["--allow-all", "--deny", "c=state:a"], "leave out --deny c=state:a"),
  ])
  func `a module that isn't granted what it needs is named with its line and the option`(
    options: [String], help: String
  ) throws {
    let folder = try ScriptFolder(Self.files)
    let check = try Program.run(["check", folder.root] + options)
    #expect(check.code == 1)
    #expect(check.errors.contains("module c needs state:*, which"), "\(check.errors)")
    #expect(check.errors.contains("c.lua:2"))
    #expect(check.errors.contains(help), "\(check.errors)")
    #expect(check.output.hasPrefix("module c needs state:*, not granted\n"))
  }

  @Test func `a module without its grants is checked nevertheless`() throws {
    let folder = try ScriptFolder([
      "c.lua": """
      return {
        needs = { "storage" },
        effects = { go = function(_, self) self.dispatch("c/nonsense") end },
      }
      """
    ])
    let check = try Program.run(["check", folder.root])
    #expect(check.code == 1)
    #expect(check.errors.contains("module c needs storage, which isn't granted"))
    #expect(check.errors.contains("c/nonsense"), "\(check.errors)")
    #expect(check.output == "module c needs storage, not granted\n1 module, 1 problem, 1 warning\n")
    let json = try Program.run(["check", folder.root, "--json"])
    #expect(json.output.contains(#""code":"not_granted""#))
    #expect(json.output.contains(#""status":"failed""#))
  }

  @Test func `a module that lost a grant stays in service, which :grants says`() throws {
    let folder = try ScriptFolder([
      "c.lua": "return { needs = { 'storage' }, reducers = { go = function() end } }"
    ])
    let run = try Program.run(
      ["run", folder.root, "--allow", "c=storage"], input: ":revoke c\nc/go\n:grants\n")
    #expect(run.code == 0, "\(run.errors)")
    #expect(run.output.contains("not granted: it is in service, and its calls are refused"))
  }

  @Test func `what is granted or revoked without being requested is told`() throws {
    let folder = try ScriptFolder(["c.lua": "return { needs = { 'net:a.example' } }"])
    let lines = ":grant c storage\n:revoke c env:HOME\n:grant c net:*.example\n"
    let run = try Program.run(["run", folder.root, "--allow", "c=net:a.example"], input: lines)
    #expect(
      run.output == """
        c  net:a.example  granted
        c doesn't request storage: that matters once its needs name it
        c  net:a.example  granted
        c doesn't request env:HOME: that matters once its needs name it
        c  net:a.example  granted

        """, "\(run)")
  }

  @Test func `a denial that may come from :revoke says how to grant it again`() throws {
    let folder = try ScriptFolder(["c.lua": "return { needs = { 'storage' } }"])
    let run = try Program.run(
      ["run", folder.root, "--allow-all"], input: ":revoke c\n:grants\n:reload c\n")
    #expect(run.output.contains("denied by --deny or :revoke c=storage"), "\(run)")
    #expect(run.errors.contains("or :grant c storage if it was revoked"), "\(run)")
  }

  @Test func `:modules shows what a module needs`() throws {
    let folder = try ScriptFolder(Self.files)
    let run = try Program.run(["run", folder.root, "--allow-all"], input: ":modules\n")
    #expect(run.output.contains("needs state:*, granted"))
    let json = try Program.run(
      ["run", folder.root, "--allow-all", "--json"], input: ":modules\n")
    #expect(json.output.contains(#""needs":["state:*"]"#))
  }

  @Test(arguments: [
    (["--allow-all"], #"["*"]"#), (["--allow", "c=state:*"], #"["c=state:*"]"#),
    (["--allow-all", "--allow", "state:a"], #"["*","state:a"]"#),
  ])
  func `a recording says what was granted`(options: [String], grants: String) throws {
    let folder = try ScriptFolder(Self.files)
    let file = folder.path("../r")
    let run = try Program.run(["record", "--out", file, folder.root] + options)
    #expect(run.code == 0, "\(run)")
    let text = try String(contentsOfFile: file, encoding: .utf8)
    #expect(text.contains("\"grants\":\(grants)"), "\(text)")
  }

  @Test(arguments: [
    (["--allow", "stat:*"], "there is no scope 'stat'; did you mean 'state'?"),
    (["--allow", ""], "write [module=]scope, as in counter=state:*"),
    (["--allow", "c=state"], "say what of the state, as in state:* or state:cart"),
    (["--deny", "*=state:*"], "for all modules leave the name out"),
    (["--allow", "a b=state:*"], "'a b' can't be a module's name"),
    (["--urls", "plus=spce"], "there is no such rule; did you mean plus=space?"),
    (["--urls", "x"], "there is no such rule: there are plus=space"),
  ])
  func `what can't be granted or set is refused before anything runs`(
    options: [String], reason: String
  ) throws {
    let folder = try ScriptFolder(Self.files)
    for command in ["run", "check", "routes"] {
      let result = try Program.run([command, folder.root] + options)
      #expect(result.code == 64)
      #expect(result.errors.contains(reason), "\(result.errors)")
    }
  }

  @Test func `grants for a module that isn't there wait for it, which is said`() throws {
    let folder = try ScriptFolder(Self.files)
    let run = try Program.run(
      ["run", folder.root, "--allow-all", "--deny", "d=state:*", "--limit", "e:reducer=5ms"],
      input: "")
    #expect(run.errors.contains("there is no module d yet: its grants wait for it"))
    #expect(run.errors.contains("there is no module e yet: its limits wait for it"))
  }

  private static let routes = [
    "m.lua": """
    return { handlers = {
      ["/x/:v"] = function(r) print("x " .. r.params.v) end,
      ["/a.b/:v"] = function(r) print("host " .. r.params.v) end,
      ["/:v"] = function(r) print("one " .. r.params.v) end,
      ["app://own"] = function() print("own") end,
    } }
    """
  ]

  @Test(arguments: [
    ([], "/x/a+b%2Bc", "x a b c"), (["plus=space"], "/x/a+b%2Bc", "x a b c"),
    (["plus=form"], "/x/a+b%2Bc", "x a b+c"), (["plus=kept"], "/x/a+b%2Bc", "x a+b+c"),
    ([], "web://a.b/c", "one c"), (["host=component"], "web://a.b/c", "host c"),
    (["host=component", "host=dotless"], "web://a.b/c", "one c"),
    ([], "app:/zip", "one zip"), (["schemes=closed"], "app:/zip", "no pattern"),
    (["schemes=closed"], "app://own", "own"), (["schemes=closed"], "web:/zip", "one zip"),
  ])
  func `rules say how URLs are read`(rules: [String], url: String, printed: String) throws {
    let folder = try ScriptFolder(Self.routes)
    let options = rules.flatMap { ["--urls", $0] }
    let run = try Program.run(["run", folder.root] + options, input: ":open \(url)\n")
    let all = run.output + run.errors
    #expect(printed == "no pattern" ? run.code == 65 : all.contains(printed), "\(all)")
    let match = try Program.run(["routes", "match", folder.root, url] + options)
    #expect(match.code == (printed == "no pattern" ? 1 : 0))
  }

  @Test func `routes shows the rules that aren't the usual ones`() throws {
    let folder = try ScriptFolder(Self.routes)
    let usual = try Program.run(["routes", folder.root, "--urls", "plus=space"])
    #expect(!usual.output.contains("rules"))
    for (command, input) in [
      (["routes", folder.root], ""), (["routes", "match", folder.root, "/x/1"], ""),
      (["run", folder.root], ":routes"), (["run", folder.root], ":routes /x/1"),
    ] {
      let result = try Program.run(
        command + ["--urls", "plus=kept", "--urls", "schemes=closed"], input: input)
      #expect(
        result.lines.contains("plus=kept       a + in a parameter is a plus"), "\(result.output)")
      #expect(
        result.lines.contains("schemes=closed  a scheme with routes of its own matches no others"))
      #expect(!result.output.contains("host="))
      let json = try Program.run(command + ["--json", "--urls", "plus=kept"], input: input)
      #expect(json.output.contains(#""rules":["plus=kept","host=dotless","schemes=open"]"#))
    }
  }

  @Test(arguments: [
    (":help nav/did_push", "nav/did_push animated=boolean origin=string screen=map stack=string"),
    (":help m/go", "m/go by=integer?  Goes"), (":actions nav", "nav/did_update"),
  ])
  func `:help explains an action`(line: String, text: String) throws {
    let folder = try ScriptFolder([
      "m.lua": "return { actions = { go = { 'Goes', by = 'integer?' } } }"
    ])
    let run = try Program.run(["run", folder.root], input: "\(line)\n")
    #expect(run.output.contains(text), "\(run.output)\(run.errors)")
    let none = try Program.run(["run", folder.root], input: ":help nav/did_psh\n")
    #expect(none.code == 65)
    #expect(none.errors.contains("nav/did_push"), "\(none.errors)")
  }

  @Test func `:actions says which are derived`() throws {
    let folder = try ScriptFolder(["m.lua": "return { state = { n = 1 }, derive = { 'set' } }"])
    let run = try Program.run(["run", folder.root], input: ":actions m\n")
    #expect(run.output == "m/set_n value=integer  Sets n  (derived)\n")
    let json = try Program.run(["run", folder.root, "--json"], input: ":actions m\n")
    #expect(json.output.contains(#""derived":true"#))
  }
}
