import MoonTerminal
import Moonwire

/// The result of a test.
struct TestResult: Sendable {
  /// The way in which something differs from what is expected.
  struct Failure: Sendable {
    /// The difference, and where it is.
    let title: String
    /// What was expected, after −, and what there is instead, after +.
    var lines: [String] = []
    /// The line of the test's file; nil if none is known.
    var line: Int?
    /// The number of the step; nil for a test function.
    var step: Int?
  }

  let description: String
  /// The first failure; nil if everything is as expected.
  let failure: Failure?

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
