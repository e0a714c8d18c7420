import Testing

/// The invariants of `Sources/README.md` that can be checked in the text of the sources.
struct InvariantTests {
  /// The targets that are plain values: no I/O, no clock, no task.
  static let valueTargets: Set<String> = [
    "MoonValues", "MoonStore", "MoonRouting", "MoonNavigation", "MoonCards",
  ]
  /// The modules that they may import.
  ///
  /// Any other leads to the system sooner or later.
  static let valueImports: Set<String> = ["MoonValues", "DequeModule", "Synchronization"]
  /// The parts of the standard library that reach outside a value.
  static let reachingOut: Set<String> = [
    "print", "debugPrint", "dump", "readLine", "CommandLine", "ContinuousClock",
    "SuspendingClock", "Task", "TaskGroup", "withTaskGroup", "withThrowingTaskGroup",
    "AsyncStream", "async", "await", "actor", "SystemRandomNumberGenerator",
  ]

  /// The targets that are programs.
  static let programs: Set<String> = ["MoonBench", "MoonSoak", "MoonCommand"]
  /// The functions that write to the standard streams.
  static let printing: Set<String> = [
    "print", "debugPrint", "dump", "puts", "putchar", "printf", "vprintf", "perror",
  ]
  /// The names of the standard streams.
  static let streams: Set<String> = [
    "stdout", "stderr", "STDOUT_FILENO", "STDERR_FILENO", "FileHandle",
  ]
  static let prints = Ratchet(unit: "prints", max: 0, exceptions: [:])

  static let unmeasured = Ratchet(
    unit: "unchecked accesses without a figure", max: 0, exceptions: [:])

  @Test(arguments: ParsedFile.sources.filter { valueTargets.contains($0.source.target) })
  func `value targets do no I/O`(file: ParsedFile) {
    let foreign = file.source.imports.subtracting(Self.valueImports)
    #expect(foreign.isEmpty, "\(file.source.path) imports \(foreign.sorted())")
    for (index, token) in file.tokens.enumerated() where Self.reachingOut.contains(token.text) {
      let isMember = index > 0 && [".", "func"].contains(file.tokens[index - 1].text)
      #expect(isMember, "\(file.source.path):\(token.line): \(token.text)")
    }
  }

  @Test func `the host is the only actor`() {
    let actors = ParsedFile.sources.flatMap { $0.declarations.all.filter { $0.kind == "actor" } }
    #expect(actors.map(\.name) == ["Host"])
  }

  @Test func `only programs print`() {
    var figures: [String: Int] = [:]
    // C's words, blanks and comments resemble Swift's enough.
    let shims = SourceFile.all(under: "Sources", endings: [".c"]).map(ParsedFile.init)
    for file in ParsedFile.sources + shims where !Self.programs.contains(file.source.target) {
      for (index, token) in file.tokens.enumerated() where Self.prints(file.tokens, at: index) {
        figures[file.owner(of: token.line), default: 0] += 1
      }
    }
    #expect(Self.prints.problems(with: figures) == [])
  }

  private static func prints(_ tokens: [SwiftTokens.Token], at index: Int) -> Bool {
    let token = tokens[index].text
    if streams.contains(token) { return true }
    guard printing.contains(token), index + 1 < tokens.count else { return false }
    let isMember = index > 0 && [".", "func"].contains(tokens[index - 1].text)
    return !isMember && tokens[index + 1].text == "("
  }

  @Test func `an unchecked access states its gain`() {
    var figures: [String: Int] = [:]
    for file in ParsedFile.sources {
      for (index, token) in file.tokens.enumerated() where token.text == "exclusivity" {
        guard file.tokens[index...].dropFirst(2).first?.text == "unchecked",
          !Self.hasFigure(file.source.lines, above: token.line)
        else { continue }
        figures[file.owner(of: token.line), default: 0] += 1
      }
    }
    #expect(Self.unmeasured.problems(with: figures) == [])
  }

  /// Returns whether a comment in the lines above states the gain, up to the next blank line.
  static func hasFigure(_ lines: [Substring], above line: Int) -> Bool {
    lines[..<(line - 1)].reversed().prefix { !$0.allSatisfy { $0 == " " } }
      .contains { $0.contains(/\/\/.*\d (ns|instructions)/) }
  }
}
