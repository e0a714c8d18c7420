import Foundation

/// Programs of the package, run as a person runs them.
enum Command {
  /// The directory of the package.
  static let root = URL(filePath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent()

  /// Where the programs are: beside the one that runs the tests.
  private static let products = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath()
    .deletingLastPathComponent()

  /// Runs `moonwire`, typing all of `input`, which must be less than a pipe holds.
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
    let (process, typed, shown) = try start(program, arguments)
    try typed.write(contentsOf: Data(input.utf8))
    try typed.close()
    let output = try shown.readToEnd() ?? Data()
    process.waitUntilExit()
    return (String(decoding: output, as: UTF8.self), process.terminationStatus)
  }

  /// Runs a session in a directory of scripts.
  ///
  /// A line `#$ cp next/a.lua a.lua`, which is a remark at the prompt, is what somebody does in
  /// that directory in another terminal once the lines before it have done their work.
  static func session(
    _ text: String, in folder: URL
  ) throws -> (output: String, code: Int32) {
    let (process, typed, shown) = try start("moonwire", ["run", "--no-watch", folder.path])
    var output = Data()
    for line in text.split(separator: "\n") {
      try typed.write(contentsOf: Data("\(line)\n".utf8))
      guard line.hasPrefix("#$ ") else { continue }
      try typed.write(contentsOf: Data("= \"\(mark)\"\n".utf8))
      output += read(shown, until: Data("\"\(mark)\"\n".utf8))
      try shell(String(line.dropFirst(3)), in: folder)
    }
    try typed.close()
    output += try shown.readToEnd() ?? Data()
    process.waitUntilExit()
    return (String(decoding: output, as: UTF8.self), process.terminationStatus)
  }

  /// What is printed when the lines before have done their work.
  private static let mark = "so far"

  /// Without the times that reloads took.
  static func untimed(_ output: String) -> String {
    output.replacing(/(?m)^(\w+ \d+→\d+: .*), [\d.]+ m?s$/) { "\($0.1), … ms" }
  }

  /// What comes before the mark; all there is if it doesn't come.
  private static func read(_ shown: FileHandle, until mark: Data) -> Data {
    var output = Data()
    while !output.ends(with: mark) {
      let more = shown.availableData
      guard !more.isEmpty else { return output }
      output += more
    }
    return output.dropLast(mark.count)
  }

  private static func shell(_ line: String, in folder: URL) throws {
    let process = Process()
    process.executableURL = URL(filePath: "/bin/sh")
    process.arguments = ["-ec", line]
    process.currentDirectoryURL = folder
    try process.run()
    process.waitUntilExit()
    guard process.terminationStatus == 0 else { throw ShellFailure(line: line) }
  }

  /// A line of a session that the shell couldn't do.
  struct ShellFailure: Error {
    let line: String
  }

  private static func start(
    _ program: String, _ arguments: [String]
  ) throws -> (Process, typed: FileHandle, shown: FileHandle) {
    let process = Process()
    process.executableURL = products.appending(path: program)
    process.arguments = arguments
    process.currentDirectoryURL = root
    let (typed, shown) = (Pipe(), Pipe())
    process.standardInput = typed
    process.standardOutput = shown
    process.standardError = shown
    try process.run()
    return (process, typed.fileHandleForWriting, shown.fileHandleForReading)
  }
}

extension Data {
  fileprivate func ends(with end: Data) -> Bool { suffix(end.count) == end }
}

/// Runs `body` with a folder of its own, empty or a copy of another; it is gone after.
func withFolder(copying source: URL? = nil, _ body: (URL) throws -> Void) throws {
  let files = FileManager.default
  let folder = files.temporaryDirectory.appending(path: "moonwire-\(UUID().uuidString)")
  defer { try? files.removeItem(at: folder) }
  if let source {
    try files.copyItem(at: source, to: folder)
  } else {
    try files.createDirectory(at: folder, withIntermediateDirectories: true)
  }
  try body(folder)
}
