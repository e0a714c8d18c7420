import MoonPrompt
package import MoonTerminal
import Moonwire

/// A form in which results of tests are written.
package enum TestFormat: String, CaseIterable, Sendable {
  case text, json, tap, junit
}

extension [TestResult] {
  /// The results in a form; text for people has a style.
  package func lines(_ format: TestFormat, _ style: Style) -> [String] {
    switch format {
    case .text: lines(style)
    case .json: map { JSONRecord.line($0.record) }
    case .tap: tapLines
    case .junit: junitLines
    }
  }

  // MARK: The Test Anything Protocol

  /// The results in version 14 of the protocol.
  private var tapLines: [String] {
    ["TAP version 14", "1..\(count)"]
      + enumerated().flatMap { index, result -> [String] in
        let name = TerminalText.singleLine(result.description)
          .replacing("\\", with: "\\\\").replacing("#", with: "\\#")
        guard let failure = result.failure else { return ["ok \(index + 1) - \(name)"] }
        let lines = failure.lines.map { "    - \(Self.quoted($0))" }
        return ["not ok \(index + 1) - \(name)", "  ---"]
          + ["  message: \(Self.quoted(failure.title))"]
          + (failure.line.map { ["  at: \(Self.quoted("\(result.file):\($0)"))"] } ?? [])
          + (lines.isEmpty ? [] : ["  differences:"] + lines) + ["  ..."]
      }
  }

  /// A text as YAML, of which JSON is a part.
  private static func quoted(_ text: String) -> String {
    Value.string(Text(TerminalText.sanitized(text))).canonicalText
  }

  // MARK: JUnit

  private var junitLines: [String] {
    let suites = Dictionary(grouping: self, by: \.file).sorted { $0.key < $1.key }
    return ["<?xml version=\"1.0\" encoding=\"UTF-8\"?>", "<testsuites\(Self.counts(self))>"]
      + suites.flatMap { file, results in
        ["  <testsuite name=\"\(Self.escaped(file))\"\(Self.counts(results))>"]
          + results.flatMap { Self.testCase($0) } + ["  </testsuite>"]
      } + ["</testsuites>"]
  }

  private static func counts(_ results: [TestResult]) -> String {
    let time = results.reduce(Duration.zero) { $0 + $1.time }
    return " tests=\"\(results.count)\" failures=\"\(results.failedCount)\""
      + " time=\"\(Self.seconds(time))\""
  }

  private static func testCase(_ result: TestResult) -> [String] {
    let start =
      "    <testcase classname=\"\(escaped(result.file))\" name=\"\(escaped(result.description))\""
      + " time=\"\(seconds(result.time))\""
    guard let failure = result.failure else { return [start + "/>"] }
    let lines = ([failure.title] + failure.lines).joined(separator: "\n")
    return [
      start + ">",
      "      <failure message=\"\(escaped(failure.title))\">\(escaped(lines))</failure>",
      "    </testcase>",
    ]
  }

  private static func seconds(_ time: Duration) -> String {
    let milliseconds = time / .milliseconds(1)
    return "\((milliseconds.rounded() / 1_000))"
  }

  /// Returns a text for XML, which can't have control characters.
  private static func escaped(_ text: String) -> String {
    TerminalText.sanitized(text).unicodeScalars.reduce(into: "") { escaped, scalar in
      switch scalar {
      case "&": escaped += "&amp;"
      case "<": escaped += "&lt;"
      case ">": escaped += "&gt;"
      case "\"": escaped += "&quot;"
      case "\n": escaped += "&#10;"
      case "\t": escaped += "&#9;"
      default:
        let isAllowed = scalar.value >= 32 && scalar.value != 0xFFFE && scalar.value != 0xFFFF
        escaped.unicodeScalars.append(isAllowed ? scalar : "\u{FFFD}")
      }
    }
  }
}
