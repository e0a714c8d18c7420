import Foundation
import MoonTestSupport
import Testing

/// What built-in modules do with the program that runs them.
@Suite(.ownThread, .timeLimit(.minutes(5))) struct BuiltInRunTests {
  private static let app = [
    "counter.lua": ScriptFolder.counter,
    "app.lua": """
    local moon = require "moonwire"
    return { state = { log = moon.list() },
      reducers = { ["app/*"] = function(s, _, action) table.insert(s.log, action.type) end,
        ["crash/did"] = function(s, payload)
          table.insert(s.log, "crash " .. (payload.signal or "-"))
        end } }
    """,
  ]

  /// Starts the program in the background with a pipe as its input, and carries out lines of bash.
  ///
  /// `seen TEXT` waits until the program has printed it, and `$!` is its id.
  private func run(
    _ folder: ScriptFolder, _ options: String, _ lines: String
  ) throws -> Program.Result {
    try Program.shell(
      """
      cd \(folder.outside)
      rm -f lines; mkfifo lines
      seen() { until grep -qF -e "$1" shown; do sleep 0.02; done; }
      SWIFT_BACKTRACE=enable=no "$MOONWIRE" run app --data data \(options) < lines > shown 2>&1 &
      exec 3> lines
      \(lines)
      exec 3>&-
      wait $!; code=$?
      cat shown
      exit $code
      """)
  }

  @Test func `the program's stop, continuation and end are told`() throws {
    let folder = try ScriptFolder(Self.app)
    let run = try run(
      folder, "--with lifecycle --state state",
      """
      echo counter/add >&3; seen counter.count
      kill -TSTP $!
      until [ "$(ps -o stat= -p $! | cut -c1)" = T ]; do sleep 0.02; done
      kill -CONT $!
      until grep -qF app/resumed shown; do echo ':state app' >&3; sleep 0.05; done
      kill -TERM $!
      # The end of its input would end it too.
      while ps -o stat= -p $! | grep -qv Z; do sleep 0.02; done
      """)
    #expect(run.code == 143)
    let state = try String(contentsOfFile: folder.path("../state"), encoding: .utf8)
    let told = ["started", "suspended", "resumed", "will_terminate"].map { "\"app/\($0)\"" }
    #expect(state.contains("[\(told.joined(separator: ","))]"), "\(state) \(run)")
  }

  @Test(arguments: [("SEGV", 139, "SIGSEGV"), ("ABRT", 134, "SIGABRT"), ("KILL", 137, "-")])
  func `the run after a crash is told before it starts, and has its recording`(
    signal: String, code: Int32, name: String
  ) throws {
    let folder = try ScriptFolder(Self.app)
    let crashed = try run(
      folder, "--with debug,lifecycle",
      "echo counter/add >&3; seen 'counter.count  0'; kill -\(signal) $!; wait $!")
    #expect(crashed.code == code, "\(crashed)")
    #expect(crashed.output.contains("crash/will {\"signal\":\"\(name)\"}") == (name != "-"))
    let next = try Program.run(
      [
        "run", folder.root, "--data", folder.path("../data"), "--with",
        "lifecycle,recorder,reporter,crash_detector",
      ], input: ":state app.log\n")
    #expect(next.lines.contains("[\"crash \(name)\", \"app/started\"]"), "\(next)")
    #expect(next.errors.contains("recordings/recording-1.jsonl"), "\(next)")
    let clean = try Program.run(
      ["run", folder.root, "--data", folder.path("../data"), "--with", "crash_detector,lifecycle"],
      input: ":state app.log\n")
    #expect(clean.output == "[\"app/started\"]\n" && clean.errors == "", "\(clean)")
  }

  @Test(.enabled(if: TerminalScreen.isAvailable, "tmux isn't installed"))
  func `Ctrl-Z at the prompt is told, and so is the return`() throws {
    let folder = try ScriptFolder(Self.app)
    let screen = try TerminalScreen(
      running: ["/bin/bash", "--norc", "-i"],
      environment: [
        "MOONWIRE_HISTORY": "", "NO_COLOR": "1", "EDITRC": "/dev/null", "PS1": "shell> ",
        "MOONWIRE": Program.executable.path, "HOME": folder.outside,
      ], directory: folder.outside)
    try screen.wait(forEnd: "shell>")
    try screen.enter("$MOONWIRE run app --data data --with lifecycle")
    try screen.wait(forEnd: "app>")
    try screen.press("C-z")
    try screen.wait(for: "the shell") { $0.hasSuffix("shell>") && $0.contains("Stopped") }
    try screen.enter("fg")
    try screen.wait(forEnd: "app>")
    try screen.enter(":state app.log")
    try screen.wait(for: "the events") {
      $0.contains(#"["app/started", "app/suspended", "app/resumed"]"#)
    }
  }

  @Test func `a recording begins and ends at the prompt`() throws {
    let folder = try ScriptFolder(Self.app)
    func run(_ input: String) throws -> Program.Result {
      try Program.run(
        ["run", folder.root, "--keep-going"], input: input, directory: folder.outside)
    }
    let first = try run(
      """
      counter/add
      :record
      :record bug.jsonl
      counter/add by=2
      :record
      :record other.jsonl
      :record stop
      counter/add by=100
      :record stop
      :record bug.jsonl
      :record /no/where
      """)
    #expect(
      first.output == """
        counter.count  0 → 1
        nothing is being recorded: :record FILE begins
        being recorded in bug.jsonl
        counter.count  1 → 3
        being recorded in bug.jsonl
        recorded in bug.jsonl
        counter.count  3 → 103
        nothing is being recorded: :record FILE begins

        """)
    for text in [
      "is already being recorded", "there is a file already", "its directory doesn't exist",
    ] {
      #expect(first.errors.contains(text), "\(text): \(first.errors)")
    }
    let replayed = try Program.run(["replay", folder.path("../bug.jsonl"), folder.root])
    #expect(replayed.output == "1 action replayed: every state is as recorded\n", "\(replayed)")
  }

  @Test(arguments: ["1", "0d", "-1d", "+1d", "1w", "99999999d", "d", "1.5h"])
  func `an age that is none is refused`(age: String) throws {
    let run = try Program.run(["run", "/", "--journal", "j", "--journal-age=\(age)"])
    #expect(run.code == 64 && run.errors.contains("30d"), "\(run)")
  }

  @Test func `an age needs a journal`() throws {
    let run = try Program.run(["run", "/", "--journal-age", "30d"])
    #expect(run.code == 64 && run.errors.contains("--journal, --resume or --keep"), "\(run)")
  }
}
