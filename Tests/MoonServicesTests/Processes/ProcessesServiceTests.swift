import Foundation
import MoonServices
import MoonTestSupport
import Moonwire
import Testing

/// `moon.processes`, called from effects.
@Suite(.timeLimit(.minutes(5))) struct ProcessesServiceTests {
  private func bench(
    _ effect: String, needs: [String] = ["run:*", "env:*", "read:*"],
    allowed: [String]? = nil, in folder: ScriptFolder? = nil,
    _ set: (inout HostOptions) -> Void = { _ in }
  ) async throws -> EffectBench {
    try await EffectBench(
      effect, services: [.processes], needs: needs, allowed: allowed, in: folder, set)
  }

  private func told(
    _ effect: String, needs: [String] = ["run:*", "env:*", "read:*"],
    allowed: [String]? = nil, in folder: ScriptFolder? = nil,
    _ set: (inout HostOptions) -> Void = { _ in }
  ) async throws -> [String] {
    let bench = try await bench(effect, needs: needs, allowed: allowed, in: folder, set)
    try await bench.start()
    let told = try await bench.finish()
    await bench.host.close()
    return told
  }

  @Test func `a program gets its arguments as they are, and its output and status come back`()
    async throws
  {
    #expect(
      try await told(
        """
        local run = moon.processes.run
        local result = run { "printf", "%s|", "a b", "$HOME", "*", ";", "" }
        tell(result.status, result.output, result.errors == "", result.signal)
        tell(run({ "cat" }, { input = "a\\0b" }).output == "a\\0b", run { "cat" }.output == "")
        result = run { "sh", "-c", "echo out; echo err >&2; exit 3" }
        tell(result.status, result.output, result.errors)
        result = run { command = { "sh", "-c", "kill -9 $$" } }
        tell(result.status, result.signal)
        tell(#run { "head", "-c", "100000", "/dev/zero" }.output)
        """) == [
          "0 a b|$HOME|*|;|| true nil", "true true", "3 out\n err\n", "nil SIGKILL", "100000",
        ])
  }

  @Test(arguments: [
    ("{ 'no-such-program' }", "not_found"), ("{ '/no/such' }", "not_found"),
    ("{ '/' }", "not_executable"), ("{ './plain' }", "not_executable"),
    ("{ './broken' }", "not_executable"), ("{}", "bad_argument"), ("{ '' }", "bad_argument"),
    ("{ 'true', 'a\\0b' }", "bad_argument"), ("{ 'true', 5 }", "bad_argument"),
    ("'true'", "bad_argument"), ("{ 'true', timeout = -1 }", "bad_argument"),
    ("{ 'true', time = 1 }", "bad_argument"), ("{ 'true', directory = 'none' }", "no_directory"),
    ("{ 'true', environment = { ['A=B'] = 'x' } }", "bad_argument"),
    ("{ 'true', environment = { A = 5 } }", "bad_argument"),
    ("{ 'true', environment = { ['1'] = 'x' } }", "bad_argument"),
    ("{ 'true', environment = { A = 'x\\0' } }", "bad_argument"),
    ("{ 'yes', max = 1000 }", "output_too_large"),
    ("{ 'sleep', '100', timeout = 0.05 }", "timed_out"),
    ("{ 'true', ('x'):rep(200000) }", "arguments_too_long"), ("{ 'true' }", "done"),
    ("{ 'head', '-1', input = ('line\\n'):rep(150000) }", "done"),
    ("{ 'true', input = ('line\\n'):rep(150000) }", "done"),
  ])
  func `each fault has its code`(call: String, code: String) async throws {
    let folder = try ScriptFolder(["plain": "text", "broken": "#!/no/such/interpreter\n"])
    #expect(chmod(folder.path("broken"), 0o755) == 0)
    let expected = call.contains("broken") ? ["not_executable", "not_found"] : [code]
    let told = try await told("tell(fails(moon.processes.run, \(call)))", in: folder)
    #expect(told.count == 1 && expected.contains(told[0]), "\(told)")
  }

  @Test func `only granted programs are run`() async throws {
    let folder = try ScriptFolder(["tool": "#!/bin/sh\necho tool\n"])
    #expect(chmod(folder.path("tool"), 0o755) == 0)
    #expect(
      try await told(
        """
        tell(fails(moon.processes.run, { "true" }), fails(moon.processes.run, { "false" }))
        tell(fails(moon.processes.run, { "cat" }), fails(moon.processes.lines, { "cat" }))
        tell(fails(moon.processes.run, { "/bin/true" }), moon.processes.run { "./tool" }.output)
        """, needs: ["run:true", "run:\(folder.root)/*"], in: folder)
        == ["done not_needed", "not_needed not_needed", "not_needed tool\n"])
  }

  @Test func `a script's PATH has no say in what a granted name means`() async throws {
    let folder = try ScriptFolder(["evil/true": "#!/bin/sh\necho evil\n"])
    #expect(chmod(folder.path("evil/true"), 0o755) == 0)
    #expect(
      try await told(
        """
        local evil = "\(folder.path("evil"))"
        local result = moon.processes.run { "true", environment = { PATH = evil } }
        tell(result.status, result.output == "")
        """, needs: ["run:true", "env:PATH"], in: folder) == ["0 true"])
  }

  @Test func `a program runs only in directories that the module may read`() async throws {
    let folder = try ScriptFolder(["sub/x": ""])
    #expect(
      try await told(
        """
        tell(fails(moon.processes.run, { "true", directory = "/usr" }))
        tell(fails(moon.processes.run, { "true", directory = "sub" }))
        """, needs: ["run:true", "read:sub/"], in: folder) == ["not_needed", "done"])
  }

  @Test(arguments: [
    ("run:tool", ["denied", "denied"]), ("run:*/tool", ["denied", "denied"]),
    ("run:link", ["denied", "done"]), ("run:*/link", ["denied", "done"]),
    ("run:FOLDER/link", ["denied", "denied"]), ("run:other", ["done", "done"]),
  ])
  func `a denial of any name of a program refuses it`(
    denial: String, expected: [String]
  ) async throws {
    let folder = try ScriptFolder(["bin/tool": "#!/bin/sh\n"])
    #expect(chmod(folder.path("bin/tool"), 0o755) == 0)
    #expect(symlink("bin/tool", folder.path("link")) == 0)
    let scope = try Scope(parsing: denial.replacing("FOLDER", with: folder.root))
    let told = try await told(
      """
      tell(fails(moon.processes.run, { "./link" }))
      tell(fails(moon.processes.run, { "./bin/tool" }))
      """, in: folder
    ) { $0.grants.denied.append(Grants.Rule(scope)) }
    #expect(told == expected)
  }

  @Test func `a program runs in the script directory or where the script says`() async throws {
    let folder = try ScriptFolder(["sub/x": ""])
    let real = try #require(realpath(folder.root, nil).map { String(cString: $0) })
    #expect(
      try await told(
        """
        tell(moon.processes.run { "pwd" }.output, moon.processes.run { "pwd", directory = "sub" }.output)
        """, in: folder) == ["\(real)\n \(real)/sub\n"])
  }

  @Test func `a program gets few variables, no descriptor, no terminal and a session of its own`()
    async throws
  {
    let passed: Set = [
      "HOME", "LANG", "LANGUAGE", "LOGNAME", "PATH", "SHELL", "TMPDIR", "TZ", "USER", "OWN",
    ]
    let own = ProcessInfo.processInfo.environment.keys
    try #require(own.contains { !passed.contains($0) && !$0.hasPrefix("LC_") })
    let kept = open("/dev/null", O_RDONLY)  // Deliberately without O_CLOEXEC.
    defer { close(kept) }
    let told = try await told(
      """
      local names = moon.processes.run { "env", environment = { OWN = "1", HOME = false } }.output
      tell(names)
      tell(moon.processes.run { "sh", "-c", "ls /proc/self/fd" }.output:gsub("\\n", " "))
      tell(moon.processes.run { "sh", "-c", "ps -o sid= -p $$ | tr -d ' '; echo $$" }.output)
      """)
    let variables = (told.first ?? "").split(separator: "\n")
    #expect(variables.contains("OWN=1"))
    let names = Set(variables.map { String($0.prefix { $0 != "=" }) })
    #expect(names.contains("PATH") && !names.contains("HOME"))
    #expect(names.filter { !passed.contains($0) && !$0.hasPrefix("LC_") } == [])
    // 3 is the directory that ls reads.
    #expect(told.dropFirst().first?.hasPrefix("0 1 2 3 ") == true)
    let ids = (told.last ?? "").split(separator: "\n")
    #expect(ids.count == 2 && ids.first == ids.last, "\(told)")
  }

  @Test func `lines come while the program runs, and a failure at its end is an error`()
    async throws
  {
    #expect(
      try await told(
        """
        for line in moon.processes.lines { "printf", "a\\nb\\r\\n\\nc" } do tell("<" .. line .. ">") end
        local count = 0
        for line in moon.processes.lines { "seq", "5000" } do count = count + 1 end
        tell(count)
        for line in moon.processes.lines { "yes" } do tell(line) break end
        local lines = moon.processes.lines { "sh", "-c", "echo one; echo bad >&2; exit 4" }
        tell(lines:next())
        local done, problem = pcall(lines.next, lines)
        tell(problem.code, problem.reason:match("ended.*"))
        tell(fails(function() for line in moon.processes.lines { "sh", "-c", "kill $$" } do end end))
        for line in moon.processes.lines({ "cat" }, { input = "in" }) do tell(line) end
        tell(fails(function()
          for line in moon.processes.lines { "head", "-c", "1100000", "/dev/zero" } do end
        end))
        """) == [
          "<a>", "<b>", "<>", "<c>", "5000", "y", "one", "exit_status ended with status 4: bad",
          "signal", "in", "output_too_large",
        ])
  }

  /// A program that tells its number and ignores requests to end, as does its child.
  private static let stubborn = """
    #!/bin/sh
    trap '' TERM HUP INT
    (trap '' TERM HUP INT; while :; do sleep 1; done) &
    echo $! > child
    echo $$ > parent
    while :; do sleep 1; done
    """

  /// Waits until the program has started, and returns the numbers of its processes.
  private func processes(of folder: ScriptFolder) async -> [pid_t] {
    while !Task.isCancelled {
      let ids = ["parent", "child"].compactMap { name in
        pid_t(
          TextFile.contents(of: folder.path(name)).split(separator: "\n").first.map(String.init)
            ?? "")
      }
      if ids.count == 2 { return ids }
      await Task.yield()
    }
    return []
  }

  private func waitForEnd(of processes: [pid_t]) async {
    while !processes.allSatisfy(ProcessTable.hasEnded) { await Task.yield() }
  }

  @Test func `programs that write without end keep no threads once nobody reads them`()
    async throws
  {
    // More than there are threads in Swift's pool.
    #expect(
      try await told(
        """
        local all = {}
        for n = 1, 8 do
          all[n] = moon.processes.lines { "yes" }
          all[n]:next()
        end
        for n = 1, 8 do all[n]:close() end
        tell(moon.processes.run({ "echo", "still here" }).output)
        """) == ["still here\n"])
  }

  @Test(arguments: ["cancel", "reload", "session", "host", "timeout", "lines"])
  func `a program that ignores its end is ended with its children`(how: String) async throws {
    let folder = try ScriptFolder(["stubborn": Self.stubborn])
    #expect(chmod(folder.path("stubborn"), 0o755) == 0)
    let call =
      switch how {
      case "timeout": #"tell(fails(moon.processes.run, { "./stubborn", timeout = 2 }))"#
      case "lines": #"for line in moon.processes.lines { "./stubborn" } do end"#
      default: #"moon.processes.run { "./stubborn" }"#
      }
    let bench = try await bench(call, in: folder)
    try await bench.start()
    let processes = await processes(of: folder)
    switch how {
    case "cancel", "lines":
      for task in await bench.host.taskInfos(of: bench.session) {
        await bench.host.cancelTask(task.id, in: bench.session)
      }
    case "reload":
      try folder.save("m.lua", #"return require("moonwire").module { state = {} }"#)
      try await bench.host.load()
    case "session": await bench.host.closeSession(bench.session)
    case "host": await bench.host.close()
    default: #expect(try await bench.finish() == ["timed_out"])
    }
    await waitForEnd(of: processes)
    await bench.host.close()
  }

  @Test(
    arguments: ["cancel", "timeout"],
    [("", "echo yes > ended; exit"), ("trap '' TERM", "echo yes > ended; exit"), ("", "")])
  func `a child is asked to end and given time, whatever its program does`(
    how: String, traps: (program: String, child: String)
  ) async throws {
    let work = traps.child.isEmpty ? "" : "sleep 0.2; " + traps.child
    let folder = try ScriptFolder([
      "program": """
      #!/bin/sh
      sh -c 'trap "\(work)" TERM; echo $$ > child; while :; do sleep 0.01; done' &
      \(traps.program)
      echo $$ > parent
      while :; do sleep 0.01; done
      """
    ])
    #expect(chmod(folder.path("program"), 0o755) == 0)
    // Long enough for the child to start on a busy machine.
    let limit = how == "timeout" ? ", timeout = 2" : ""
    let bench = try await bench(
      #"tell(fails(moon.processes.run, { "./program"\#(limit) }))"#, in: folder)
    try await bench.start()
    let processes = await processes(of: folder)
    if how == "cancel" {
      for task in await bench.host.taskInfos(of: bench.session) {
        await bench.host.cancelTask(task.id, in: bench.session)
      }
    }
    await waitForEnd(of: processes)
    #expect(TextFile.contents(of: folder.path("ended")) == (work.isEmpty ? "" : "yes\n"))
    await bench.host.close()
  }

  @Test func `children that a program leaves behind are ended`() async throws {
    let folder = try ScriptFolder()
    let told = try await told(
      #"tell(moon.processes.run { "sh", "-c", "sleep 1000 & echo $!" }.output)"#, in: folder)
    let child = try #require(pid_t(told.first?.trimmingSuffix { $0 == "\n" } ?? ""))
    await waitForEnd(of: [child])
  }

  @Test func `one module runs only so many programs at a time`() async throws {
    let told = try await told(
      """
      local runs = {}
      for i = 1, 17 do
        runs[i] = function()
          return fails(moon.processes.run, { "sleep", "1000", timeout = 1 })
        end
      end
      local counts = {}
      for _, code in ipairs(moon.all(runs)) do counts[code] = (counts[code] or 0) + 1 end
      tell(counts.timed_out, counts.too_many)
      """)
    #expect(told == ["16 1"])
  }
}

extension String {
  fileprivate func trimmingSuffix(while predicate: (Character) -> Bool) -> Substring {
    var text = self[...]
    while let last = text.last, predicate(last) { text.removeLast() }
    return text
  }
}
