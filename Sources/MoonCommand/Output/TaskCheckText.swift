import MoonTerminal
import Moonwire

extension [TaskCheck] {
  /// The lines of a check: each task and its differences.
  func lines(_ style: Style) -> [String] {
    guard !isEmpty else { return ["no durable task is under way"] }
    return flatMap { check in
      guard let problem = check.problem else { return ["\(check.task): could go on"] }
      return [
        style.paint(check.task, .emphasis) + ": can't go on",
        "  \(TerminalText.sanitized(problem))",
      ]
    }
  }

  /// The check in JSON.
  var record: Map {
    [
      "kind": "replay",
      "tasks": JSONRecord.list(self) { check in
        var map: Map = ["task": JSONRecord.text(check.task)]
        map["problem"] = check.problem.map(JSONRecord.text)
        return .map(map)
      },
    ]
  }
}
