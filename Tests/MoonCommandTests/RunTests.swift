import Foundation
import MoonTestSupport
import Testing

/// The program end to end, without a terminal.
@Suite(.ownThread) struct RunTests {
  @Test func `a piped script prints results and nothing of its own`() throws {
    let folder = try ScriptFolder(["counter.lua": ScriptFolder.counter])
    let input = "# a remark\n\ncounter/add by=2\n= state('counter').count\n:state\n= print('hi')\n"
    let result = try Program.run([folder.root], input: input)
    #expect(result.output == "counter.count  0 → 2\n2\n{counter = {count = 2}}\nhi\n")
    #expect(result.errors == "")
    #expect(result.code == 0)
  }

  @Test func `a piece of Lua goes on until it is complete`() throws {
    let folder = try ScriptFolder()
    let input = "= for i = 1, 2 do\n  print(i)\nend\n= 'after'\n"
    #expect(try Program.run(["run", folder.root], input: input).lines == ["1", "2", "\"after\""])
    let open = try Program.run(["run", folder.root], input: "= for i = 1, 2 do\n")
    #expect(open.code == 65)
    #expect(open.errors.contains("has a syntax error"))
  }

  @Test func `a script stops at its first error, unless it shall go on`() throws {
    let folder = try ScriptFolder(["counter.lua": ScriptFolder.counter])
    let input = "counter/add\ncounter/ad\ncounter/add\n"
    let stopped = try Program.run(["run", folder.root], input: input)
    #expect(stopped.lines == ["counter.count  0 → 1"])
    #expect(
      stopped.errors == """
        error: no module knows the action counter/ad
          help         did you mean counter/add?
          input        line 2: counter/ad

        """)
    #expect(stopped.code == 65)
    let went = try Program.run(["run", folder.root, "--keep-going"], input: input)
    #expect(went.lines == ["counter.count  0 → 1", "counter.count  1 → 2"])
    #expect(went.code == 65)
  }

  @Test func `actions of the command line run in order and the state is written`() throws {
    let folder = try ScriptFolder(["counter.lua": ScriptFolder.counter])
    let file = URL(filePath: folder.outside).appending(path: "out.json")
    try Data(String(repeating: "old", count: 100).utf8).write(to: file)
    let arguments = [
      folder.root, "--dispatch", "counter/add by=2", "--dispatch", "counter/add {\"by\":3}",
      "--state",
    ]
    let result = try Program.run(arguments + [file.path], input: "counter/reset\n")
    #expect(result.lines == ["counter.count  0 → 2", "counter.count  2 → 5"])
    #expect(try String(contentsOf: file, encoding: .utf8) == ScriptFolder.savedCounter(5) + "\n")
    let piped = try Program.run(arguments + ["-"])
    #expect(piped.lines.last == ScriptFolder.savedCounter(5))
    let nowhere = try Program.run(arguments + ["/nowhere/out.json"])
    #expect(nowhere.code == 73)
    #expect(nowhere.output == "")
    #expect(nowhere.errors.contains("can't be written to /nowhere/out.json"))
  }

  @Test func `programs read one object a line`() throws {
    let folder = try ScriptFolder(["counter.lua": ScriptFolder.counter])
    let result = try Program.run(
      ["run", folder.root, "--json", "--keep-going"], input: "counter/add by=2\ncounter/ad\n= 1\n")
    #expect(result.lines.count == 3)
    let objects = try result.lines.map { line in
      try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
    }
    #expect(objects.allSatisfy { $0["v"] as? Int == 1 })
    #expect(objects.map { $0["kind"] as? String } == ["dispatch", "error", "evaluate"])
  }

  static let usages: [[String]] = [
    ["run"], ["run", "a", "b"], ["run", "a", "--nonsense"], ["run", "a", "--color", "pink"],
    ["run", "a", "--dispatch", "= 1"], ["run", "a", "--dispatch", "counter/add by="],
  ]

  @Test(arguments: usages)
  func `wrong usage is code 64`(arguments: [String]) throws {
    let result = try Program.run(arguments)
    #expect(result.code == 64)
    #expect(result.output == "")
    #expect(!result.errors.isEmpty)
  }

  /// Whether piped output has colours.
  static let colors: [(arguments: [String], environment: [String: String], isColored: Bool)] = [
    ([], [:], false), (["--color", "auto"], [:], false), (["--color", "never"], [:], false),
    (["--color", "always"], [:], true), (["--color", "auto"], ["NO_COLOR": "1"], false),
    (["--color", "always"], ["NO_COLOR": "1"], true), ([], ["FORCE_COLOR": "1"], true),
  ]

  @Test(arguments: colors)
  func `colours are there when they are wanted`(
    arguments: [String], environment: [String: String], isColored: Bool
  ) throws {
    let folder = try ScriptFolder(["counter.lua": ScriptFolder.counter])
    let result = try Program.run(
      ["run", folder.root, "--keep-going"] + arguments, input: "counter/add\ncounter/ad\n",
      environment: environment)
    #expect(result.output.contains("\u{1B}[") == isColored)
    #expect(result.errors.contains("\u{1B}[") == isColored)
    let program = try Program.run(
      ["run", folder.root, "--json"] + arguments, input: "counter/add\n", environment: environment)
    #expect(!program.output.contains("\u{1B}["))
  }

  @Test func `an empty name isn't the current directory, and a misspelt subcommand is told`() throws
  {
    let folder = try ScriptFolder(["counter.lua": ScriptFolder.counter])
    let empty = try Program.run(["run", ""], input: "counter/add\n", directory: folder.root)
    #expect(empty.code == 64 && empty.output == "", "\(empty)")
    let misspelt = try Program.run(["chekc"], directory: folder.root)
    #expect(misspelt.code == 64 && misspelt.errors.contains("check"), "\(misspelt.errors)")
  }

  @Test func `a byte order mark before a script is no part of it`() throws {
    let folder = try ScriptFolder(["counter.lua": ScriptFolder.counter])
    let result = try Program.run(["run", folder.root], input: "\u{FEFF}counter/add\ncounter/add\n")
    #expect(result.code == 0, "\(result.errors)")
    #expect(result.output == "counter.count  0 → 1\ncounter.count  1 → 2\n")
  }

  @Test func `a part of the state that is asked for is shown whole`() throws {
    let folder = try ScriptFolder([
      "m.lua": """
      local deep, all = { 1 }, {}
      for _ = 1, 8 do deep = { a = deep } end
      for i = 1, 80 do all[i] = i end
      return { state = { deep = deep, all = all } }
      """
    ])
    let result = try Program.run(
      ["run", folder.root], input: ":state m.deep\n:state m.all\n:more\n")
    #expect(
      result.output.contains("{a = {a = {a = {a = {a = {a = {a = {a = [1]}}}}}}}}"), "\(result)")
    #expect(result.output.contains("80"))
    #expect(result.output.hasSuffix("there is no more\n"))
  }

  @Test func `help and version are results`() throws {
    #expect(try Program.run(["--version"]).output.hasPrefix("moonwire 0.1.0\n"))
    let help = try Program.run(["run", "--help"])
    #expect(help.code == 0)
    #expect(help.output.contains("--keep-going"))
  }

  @Test func `a reader that leaves ends the run quietly`() throws {
    let folder = try ScriptFolder(["counter.lua": ScriptFolder.counter])
    let result = try Program.shell(
      "yes counter/add | $MOONWIRE run \(folder.root) | head -n 1; echo ${PIPESTATUS[1]}")
    #expect(result.lines == ["counter.count  0 → 1", "0"])
    #expect(result.errors == "")
  }

  @Test(arguments: [("INT", "130"), ("TERM", "143")])
  func `a signal ends a script, its modules stopped`(signal: String, code: String) throws {
    let folder = try ScriptFolder([
      "m.lua": """
      return { on_start = function() print("began") end, on_stop = function() print("ended") end }
      """
    ])
    // An answer shows that it is ready for the signal. Its input stays open to the end.
    let result = try Program.shell(
      """
      coproc HOST { exec $MOONWIRE run \(folder.root) 2>&1; }
      pid=$HOST_PID
      echo '= "ready"' >&${HOST[1]}
      while read -r line <&${HOST[0]} && [ "$line" != '"ready"' ]; do echo "$line"; done
      kill -\(signal) $pid
      cat <&${HOST[0]}
      wait $pid; echo $?
      """)
    #expect(result.lines == ["m  info  began", "m  info  ended", code])
  }

  @Test func `a loop in an evaluation is stopped by a signal`() throws {
    let folder = try ScriptFolder()
    let result = try Program.shell(
      """
      coproc HOST { exec $MOONWIRE run \(folder.root) 2>&1; }
      pid=$HOST_PID
      echo '= print("go"); while true do end' >&${HOST[1]}
      while read -r line <&${HOST[0]} && [ "$line" != go ]; do :; done
      kill -INT $pid; cat <&${HOST[0]} >/dev/null; wait $pid; echo $?
      """)
    #expect(result.lines == ["130"])
  }
}
