import Testing

/// The invariants of `Sources/README.md` that can be checked in the text of the sources.
///
/// Invariant 4: value targets do no I/O, read no clock and start no task.
/// Invariant 6: the host is the only actor.
/// Invariant 12: only programs print.
/// Invariant 16: modules' code is called through `ModuleCaller`.
struct InvariantTests {
  /// The targets that are plain values: no I/O, no clock, no task.
  static let valueTargets: Set<String> = [
    "MoonValues", "MoonActions", "MoonRouting", "MoonNavigation", "MoonCards",
  ]
  /// The modules that they may import.
  ///
  /// Any other leads to the system sooner or later.
  static let valueImports: Set<String> = ["MoonValues", "Synchronization"]
  /// The parts of the standard library that reach outside a value.
  static let reachingOut: Set<String> = [
    "print", "debugPrint", "dump", "readLine", "CommandLine", "ContinuousClock",
    "SuspendingClock", "Task", "TaskGroup", "withTaskGroup", "withThrowingTaskGroup",
    "AsyncStream", "async", "await", "actor", "SystemRandomNumberGenerator",
  ]

  /// The targets that are programs, and that with the output of the command.
  static let programs: Set<String> = ["MoonBench", "MoonSoak", "MoonCommand", "MoonPrompt"]
  /// The functions that write to the standard streams.
  static let printing: Set<String> = [
    "print", "debugPrint", "dump", "puts", "putchar", "printf", "vprintf", "perror",
  ]
  /// The names of the standard streams.
  static let streams: Set<String> = [
    "stdout", "stderr", "STDOUT_FILENO", "STDERR_FILENO", "FileHandle",
  ]
  static let prints = Ratchet(unit: "prints", max: 0, exceptions: [:])

  /// The types that call the function of a registration outside a call of `ModuleCaller`.
  static let directCalls = Ratchet(
    unit: "calls around ModuleCaller", max: 0,
    exceptions: [
      // The caller itself.
      "ModuleCaller": 2,
      // Puts other functions in the places of a module's, which are called instead.
      "Module": 3,
      // Makes the code of a task, which runs in the turns of the task.
      "CommandCalls": 1,
      // Parts of the calls of an observer, which are called through `tell`, `attempt` and a task.
      "ObserverStage": 2, "PacedDelivery": 1,
      // A service's function, which isn't a module's.
      "EffectTask": 1,
    ])

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

  @Test func `modules' code is called through one type`() {
    var figures: [String: Int] = [:]
    for file in ParsedFile.sources
    where ["MoonModules", "MoonTasks", "MoonSession", "MoonScripts", "Moonwire"].contains(
      file.source.target)
    {
      let texts = file.tokens.map(\.text)
      for index in texts.indices.dropFirst(2).dropLast(2)
      where texts[(index - 1)...(index + 1)] == [".", "body", "("] && texts[index + 2] != "of" {
        guard !Self.isInCall(texts, at: index) else { continue }
        figures[file.owner(of: file.tokens[index].line), default: 0] += 1
      }
    }
    #expect(Self.directCalls.problems(with: figures) == [])
  }

  @Test(arguments: [
    ("caller.call(x) { try x.part.body(1) }", true),
    ("session.caller.attempt(f(x), on: a) { if b { c() } ; x.body(1) }", true),
    ("session.caller.attempt(x) { for y in z { y.body(1) } }", true),
    ("let f = { x.body(1) }", false), ("session.caller.attempt(x) { c() } ; x.body(1)", false),
    ("other.call(x) { x.body(1) }", false),
  ])
  func `a call of a function is in a call of the caller or isn't`(text: String, isInCall: Bool) {
    let texts = SwiftTokens(of: text).all.map(\.text)
    let index = texts.firstIndex(of: "body") ?? 0
    #expect(Self.isInCall(texts, at: index) == isInCall)
  }

  /// Whether a token is in a closure that is passed to a method of `caller`.
  private static func isInCall(_ texts: [String], at place: Int) -> Bool {
    var depth = 0
    for index in texts[..<place].indices.reversed() {
      switch texts[index] {
      case "}": depth += 1
      case "{" where depth > 0: depth -= 1
      case "{":
        let start = call(in: texts, before: index)
        if start >= 3, texts[start - 2] == ".", texts[start - 3] == "caller" { return true }
      default: break
      }
    }
    return false
  }

  /// Returns the index of the parenthesis that opens the arguments before a closure; 0 if there are
  /// none.
  private static func call(in texts: [String], before closure: Int) -> Int {
    guard closure > 0, texts[closure - 1] == ")" else { return 0 }
    var depth = 0
    for index in texts[..<closure].indices.reversed() {
      if texts[index] == ")" { depth += 1 }
      if texts[index] == "(" { depth -= 1 }
      if depth == 0 { return index }
    }
    return 0
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
