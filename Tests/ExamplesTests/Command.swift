import Foundation
import MoonTestSupport

/// Programs of the package, run as a person runs them.
enum Command {
  /// The directory of the package.
  static let root = URL(filePath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent()

  /// Where the programs are: beside the one that runs the tests.
  static let products = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath()
    .deletingLastPathComponent()

  /// Runs `moonwire` and types all of `input`.
  static func run(
    _ arguments: [String], input: String = ""
  ) throws -> (output: String, code: Int32) {
    try run("moonwire", arguments, input: input)
  }

  /// Runs a program of the package in its directory.
  ///
  /// Results and log come together, as on a terminal: their order is part of what is expected.
  static func run(
    _ program: String, _ arguments: [String], input: String = ""
  ) throws -> (output: String, code: Int32) {
    try run([products.appending(path: program).path] + arguments, in: root, input: input)
  }

  /// Runs a session in a directory of scripts.
  ///
  /// A line `#$ cp next/a.lua a.lua`, which is a remark at the prompt, is what somebody does in
  /// that directory in another terminal once the lines before it have done their work.
  static func session(
    _ text: String, in folder: URL
  ) throws -> (output: String, code: Int32) {
    let terminal = try Terminal(["run", "--no-watch", folder.path])
    for line in text.split(separator: "\n") {
      try terminal.type(String(line))
      guard line.hasPrefix("#$ ") else { continue }
      try terminal.synchronize()
      _ = try shell(String(line.dropFirst(3)), in: folder)
    }
    let code = try terminal.leave()
    return (terminal.output, code)
  }

  /// What a line prints in a shell that finds the programs of the package.
  ///
  /// - Throws: ``ShellFailure`` if a program that isn't the package's fails.
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
    let path = ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin"
    let result = try ChildProcess.run(
      ["/bin/sh", "-c", "cd \"$0\" && exec \"$@\"", folder.path] + words, input: input,
      environment: ["PATH": "\(products.path):\(path)"], reading: .together)
    return (result.output, result.code)
  }

  /// A line that a shell couldn't do.
  struct ShellFailure: Error {
    let line: String
    let output: String
  }

  /// Without the times that reloads took.
  static func untimed(_ output: String) -> String {
    output.replacing(/(?m)^(\w+ \d+→\d+: .*), [\d.]+ m?s$/) { "\($0.1), … ms" }
  }
}

/// Runs `body` with a folder of its own, empty or a copy of another; it is gone after.
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
