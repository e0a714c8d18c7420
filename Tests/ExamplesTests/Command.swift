import Foundation
import MoonTestSupport

/// Programs of the package, run as a person runs them.
enum Command {
  /// The directory of the package.
  static let root = URL(filePath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent()

  /// Where the programs are: beside the one that runs the tests.
  private static let products = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath()
    .deletingLastPathComponent()

  private static let environment = [
    "PATH": ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin", "LANG": "C.UTF-8",
  ]

  /// Runs `moonwire`, typing all of `input`.
  static func run(
    _ arguments: [String], input: String = ""
  ) throws -> (output: String, code: Int32) {
    try run("moonwire", arguments, input: input)
  }

  /// Runs a program in the directory of the package.
  ///
  /// Results and log come together, as on a terminal: their order is part of what is expected.
  static func run(
    _ program: String, _ arguments: [String], input: String = ""
  ) throws -> (output: String, code: Int32) {
    let run = try ProgramRun(
      products.appending(path: program).path, arguments, input: Array(input.utf8),
      environment: environment, directory: root.path, areTogether: true)
    return (run.output, run.code)
  }

  /// Runs a session in a directory of scripts.
  ///
  /// A line `#$ cp next/a.lua a.lua`, which is a remark at the prompt, is what somebody does in
  /// that directory in another terminal once the lines before it have done their work.
  static func session(
    _ text: String, in folder: URL
  ) throws -> (output: String, code: Int32) {
    let (typed, shown) = (DescriptorPipe(), DescriptorPipe())
    let child = try ChildProcess(
      products.appending(path: "moonwire").path, ["run", "--no-watch", folder.path],
      environment: environment, directory: root.path,
      streams: (typed.reading, shown.writing, shown.writing))
    typed.closeReading()
    shown.closeWriting()
    var output = ""
    for line in text.split(separator: "\n") {
      try typed.write("\(line)\n")
      guard line.hasPrefix("#$ ") else { continue }
      try typed.write("= \"\(mark)\"\n")
      output += shown.read(upTo: "\"\(mark)\"\n")
      try shell(String(line.dropFirst(3)), in: folder)
    }
    typed.closeWriting()
    output += shown.read()
    return (output, child.wait())
  }

  /// What is printed when the lines before have done their work.
  private static let mark = "so far"

  /// Without the times that reloads took.
  static func untimed(_ output: String) -> String {
    output.replacing(/(?m)^(\w+ \d+→\d+: .*), [\d.]+ m?s$/) { "\($0.1), … ms" }
  }

  private static func shell(_ line: String, in folder: URL) throws {
    let run = try ProgramRun(
      "/bin/sh", ["-ec", line], environment: environment, directory: folder.path)
    guard run.code == 0 else { throw ShellFailure(line: line) }
  }

  /// A line of a session that the shell couldn't do.
  struct ShellFailure: Error {
    let line: String
  }
}

/// Runs `body` with a folder of its own, empty or a copy of another; it is gone after.
func withFolder(copying source: URL? = nil, _ body: (URL) throws -> Void) throws {
  let outer = try TemporaryFolder()
  let folder = URL(filePath: outer.path).appending(path: "app")
  if let source {
    try FileManager.default.copyItem(at: source, to: folder)
  } else {
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
  }
  try withExtendedLifetime(outer) { try body(folder) }
}
