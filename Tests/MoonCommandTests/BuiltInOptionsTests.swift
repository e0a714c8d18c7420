import MoonTestSupport
import Testing

@Suite(.ownThread, .timeLimit(.minutes(2))) struct BuiltInOptionsTests {
  private static let counter = [
    "counter.lua": """
    return { state = { count = 0 }, reducers = { add = function(s) s.count = s.count + 1 end } }
    """
  ]

  @Test(arguments: [
    ["--with", "action_blocker,logger"], ["--with", "action_blocker", "--with", "logger"],
  ])
  func `built-in modules are added and work at the prompt`(options: [String]) throws {
    let folder = try ScriptFolder(Self.counter)
    let run = try Program.run(
      ["run", folder.root] + options,
      input: """
        counter/add
        action_blocker/add actions="other/*"
        action_blocker/enable
        counter/add
        """)
    #expect(run.code == 0)
    #expect(
      run.output == """
        counter.count  0 → 1
        action_blocker.actions[1]  + "other/*"
        action_blocker.enabled  false → true
        counter/add was stopped by middleware of module action_blocker

        """)
    #expect(run.errors.contains("counter/add (prompt)\n  counter.count: 0 → 1\n"))
  }

  @Test(arguments: [
    ("loger", "there is no built-in module 'loger'; did you mean logger?"),
    ("logger,", "there is no built-in module '': there are action_blocker, "),
    ("counter", "there is no built-in module 'counter'"),
  ])
  func `a name that isn't built in is refused`(names: String, message: String) throws {
    let folder = try ScriptFolder(Self.counter)
    let run = try Program.run(["run", folder.root, "--with", names])
    #expect(run.code == 64)
    #expect(run.errors.contains(message))
  }

  @Test func `a script with the name of a built-in module is a problem`() throws {
    let folder = try ScriptFolder(["logger.lua": "return {}"])
    for options in [[], ["--with", "logger"]] {
      let run = try Program.run(["check", folder.root] + options)
      #expect(run.code == 1)
      #expect(run.errors.contains("'logger' can't be a module's name"), "\(run)")
    }
  }

  @Test func `an action that the host announces can't be declared, and can be heard`() throws {
    let module = "reducers = { started = function(s) s.n = 1 end }, state = { n = 0 } }"
    let folder = try ScriptFolder(["app.lua": "return { actions = { started = {} }, \(module)"])
    let refused = try Program.run(["check", folder.root])
    #expect(refused.code == 1)
    #expect(refused.errors.contains("module app can't have the action app/started"), "\(refused)")
    try folder.save("app.lua", "return { \(module)")
    let run = try Program.run(
      ["run", folder.root, "--with", "lifecycle"],
      input: ":state app\n:help app/started\n:help retriever/play\n:actions crash\n")
    #expect(run.code == 0)
    for text in [
      "{n = 1}", "app/started  The session is open", "retriever/play file=string?",
      "crash/did signal=string?   The last run has crashed",
    ] { #expect(run.output.contains(text), "\(run)") }
  }
}
