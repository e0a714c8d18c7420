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
    let run = try Program.run(["check", folder.root, "--with", "logger"])
    #expect(run.code == 1)
    #expect(run.output.contains("logger") || run.errors.contains("logger"))
    #expect(try Program.run(["check", folder.root]).code == 0)
  }
}
