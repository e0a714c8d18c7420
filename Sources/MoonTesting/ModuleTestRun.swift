import MoonPrompt
import MoonTerminal
import Moonwire

/// The run of a test against the modules of a host.
struct ModuleTestRun: Sendable {
  let test: ModuleTest
  /// The first failure; nil if everything is as expected.
  let failure: TestResult.Failure?

  /// Carries out the steps up to the first that isn't as expected.
  init(_ test: ModuleTest, on host: Host) async {
    self.test = test
    failure = await host.perform { host in
      let names = host.moduleInfos().map(\.name.text)
      if let missing = TestSuggestions.missingModule(in: test.state, names) {
        return TestResult.Failure(title: missing)
      }
      let replay = Replay(from: test.state, on: host)
      defer { host.closeSession(replay.session) }
      for (index, step) in test.steps.enumerated() {
        let lines = Self.differences(step, replay, host)
        guard lines.isEmpty else {
          let number = index + 1
          return TestResult.Failure(
            title: "step \(number), \(step.actions[0].type):", lines: lines, step: number)
        }
      }
      return nil
    }
  }

  /// The result for reports.
  var result: TestResult {
    TestResult(description: test.description, failure: failure)
  }

  /// Carries out a step, and returns what isn't as expected.
  private static func differences(
    _ step: ModuleTest.Step, _ replay: Replay, _ host: isolated Host
  ) -> [String] {
    let diff: Diff
    do throws(DispatchError) {
      diff = try replay.changes(
        by: step.actions, isMapped: step.isMapped, noting: step.notes, on: host)
    } catch {
      let text = "\(error)"
      if let expected = step.error {
        return text.contains(expected) ? [] : ["− error: \(expected)", "+ error: \(text)"]
      }
      return ["+ error: \(text)"]
    }
    if let expected = step.error { return ["− error: \(expected)"] }
    return differences(step.changes, diff)
  }

  private static func differences(_ expected: [String: Value?], _ diff: Diff) -> [String] {
    var lines: [(path: String, text: String)] = []
    var left = expected
    for change in diff.changes {
      let path = change.path.components.isEmpty ? "state" : change.path.description
      let wanted = left.removeValue(forKey: path)
      if let wanted, matches(wanted, change.after) { continue }
      if let wanted { lines.append((path, "− \(text(path, wanted))")) }
      lines.append((path, "+ \(text(path, change.after))"))
    }
    lines += left.sorted { $0.key < $1.key }.map { ($0.key, "− \(text($0.key, $0.value))") }
    if diff.isTruncated { lines.append(("", "+ … and more changes")) }
    return lines.map(\.text)
  }

  private static func text(_ path: String, _ value: Value?) -> String {
    guard let value else { return "\(path): removed" }
    return "\(path): \(ValueText(style: .plain).line(value, columns: 200))"
  }

  /// Returns whether a value is the expected one; an empty table stands for an empty list, too.
  private static func matches(_ expected: Value?, _ value: Value?) -> Bool {
    guard let expected, let value else { return expected == nil && value == nil }
    switch (expected, value) {
    case (.map(let wanted), .list(let list)): return wanted.isEmpty && list.isEmpty
    case (.map(let wanted), .map(let map)):
      return wanted.count == map.count && wanted.allSatisfy { matches($1, map[$0]) }
    case (.list(let wanted), .list(let list)):
      return wanted.count == list.count && zip(wanted, list).allSatisfy { matches($0, $1) }
    default: return expected == value
    }
  }
}
