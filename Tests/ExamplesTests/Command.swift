import Foundation
import MoonTestSupport

/// The package's programs, run as a person would run them.
enum Command {
  /// The directory of the package.
  static let root = URL(filePath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent()

  /// The directory of the programs, which is that of the test runner.
  static let products = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath()
    .deletingLastPathComponent()

  /// The environment of the programs, which has nothing of this machine but the paths of programs.
  static var environment: [String: String] {
    let path = ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin"
    return ["PATH": "\(products.path):\(path)", "LANG": "C.UTF-8"]
  }

  /// Runs `moonwire` with `input` as its standard input.
  static func run(
    _ arguments: [String], input: String = ""
  ) throws -> (output: String, code: Int32) {
    try run("moonwire", arguments, input: input)
  }

  /// Runs a program of the package in the package's directory.
  ///
  /// Results and log are mixed, as on a terminal, because their order is part of the expectation.
  static func run(
    _ program: String, _ arguments: [String], input: String = ""
  ) throws -> (output: String, code: Int32) {
    try run([products.appending(path: program).path] + arguments, in: root, input: input)
  }

  /// Runs a session in a directory of scripts.
  ///
  /// A line `#$ cp next/a.lua a.lua`, which the prompt reads as a comment, stands for a command
  /// that a person runs in another terminal in that directory after the lines before it are done.
  /// The modules get an empty data directory, and what the options say.
  static func session(
    _ text: String, in folder: URL, _ options: [String] = ["--allow-all"]
  ) throws -> (output: String, code: Int32) {
    let data = try TemporaryFolder()
    let terminal = try Terminal(
      ["run", "--no-watch", "--data", data.path] + options + [folder.path])
    for line in text.split(separator: "\n") {
      try terminal.type(String(line))
      guard line.hasPrefix("#$ ") else { continue }
      try terminal.synchronize()
      _ = try shell(String(line.dropFirst(3)), in: folder)
    }
    let code = terminal.leave()
    return (terminal.output, code)
  }

  /// Returns the output of a line in a shell that finds the package's programs.
  ///
  /// - Throws: ``ShellFailure`` if a program fails that doesn't belong to the package.
  static func shell(_ line: String, in folder: URL) throws -> String {
    let (output, code) = try run(["/bin/sh", "-c", line], in: folder)
    guard code == 0 || line.contains("moonwire") else {
      throw ShellFailure(line: line, output: output)
    }
    return output
  }

  private static func run(
    _ words: [String], in folder: URL, input: String = ""
  ) throws -> (output: String, code: Int32) {
    let run = try ProgramRun(
      words[0], Array(words.dropFirst()), input: Array(input.utf8), environment: environment,
      directory: folder.path, areTogether: true)
    return (run.output, run.code)
  }

  /// The error of a line that a shell couldn't run.
  struct ShellFailure: Error {
    let line: String
    let output: String
  }

  /// Returns the text without the durations of reloads.
  static func untimed(_ output: String) -> String {
    output.replacing(/(?m)^(\w+ \d+→\d+: .*), [\d.]+ m?s$/) { "\($0.1), … ms" }
  }
}

/// Runs `body` with a temporary folder, empty or a copy of another.
func withFolder(copying source: URL? = nil, _ body: (URL) throws -> Void) throws {
  let own = try TemporaryFolder()
  defer { withExtendedLifetime(own) {} }
  let folder = URL(filePath: own.path).appending(path: source?.lastPathComponent ?? "scripts")
  if let source {
    try FileManager.default.copyItem(at: source, to: folder)
  } else {
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  }
  try body(folder)
}
