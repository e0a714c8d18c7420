package import MoonTerminal
package import Moonwire

extension [TaskCheck] {
  /// The lines of a check: each task, and what differs.
  package func lines(_ style: Style) -> [String] {
    guard !isEmpty else { return ["no durable task is under way"] }
    return flatMap { check in
      let task = TerminalText.singleLine(check.task)
      guard let problem = check.problem else { return ["\(task): could go on"] }
      return [
        style.paint(task, .emphasis) + ": can't go on",
        "  \(TerminalText.singleLine(problem))",
      ]
    }
  }

  /// The check in JSON.
  package var record: Map {
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
