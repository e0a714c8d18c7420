import MoonTestSupport
import Moonwire
import Testing

/// The command's waits for effects, and its output about them.
@Suite(.ownThread) struct EffectLinesTests {
  private static let module = """
    local moon = require "moonwire"
    return moon.module {
      state = { n = 0 },
      reducers = { set = function(s, p) s.n = p.n end },
      effects = {
        later = function(p, self) moon.sleep(0.02) self.dispatch("set", { n = p.n }) end,
        fail = function() moon.sleep(0.02) error("no luck") end,
        long = function() moon.sleep(1000) end,
        listen = function(p, self) self.dispatch("set", { n = moon.take("tell").payload.n }) end,
        tell = function() end,
      },
    }
    """

  private func run(_ arguments: [String] = [], input: String = "") throws -> Program.Result {
    let folder = try ScriptFolder(["m.lua": Self.module])
    return try Program.run(["run", folder.root, "--no-watch"] + arguments, input: input)
  }

  @Test func `the screen below a line is that after its effects`() throws {
    let folder = try ScriptFolder([
      "m.lua": """
      local moon = require "moonwire"
      return moon.module {
        state = { n = 0 },
        actions = { later = {}, set = {} },
        reducers = { set = function(s) s.n = s.n + 1 end },
        effects = { later = function(_, self) moon.sleep(0.02) self.dispatch "set" end },
        routes = { ["/"] = { kind = "n", screen = function() return {} end } },
        views = { n = function(_, s) return { "n is " .. s.n, moon.ui.button("Go", "later") } end },
        keys = { { on = "n", g = "later" } },
      }
      """
    ])
    let run = try Program.run(
      ["run", "--no-watch", folder.root], input: ":open /\n:tap Go\n:press g\n")
    #expect(run.code == 0)
    let shown = run.output.split(separator: "\n").filter { $0.contains("n is") || $0.contains("→") }
    #expect(
      shown.filter { !$0.contains("navigation") } == [
        "  n is 0", "m.n  0 → 1", "  n is 1", "m.n  1 → 2", "  n is 2",
      ], "\(run)")
  }

  @Test func `what the handlers of cancelled tasks change is shown`() throws {
    let folder = try ScriptFolder([
      "m.lua": """
      return {
        state = { closed = 0 },
        reducers = { closed = function(s) s.closed = s.closed + 1 end },
        effects = { wait = function(_, self)
          local _ <close> = setmetatable({}, { __close = function() self.dispatch "closed" end })
          require "moonwire".sleep(1000)
        end },
      }
      """
    ])
    let run = try Program.run(
      ["run", "--no-watch", "--wait", "1ms", folder.root],
      input: "m/wait\n:reload m\nm/wait\n:cancel 2\n")
    #expect(run.code == 0)
    #expect(run.output.contains("m.closed  0 → 1"), "\(run)")
    #expect(run.output.contains("m.closed  1 → 2"), "\(run)")
  }

  @Test func `the actions of a suspended module are left out, and taken in again later`() throws {
    let folder = try ScriptFolder([
      "m.lua": """
      return { state = { n = 0 }, reducers = {
        add = function(s) s.n = s.n + 1 end, bad = function() error("bad") end } }
      """
    ])
    let lines =
      ["m/add", "m/add"] + Array(repeating: "m/bad", count: 20)
      + [":timeline recompute", ":timeline", ":resume m", ":timeline recompute", ""]
    let run = try Program.run(
      ["run", "--no-watch", "--keep-going", folder.root], input: lines.joined(separator: "\n"))
    #expect(
      run.output.contains(
        "the actions were carried out again; 2 actions had to be left out, as m is suspended: "
          + "after :resume, :timeline recompute takes them in again\n"), "\(run)")
    #expect(run.output.contains("left out, as m is suspended\n"), "\(run)")
    #expect(run.output.contains("m.n  2 → 0\n") && run.output.contains("m.n  0 → 2\n"), "\(run)")
  }

  @Test func `a line of a script waits for its effects, and shows what they have changed`() throws {
    let result = try run(input: "m/later n=3\n:state m.n\n")
    #expect(result.lines == ["nothing changed", "m.n  0 → 3", "3"])
    #expect(result.errors == "")
    #expect(result.code == 0)
  }

  @Test func `--dispatch waits as well, so that the state has what came of it`() throws {
    let result = try run(["--dispatch", "m/later n=4", "--state", "-"])
    #expect(result.output.contains(#""n": 4"#) || result.output.contains(#""n":4"#))
    #expect(result.code == 0)
  }

  @Test func `a fault of an effect fails its line`() throws {
    let result = try run(input: "m/fail\nm/set n=1\n")
    #expect(result.lines == ["nothing changed"])
    #expect(result.errors.contains("effect m/fail of module m failed"))
    #expect(result.errors.contains("m.lua:7: no luck"))
    #expect(result.errors.contains("waited for   20 ms"))
    #expect(result.code == 65)
  }

  @Test func `what outlasts the wait is named, once`() throws {
    let result = try run(["--wait", "50ms"], input: "m/long\nm/set n=1\nm/set n=2\n")
    #expect(result.lines == ["nothing changed", "m.n  0 → 1", "m.n  1 → 2"])
    #expect(
      result.errors == """
        warning: a task is still running after 50 ms
          waiting      task 1, effect m/long of module m waits for 1000.0 s
          help         --wait sets how long to wait for them

        """)
    #expect(result.code == 0)
  }

  @Test func `what only an action can wake isn't waited for`() throws {
    let result = try run(input: "m/listen\n:tasks\nm/tell n=5\n:tasks\n")
    #expect(
      result.lines == [
        "nothing changed", "1  m/listen  m, after #1  waits for m/tell", "m.n  0 → 5",
        "no task runs",
      ])
  }

  @Test func `tasks are listed and cancelled for programs`() throws {
    let result = try run(["--json"], input: "m/listen\n:tasks\n:cancel 1\n:tasks\nm/later n=2\n")
    #expect(result.lines[1].contains(#""kind":"tasks","late_answers":0,"tasks":[{"action":1,"#))
    #expect(result.lines[1].contains(#""waits_for":"m/tell"}]"#))
    #expect(result.lines[2] == #"{"changes":[],"kind":"cancel","task":1,"v":1}"#)
    #expect(result.lines[3].contains(#""tasks":[]"#))
    #expect(
      result.lines[5]
        == #"{"changes":[{"after":2,"before":0,"path":"m.n"}],"kind":"effects","v":1}"#)
  }

  @Test(arguments: [
    (":cancel 7", "task 7 isn't running"), (":cancel", ":cancel needs something after it"),
    (":cancel x", "'x'"), (":tasks nobody", "there is no module nobody"),
  ])
  func `a task that isn't there is an error`(line: String, said: String) throws {
    let result = try run(input: line + "\n")
    #expect(result.errors.contains(said), "\(result.errors)")
    #expect(result.code == 65)
  }

  @Test(arguments: ["", "5", "1h", "s", "99999999999999999999s"])
  func `a wait that isn't a time is wrong usage`(time: String) throws {
    let result = try run(["--wait", time])
    #expect(result.code == 64)
    #expect(result.errors.contains("--wait '\(time)': write a time such as 500ms or 30s"))
  }
}
