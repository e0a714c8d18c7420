import Foundation
import MoonTestSupport
import Testing

/// Failures of the environment are reported, and lose nothing that can be kept.
@Suite(.ownThread) struct HostFaultTests {
  private static let counter = ["counter.lua": ScriptFolder.counter]

  /// A program that runs while a bash script acts: `await TEXT` reads its lines up to one with this
  /// text, `say LINE` types a line, and `end` closes its input and waits.
  func session(
    _ folder: ScriptFolder, _ options: String = "", before: String = "", _ steps: String
  ) throws -> Program.Result {
    try Program.shell(
      """
      await() { while read -r line <&${HOST[0]}; do echo "$line"
        [[ $line == *"$1"* ]] && return; done; }
      say() { echo "$1" >&$input; }
      end() { exec {input}>&-; cat <&$output; wait $pid; echo "code $?"; }
      coproc HOST { exec \(before) $MOONWIRE run \(folder.root) \(options) 2>&1; }
      pid=$HOST_PID
      exec {input}>&${HOST[1]} {output}<&${HOST[0]}
      eval "exec ${HOST[1]}>&-"
      say '= "ready"'; await '"ready"'
      \(steps)
      """)
  }

  @Test(arguments: [("INT", 130), ("TERM", 143), ("HUP", 129)])
  func `a signal stops the modules and keeps the state`(signal: String, code: Int) throws {
    let folder = try ScriptFolder([
      "m.lua": """
      return { state = { n = 0 },
        reducers = { add = function(state) state.n = state.n + 1 end },
        on_stop = function() print("ended") end }
      """
    ])
    let file = URL(filePath: folder.outside).appending(path: "out.json")
    let result = try session(
      folder, "--state \(file.path)",
      """
      say m/add; await 'm.n  0 → 1'
      kill -\(signal) $pid; cat <&$output; wait $pid; echo "code $?"
      """)
    #expect(result.lines.suffix(2) == ["m  info  ended", "code \(code)"])
    #expect(
      try String(contentsOf: file, encoding: .utf8)
        == ScriptFolder.saved("m", "{\"n\":1}", shape: "{\"n\":true}") + "\n")
  }

  @Test func `a signal that finds a loop ends it and keeps the state before it`() throws {
    let folder = try ScriptFolder([
      "m.lua": """
      return { state = { n = 0 }, reducers = {
        add = function(state) state.n = state.n + 1 end,
        spin = function(state) state.n = 9 while true do end end } }
      """
    ])
    let result = try session(
      folder, "--state - --limit reducer=off",
      """
      say m/add; await 'm.n  0 → 1'
      say m/spin
      kill -TERM $pid; cat <&$output; wait $pid; echo "code $?"
      """)
    #expect(result.lines.contains(ScriptFolder.saved("m", "{\"n\":1}", shape: "{\"n\":true}")))
    #expect(result.lines.last == "code 143")
  }

  @Test func `a program that is stopped and goes on loses nothing of its budgets`() throws {
    let folder = try ScriptFolder([
      "m.lua": """
      return { state = { n = 0 }, reducers = {
        work = function(s) print("begun") for i = 1, 3e7 do end s.n = s.n + 1 end,
        spin = function() while true do end end } }
      """
    ])
    let result = try session(
      folder, "--limit reducer=2s --keep-going",
      """
      say m/work; await begun
      kill -STOP $pid; sleep 3; kill -CONT $pid; await 'm.n'
      say m/spin; await 'm/spin'
      say m/work; await 'm.n'
      end
      """)
    #expect(result.lines.contains("m.n  0 → 1"))
    #expect(result.lines.contains { $0.contains("ran longer than") }, "\(result.lines)")
    #expect(result.lines.contains("m.n  1 → 2"))
  }

  @Test func `a state that can't be written leaves the old file as it was`() throws {
    let folder = try ScriptFolder([
      "m.lua": """
      return { state = { text = string.rep("x", 100000) },
        reducers = { go = function(state) state.done = true end } }
      """
    ])
    let place = URL(filePath: folder.outside)
    let file = place.appending(path: "out.json")
    try Data("old\n".utf8).write(to: file)
    let result = try Program.shell(
      "ulimit -f 8; $MOONWIRE run \(folder.root) --dispatch m/go --state \(file.path)")
    #expect(result.code == 73)
    #expect(
      result.errors == """
        error: the state can't be written to \(file.path)
          File too large
          help         make room there, or name another place: --state FILE

        """)
    #expect(try String(contentsOf: file, encoding: .utf8) == "old\n")
    #expect(try FileManager.default.contentsOfDirectory(atPath: place.path).count == 2)
    let full = try Program.run(
      ["run", folder.root, "--dispatch", "m/go", "--state", "/dev/full"])
    #expect(full.code == 73)
    #expect(full.errors.contains("No space left on device"))
  }

  @Test func `a state goes where a link leads, with the mode that the file had`() throws {
    let folder = try ScriptFolder(Self.counter)
    let place = URL(filePath: folder.outside)
    let (file, link) = (place.appending(path: "out.json"), place.appending(path: "link.json"))
    try Data("old\n".utf8).write(to: file)
    try FileManager.default.setAttributes([.posixPermissions: 0o640], ofItemAtPath: file.path)
    try FileManager.default.createSymbolicLink(
      atPath: link.path, withDestinationPath: "out.json")
    let result = try Program.run(
      ["run", folder.root, "--dispatch", "counter/add", "--state", link.path])
    #expect(result.code == 0)
    #expect(try String(contentsOf: file, encoding: .utf8) == ScriptFolder.savedCounter(1) + "\n")
    #expect(try FileManager.default.destinationOfSymbolicLink(atPath: link.path) == "out.json")
    let mode = try FileManager.default.attributesOfItem(atPath: file.path)[.posixPermissions]
    #expect(mode as? Int == 0o640)
    #expect(try FileManager.default.contentsOfDirectory(atPath: place.path).count == 3)
  }

  /// Redirections, the exit code, and the message if it can still be printed.
  static let streams: [(redirection: String, code: Int32, said: String)] = [
    (">&-", 0, ""), ("2>&-", 0, ""), (">&- 2>&-", 0, ""), ("--json >&-", 0, ""),
    (">/dev/full", 74, "error: the results can't be written: No space left on device\n"),
    ("2>/dev/full", 0, ""), ("--keep-going >&-", 0, ""),
    ("<&-", 66, "error: standard input can't be read: Bad file descriptor\n"),
    ("</", 66, "error: standard input can't be read: Is a directory\n"),
  ]

  @Test(arguments: streams)
  func `a stream that is closed or full harms nothing else`(
    redirection: String, code: Int32, said: String
  ) throws {
    let folder = try ScriptFolder(Self.counter)
    let file = URL(filePath: folder.outside).appending(path: "out.json")
    let result = try Program.shell(
      "echo counter/add | $MOONWIRE run \(folder.root) --state \(file.path) \(redirection)")
    #expect(result.code == code)
    #expect(result.errors == said)
    // The file has nothing but the state, whatever its descriptor was.
    let state = try String(contentsOf: file, encoding: .utf8)
    #expect(state == ScriptFolder.savedCounter(code == 66 ? 0 : 1) + "\n")
  }

  @Test func `a check whose result can't be written isn't a good one`() throws {
    let folder = try ScriptFolder(Self.counter)
    let result = try Program.shell("$MOONWIRE check \(folder.root) >/dev/full")
    #expect(result.code == 74)
    #expect(result.errors.contains("the results can't be written: No space left on device"))
  }

  @Test(arguments: [4, 5, 8, 12, 16, 20, 24])
  func `too few descriptors are named, and enough are enough`(count: Int) throws {
    let folder = try ScriptFolder(Self.counter)
    let result = try Program.shell(
      "ulimit -n \(count); exec $MOONWIRE run \(folder.root) --dispatch counter/add")
    if result.code == 0 {
      #expect(result.output == "counter.count  0 → 1\n")
    } else {
      #expect(result.code == 70)
      #expect(result.errors.contains("more, and needs 16: Too many open files"))
      #expect(result.errors.contains("help         raise the limit: ulimit -n 256"))
    }
    #expect((result.code == 0) == (count >= 20))
  }

  @Test func `too little memory is named before anything runs, and what to do about it`() throws {
    let folder = try ScriptFolder([
      "m.lua": """
      return { state = { n = 0 }, reducers = {
        add = function(s) s.n = s.n + 1 end,
        grow = function() local t = {} for i = 1, 1e9 do t[i] = ("x"):rep(1000) .. i end end } }
      """
    ])
    func run(_ options: String) throws -> Program.Result {
      try Program.shell(
        """
        ulimit -v 760000; exec $MOONWIRE run \(folder.root) \(options) --keep-going \
          --dispatch m/add --dispatch m/grow --dispatch m/add
        """)
    }
    let refused = try run("")
    #expect(refused.code == 70)
    #expect(refused.output == "")
    #expect(refused.errors.contains("`ulimit -v` leaves "))
    #expect(refused.errors.contains("to hold a module to its 64 MB"))
    let help = try #require(refused.errors.split(separator: "--limit memory=").last)
    let megabytes = try #require(Int(help.prefix { $0.isNumber }))
    #expect(refused.errors.contains("raise the limit: ulimit -v unlimited"))
    // The message is sufficient.
    let run = try run("--limit memory=\(megabytes)MB")
    #expect(run.code == 65, "\(run.errors)")
    #expect(run.errors.contains("memory"))
    #expect(run.output.contains("m.n  1 → 2"))
  }

  @Test(.enabled(if: Program.has("prlimit"), "prlimit isn't there"))
  func `without descriptors loaded modules keep running, and a later save is seen`() throws {
    let folder = try ScriptFolder(Self.counter)
    let result = try session(
      folder, "",
      """
      prlimit --pid $pid --nofile=3:
      echo '-- new' >> \(folder.root)/counter.lua; await meanwhile
      say counter/add; await '0 → 1'
      prlimit --pid $pid --nofile=1024:
      echo '-- newer' >> \(folder.root)/counter.lua; await 'counter 1→2'
      say counter/add; await '1 → 2'
      end
      """)
    #expect(
      result.lines.contains("warning: \(folder.root) can't be read: Too many open files"))
    #expect(result.lines.contains("the script directory is there again"))
    #expect(result.lines.last == "code 0")
  }

  @Test func `a directory that goes and returns is told, and the app runs on`() throws {
    let folder = try ScriptFolder(Self.counter)
    let result = try session(
      folder, "",
      """
      mv \(folder.root) \(folder.root).away; await meanwhile
      say counter/add; await '0 → 1'
      mv \(folder.root).away \(folder.root); await again
      echo '-- new' >> \(folder.root)/counter.lua; await 'counter 1→2: state kept'
      say counter/add; await '1 → 2'
      end
      """)
    #expect(result.lines.contains("warning: there is no directory \(folder.root)"))
    #expect(
      result.lines.contains(
        "meanwhile    loaded modules keep running, and the host waits for the directory"))
    #expect(result.lines.last == "code 0")
  }

  /// The exhausted resource, by the kernel's name, and the message.
  static let exhausted: [(limit: String, cause: String)] = [
    ("max_inotify_instances", "Too many open files"),
    ("max_inotify_watches", "No space left on device"),
  ]

  /// Whether limits of inotify can be set for one process.
  private static func canLimitInotify() async throws -> Bool {
    try await OwnThread.run {
      try Program.shell("unshare -Ur sh -c 'echo 9 > /proc/sys/user/max_inotify_watches'").code == 0
    }
  }

  @Test(
    .enabled("user namespaces aren't to be had") { try await canLimitInotify() },
    arguments: exhausted)
  func `without inotify files are looked at instead`(limit: String, cause: String) throws {
    let folder = try ScriptFolder(Self.counter)
    let result = try session(
      folder,
      before: "unshare -Ur sh -c 'echo 0 > /proc/sys/user/\(limit); exec \"$@\"' sh",
      """
      echo '-- new' >> \(folder.root)/counter.lua; await 'counter 1→2: state kept'
      end
      """)
    #expect(
      result.output.contains(
        """
        warning: the system can't tell when files change (\(cause))
        they are looked at every 500 ms instead
        help         raise the limit: sudo sysctl fs.inotify.
        """))
    #expect(result.lines.last == "code 0")
  }

  @Test func `polling sees what is saved`() throws {
    let folder = try ScriptFolder(Self.counter)
    let result = try session(
      folder, "--poll",
      """
      echo '-- new' >> \(folder.root)/counter.lua; await 'counter 1→2: state kept'
      end
      """)
    #expect(!result.output.contains("warning"))
    #expect(result.lines.last == "code 0")
  }

  @Test(
    .enabled(if: getuid() == 0 && Program.has("setpriv"), "only root can become somebody else"),
    arguments: [2, 3, 5, 8, 11, 12, 13, 16])
  func `too few threads are named, and enough are enough`(count: Int) throws {
    let folder = try ScriptFolder(Self.counter)
    try folder.admitOthers()
    // A user without other processes, such as those of the other counts.
    let result = try Program.shell(
      """
      exec setpriv --reuid=\(2_000_000 + Int(getpid()) * 32 + count) --regid=65534 --clear-groups \
        bash -c 'ulimit -u \(count); exec $MOONWIRE run \(folder.root) --dispatch counter/add'
      """)
    if result.code == 0 {
      #expect(result.output == "counter.count  0 → 1\n")
    } else {
      #expect(result.code == 70)
      #expect(
        result.errors.contains("more, and needs 12: Resource temporarily unavailable"))
    }
    #expect((result.code == 0) == (count > 12))
  }

  @Test(.enabled(if: Program.hasNobody, "setpriv isn't there"))
  func `a file that another may not read is named`() throws {
    let folder = try ScriptFolder(["secret.lua": "return {}", "counter.lua": ScriptFolder.counter])
    try folder.admitOthers()
    try FileManager.default.setAttributes(
      [.posixPermissions: 0], ofItemAtPath: folder.root + "/secret.lua")
    let result = try Program.shell(
      "exec \(Program.asNobody)$MOONWIRE run \(folder.root) --dispatch counter/add")
    #expect(result.output == "counter.count  0 → 1\n")
    #expect(
      result.errors == """
        error: secret.lua can't be used
          Permission denied
          help         see who may read it
          meanwhile    secret isn't in service

        """)
  }
}
