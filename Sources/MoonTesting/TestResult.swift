import MoonPrompt
package import MoonTerminal
package import Moonwire

/// The result of a test.
package struct TestResult: Sendable {
  /// The way in which something isn't as expected.
  package struct Failure: Sendable {
    /// What isn't, and where.
    package let title: String
    /// What was expected, after −, and what there is instead, after +.
    package var lines: [String] = []
    /// The line of the test's file; nil if none is known.
    package var line: Int?
    /// The number of the step; nil for a test function.
    package var step: Int?
  }

  package let description: String
  /// The file of the test, below the directory of modules.
  package var file = ""
  /// How long it took.
  package var time = Duration.zero
  /// The first failure; nil if all is as expected.
  package let failure: Failure?

  /// The lines for a value and another in its place, by path.
  static func lines(expected: Value, actual: Value) -> [String] {
    let diff = Diff.changes(from: expected, to: actual)
    return diff.changes.flatMap { change in
      let path = change.path.components.isEmpty ? "" : "\(change.path): "
      return [("−", change.before), ("+", change.after)].compactMap { sign, value in
        value.map { "\(sign) \(path)\(ValueText(style: .plain).line($0, columns: 200))" }
      }
    } + (diff.isTruncated ? ["+ … and more changes"] : [])
  }
}

extension TestResult {
  /// The result for people.
  fileprivate func lines(_ style: Style) -> [String] {
    let name = TerminalText.singleLine(description)
    guard let failure else { return [style.paint("passed", .good) + "  " + name] }
    return [
      style.paint("failed", .error) + "  " + name,
      "  \(TerminalText.indented(failure.title, by: 4))",
    ] + failure.lines.map { "    \(TerminalText.indented($0, by: 6))" }
  }

  /// The result for programs.
  package var record: Map {
    var map: Map = [
      "kind": "test", "description": .string(Text(description)),
      "passed": .bool(failure == nil),
    ]
    if let failure {
      if let step = failure.step {
        map["step"] = .int(Int64(step))
      } else {
        map["message"] = .string(Text(failure.title))
        map["line"] = failure.line.map { .int(Int64($0)) }
      }
      map["differences"] = .list(List(failure.lines.map { .string(Text($0)) }))
    }
    return map
  }
}

extension [TestResult] {
  package var failedCount: Int { count { $0.failure != nil } }

  /// The results for people, with how many there are.
  package func lines(_ style: Style) -> [String] {
    let passed = "\(Wording.counted(count - failedCount, "test")) passed"
    return flatMap { $0.lines(style) }
      + [failedCount == 0 ? passed : "\(passed), \(failedCount) failed"]
  }
}
