import MoonPrompt
import MoonTerminal
import Moonwire

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
