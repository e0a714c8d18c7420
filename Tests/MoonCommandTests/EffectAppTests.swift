import Foundation
import MoonTestSupport
import Testing

/// Apps whose modules wait, ask, store and lead through screens, from a person's side.
@Suite(.ownThread) struct EffectAppTests {
  private static let files = [
    "m.lua": """
    local moon = require "moonwire"
    return moon.module {
      state = { said = "" },
      actions = { load = { "Loads", city = "string" }, nested = "Fails in a task of a task" },
      reducers = {
        loading = function(state) state.said = "loading" end,
        loaded = function(state, payload) state.said = payload.text end,
        failed = function(state, payload) state.said = payload.code .. ": " .. payload.message end,
      },
      api = { load = {
        request = function(payload)
          moon.sleep(0.01)
          if payload.city == "" then error { code = "empty", reason = "no city" } end
          return { text = "sunny in " .. payload.city }
        end,
        loading = "loading", success = "loaded", failure = "failed",
      } },
      effects = { nested = function()
        return moon.spawn(function() error { code = "c", message = "no luck" } end)
      end },
    }
    """,
    "notes.lua": """
    local moon = require "moonwire"
    local notes = moon.entities.stored(moon.entities.kind {
      name = "note", fields = { id = "integer", title = "string" },
    })
    return moon.module {
      needs = { "storage" },
      state = { titles = "" },
      actions = { add = { "Adds a note", id = "integer", title = "string" }, clear = "Deletes all" },
      reducers = { show = function(state, payload) state.titles = payload.titles end },
      effects = {
        add = function(payload, self)
          notes:put { id = payload.id, title = payload.title }
          local titles = {}
          for i, note in ipairs(notes:all()) do titles[i] = note.title end
          self.dispatch("show", { titles = table.concat(titles, ", ") })
        end,
      },
    }
    """,
    "flow.lua": """
    local moon = require "moonwire"
    local function screen(title) return function() return { title = title, body = title } end end
    return moon.module {
      state = { result = "" },
      actions = { begin = "Begins", name = { "Enters a name", text = "string" },
        confirm = "Confirms", cancel = "Goes back to the name" },
      reducers = { finish = function(state, payload) state.result = payload.text end },
      routes = { ["/name"] = screen "Your name", ["/sure"] = screen "Sure?",
        ["/end"] = screen "Thank you" },
      effects = {
        begin = function(_, self)
          local name
          repeat
            self.route_and_wait "/name"
            name = moon.take "flow/name".payload.text
            self.route_and_wait "/sure"
            local choice = moon.race {
              confirmed = function() moon.take "flow/confirm" end,
              cancelled = function() moon.take "flow/cancel" end,
            }
          until choice == "confirmed"
          self.route_and_wait "/end"
          self.dispatch("finish", { text = name })
        end,
      },
    }
    """,
  ]

  private let folder: ScriptFolder
  private let data: TemporaryFolder

  init() throws {
    folder = try ScriptFolder(Self.files)
    data = try TemporaryFolder()
  }

  private func run(_ input: String) throws -> Program.Result {
    try Program.run(
      ["run", folder.root, "--allow", "storage", "--data", data.path], input: input)
  }

  @Test func `a request changes the state as it begins, and once more as it ends`() throws {
    let run = try run("m/load city=Rome\nm/load city=\"\"\n")
    #expect(
      run.output == """
        m.said  "" → "loading"
        m.said  "loading" → "sunny in Rome"
        m.said  "sunny in Rome" → "loading"
        m.said  "loading" → "empty: no city"

        """)
    #expect(run.errors == "")
  }

  @Test func `an error in a task that an effect returns is shown with the line that raised it`()
    throws
  {
    let run = try run("m/nested\n")
    #expect(run.errors.contains("error: effect m/nested of module m failed"))
    #expect(run.errors.contains("m.lua:19: no luck"), "\(run.errors)")
    #expect(run.code == 65)
  }

  @Test func `records that a run has stored are there in the next one`() throws {
    let first = try run("notes/add id=10 title=ten\nnotes/add id=9 title=nine\n")
    #expect(first.output.contains(#"notes.titles  "ten" → "nine, ten""#), "\(first)")
    let second = try run("notes/add id=11 title=eleven\n")
    #expect(second.output.contains(#"notes.titles  "" → "nine, ten, eleven""#), "\(second)")
  }

  @Test func `an effect leads through screens, back and forth, to its end`() throws {
    let run = try run(
      """
      flow/begin
      flow/name text=Ada
      flow/cancel
      flow/name text=Bea
      flow/confirm
      :tasks

      """)
    let shown = run.output.split(separator: "\n").filter {
      ["Your name  ", "Sure?  ", "Thank you  ", "flow.result"].contains(where: $0.hasPrefix)
    }
    #expect(
      shown == [
        "Your name  /name", "Sure?  /sure", "Your name  /name", "Sure?  /sure",
        #"flow.result  "" → "Bea""#, "Thank you  /end",
      ])
    #expect(run.output.hasSuffix("no task runs\n"))
  }

  @Test(.enabled(if: TerminalScreen.isAvailable, "tmux isn't installed: apt-get install tmux"))
  func `at a terminal, what is denied stays out, and one task is cancelled by its number`() throws {
    let screen = try TerminalScreen(
      running: [Program.executable.path, "run", folder.root, "--data", data.path],
      environment: [
        "MOONWIRE_HISTORY": "", "NO_COLOR": "1", "EDITRC": "/dev/null",
        "XDG_CONFIG_HOME": data.path + "/config",
      ])
    try screen.wait(forEnd: "module notes needs storage. Grant it? [y/n/always]")
    try screen.enter("n")
    try screen.wait(forEnd: "app!>")
    try screen.enter("notes/add id=1 title=x")
    try screen.wait(for: "the module to be missing") {
      $0.contains("module notes isn't in service") || $0.contains("no module notes")
        || $0.contains("notes isn't in service")
    }
    for count in 1...2 {
      try screen.enter("flow/begin")
      try screen.wait(for: "task \(count)") {
        $0.components(separatedBy: "Your name  /name").count == count + 1
          && $0.hasSuffix("app [Your name]!>")
      }
    }
    try screen.enter(":cancel 1")
    try screen.wait(for: "the end of task 1") { $0.contains("\ntask 1 was cancelled") }
    try screen.enter(":tasks")
    try screen.wait(for: "task 2 alone") { text in
      let shown = text.components(separatedBy: ":tasks").last ?? ""
      return shown.contains("2  flow/begin") && !shown.contains("1  flow/begin")
        && shown.contains("waits for flow/name")
    }
    // The file is saved, but the question was answered.
    try folder.save("notes.lua", Self.files["notes.lua", default: ""] + "\n")
    try screen.enter(":modules")
    try screen.wait(for: "the module without its grant") { text in
      (text.components(separatedBy: ":modules").last ?? "").contains("needs storage, not granted")
    }
    #expect(try !screen.contents().contains("[y/n/always] \n"))
  }
}
