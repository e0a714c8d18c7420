import Foundation
import MoonPrompt
import MoonTerminal
import MoonTestSupport
import Testing

@testable import MoonCommand
@testable import Moonwire

/// The destinations and sources of a state, and the effects of failures.
@Suite(.ownThread) struct StateFileTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func path(_ name: String) -> String { folder.path + "/" + name }

  private func names() throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
  }

  @Test func `looking at a place makes nothing there`() throws {
    _ = try StateFile(path: path("new.json"))
    #expect(try names() == [])
    try Data("old".utf8).write(to: URL(filePath: path("old.json")))
    _ = try StateFile(path: path("old.json"))
    #expect(try String(contentsOfFile: path("old.json"), encoding: .utf8) == "old")
  }

  @Test func `a file is written once`() throws {
    let file = try StateFile(path: path("out.json"))
    #expect(try file.write(["a": ["n": 1]], format: .text) == [])
    #expect(try file.write(["a": ["n": 2]], format: .text) == [])
    #expect(try String(contentsOfFile: path("out.json"), encoding: .utf8) == "{\"a\":{\"n\":1}}\n")
    #expect(try names() == ["out.json"])
  }

  @Test func `a link that leads nowhere yet is followed`() throws {
    symlink("deep/../real.json", path("link.json"))
    mkdir(path("deep"), 0o755)
    _ = try StateFile(path: path("link.json")).write([:], format: .text)
    #expect(try names() == ["deep", "link.json", "real.json"])
    symlink("loop.json", path("loop.json"))
    #expect(throws: StateFileError.system(path: path("loop.json"), code: ELOOP)) {
      try StateFile(path: path("loop.json"))
    }
  }

  @Test func `the earlier file is kept where that is asked for, under a name that is free`() throws
  {
    for number in 1...3 {
      let file = try StateFile(path: path("out.json"))
      _ = try file.write(["a": [.int(Int64(number))]], format: .text, keepingEarlier: .kept)
    }
    #expect(try names() == ["out.json", "out.json.before", "out.json.before2"])
    #expect(
      try String(contentsOfFile: path("out.json.before"), encoding: .utf8) == "{\"a\":[1]}\n")
    #expect(
      try String(contentsOfFile: path("out.json.before2"), encoding: .utf8) == "{\"a\":[2]}\n")
  }

  @Test func `a state that can't get its name stays under another, which is told`() throws {
    let file = try StateFile(path: path("out.json"))
    // A directory of that name was created after the check.
    mkdir(path("out.json"), 0o755)
    let error = #expect(throws: StateFileError.self) {
      try file.write(["a": ["n": 1]], format: .text)
    }
    guard case .misplaced(_, let temporary, _)? = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(try String(contentsOfFile: temporary, encoding: .utf8) == "{\"a\":{\"n\":1}}\n")
    let report = try #require(error).report.text(.plain)
    #expect(report.contains("meanwhile    it is in \(temporary)"))
  }

  @Test func `a pipe without a reader is refused, and one with a reader gets the state`() throws {
    mkfifo(path("pipe"), 0o600)
    #expect(throws: StateFileError.noReader(path: path("pipe"))) {
      try StateFile(path: path("pipe"))
    }
    let reader = open(path("pipe"), O_RDONLY | O_NONBLOCK)
    defer { close(reader) }
    _ = try StateFile(path: path("pipe")).write(["a": ["n": 1]], format: .json)
    var bytes = [UInt8](repeating: 0, count: 100)
    let count = read(reader, &bytes, bytes.count)
    #expect(String(decoding: bytes[..<max(0, count)], as: UTF8.self) == "{\"a\":{\"n\":1}}\n")
  }

  @Test func `a directory, a socket and a place that isn't there are refused`() throws {
    let address = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
    defer { close(address) }
    var name = sockaddr_un()
    name.sun_family = sa_family_t(AF_UNIX)
    _ = withUnsafeMutableBytes(of: &name.sun_path) { bytes in
      path("socket").utf8.enumerated().map { bytes[$0] = $1 }
    }
    let length = socklen_t(MemoryLayout<sockaddr_un>.size)
    _ = withUnsafePointer(to: &name) { name in
      name.withMemoryRebound(to: sockaddr.self, capacity: 1) { bind(address, $0, length) }
    }
    #expect(throws: StateFileError.notWritable(path: path("socket"))) {
      try StateFile(path: path("socket"))
    }
    #expect(throws: StateFileError.system(path: folder.path, code: EISDIR)) {
      try StateFile(path: folder.path)
    }
    #expect(throws: StateFileError.system(path: path("no/x"), code: ENOENT)) {
      try StateFile(path: path("no/x"))
    }
    #expect(throws: StateFileError.self) { try StateFile(path: "") }
  }

  @Test func `a pipe that stays silent is given up`() throws {
    mkfifo(path("pipe"), 0o600)
    let silence = Duration.milliseconds(30)
    let error = RestoreFileError.silent(path: path("pipe"), silence)
    #expect(throws: error) { try RestoreFile.contents(at: path("pipe"), silenceMax: silence) }
    // A possible writer makes no difference.
    let writer = open(path("pipe"), O_RDWR | O_NONBLOCK)
    defer { close(writer) }
    #expect(throws: error) { try RestoreFile.contents(at: path("pipe"), silenceMax: silence) }
    #expect(throws: RestoreFileError.self) {
      try RestoreFile.contents(at: "/dev/ptmx", silenceMax: silence)
    }
    #expect(throws: RestoreFileError.self) { try RestoreFile.contents(at: "/dev/null") }
  }

  // MARK: From outside

  @Test func `the changes leave standard output to the state`() throws {
    let scripts = try ScriptFolder(["counter.lua": ScriptFolder.counter])
    let script = "counter/add by=2\n= 'x'\n= print('hi')\n:state\n"
    let run = try Program.run(["run", scripts.root, "--state", "-"], input: script)
    #expect(run.output == ScriptFolder.savedCounter(2) + "\n")
    #expect(run.errors == "counter.count  0 → 2\n\"x\"\nhi\n{counter = {count = 2}}\n")
    for path in ["-", "/dev/stdout", "/dev/fd/1", "/proc/self/fd/1"] {
      let file = self.path("out")
      let result = try Program.shell(
        "echo counter/add | $MOONWIRE run \(scripts.root) --json --state \(path) >\(file)")
      #expect(result.errors == "" && result.code == 0)
      let lines = try String(contentsOfFile: file, encoding: .utf8).split(separator: "\n")
      #expect(lines.count == 2)
      let saved = ScriptFolder.savedCounter(1)
      #expect(lines.last == "{\"kind\":\"state\",\"path\":\"\",\"v\":1,\"value\":\(saved)}")
    }
  }

  @Test func `what could steer a terminal is escaped on standard output`() throws {
    let nasty = "\u{9B}2J\u{7F}\u{202E}\u{2066}\u{200F}\u{2028}\u{85}"
    let scripts = try ScriptFolder([
      "m.lua": """
      return { state = { ["\(nasty)"] = "\(nasty)" },
        reducers = { go = function(state) state.x = "\(nasty)" end } }
      """
    ])
    let lines = "m/go\n:state\n= '\(nasty)'\nm/\(nasty)\n:\(nasty)\n= error('\(nasty)')\n"
    for options in [["--state", "-"], ["--json", "--state", "-"], ["--json"], []] {
      let run = try Program.run(
        ["run", scripts.root, "--keep-going"] + options, input: lines)
      for text in [run.output, run.errors] {
        #expect(!text.unicodeScalars.contains { $0 != "\n" && needsEscape($0) }, "\(text)")
      }
      if options.contains("--json") {
        #expect(run.output.contains("\\u009b2J\\u007f\\u202e\\u2066\\u200f\\u2028\\u0085"))
      }
    }
  }

  private func needsEscape(_ scalar: Unicode.Scalar) -> Bool {
    scalar.properties.generalCategory == .control
      || "\u{202E}\u{2066}\u{200F}\u{2028}"
        .unicodeScalars.contains(scalar)
  }

  @Test func `a signal while modules load leaves no file, and an earlier one as it was`() throws {
    let scripts = try ScriptFolder(["m.lua": "print('loading') while true do end"])
    for before in [nil, "old"] {
      let file = path("out.json")
      if let before { try Data(before.utf8).write(to: URL(filePath: file)) }
      for signal in ["TERM", "KILL"] {
        let run = try Program.shell(
          """
          coproc HOST { exec $MOONWIRE run \(scripts.root) --limit load=off --state \(file) 2>&1; }
          pid=$HOST_PID
          while read -r line <&${HOST[0]} && [[ $line != *loading* ]]; do :; done
          kill -\(signal) $pid; wait $pid; echo $?
          """)
        #expect(run.output == (signal == "TERM" ? "143\n" : "137\n"))
        #expect(try names() == (before == nil ? [] : ["out.json"]))
        #expect((try? String(contentsOfFile: file, encoding: .utf8)) == before)
      }
    }
  }

  @Test func `a signal during long work of the host keeps the state`() throws {
    // The host adopts the reducer's result, which no signal interrupts.
    let scripts = try ScriptFolder([
      "m.lua": """
      return { state = { n = 0 }, reducers = {
        add = function(state) state.n = state.n + 1 end,
        grow = function(state)
          local all = {}
          for i = 1, 1500000 do all[i] = i end
          print("returning")
          return { n = state.n, all = all }
        end } }
      """
    ])
    let file = path("out.json")
    let run = try Program.shell(
      """
      coproc HOST { exec $MOONWIRE run \(scripts.root) --limit reducer=off --limit memory=off \
        --limit state=off --state \(file) 2>&1; }
      pid=$HOST_PID
      printf 'm/add\\nm/grow\\n' >&${HOST[1]}
      while read -r line <&${HOST[0]} && [[ $line != *returning* ]]; do :; done
      kill -TERM $pid; cat <&${HOST[0]} >/dev/null; wait $pid; echo $?
      """)
    #expect(run.output == "143\n")
    #expect(try String(contentsOfFile: file, encoding: .utf8).contains("\"n\":1"))
    #expect(try names() == ["out.json"])
  }

  @Test func `a slice that can't be read costs nothing, not even itself`() throws {
    let scripts = try ScriptFolder(["counter.lua": ScriptFolder.counter])
    let deep = String(repeating: "[", count: 65) + String(repeating: "]", count: 65)
    let text = "{\"counter\":{\"count\":5},\"other\":\(deep)}\n"
    let file = path("state.json")
    try Data(text.utf8).write(to: URL(filePath: file))
    let run = try Program.run(
      ["run", scripts.root, "--restore", file, "--state", file], input: "counter/add\n")
    #expect(run.output == "counter.count  5 → 6\n" && run.code == 0)
    #expect(
      run.errors == """
        warning: the slice of other can't be read: it begins as without a state
          \(file):1: column 96: lists and maps are nested deeper than 64
          meanwhile    the file is kept as \(file).before when it is written again

        """)
    #expect(try String(contentsOfFile: file + ".before", encoding: .utf8) == text)
    #expect(
      try String(contentsOfFile: file, encoding: .utf8)
        == ScriptFolder.savedCounter(6) + "\n")
  }
}
