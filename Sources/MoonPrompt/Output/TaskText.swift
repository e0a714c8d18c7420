import MoonTerminal
package import Moonwire

extension TaskInfo {
  /// The task in a few words: `task 3, effect timer/start of module timer`.
  var title: String {
    module == .prompt
      ? "task \(id), what was typed" : "task \(id), \(effect) of module \(module)"
  }

  /// The wait of the task: `waits for 2 s`.
  var waiting: String {
    wait.map { "waits for \(TerminalText.singleLine($0))" } ?? "is ready"
  }

  /// Returns the line of the task in a list; `now` is the time in seconds since 1970.
  func line(_ layout: TextLayout, now: Double) -> String {
    let load = loadParts.isEmpty ? "" : " (\(loadParts.joined(separator: ", ")))"
    let origin = module == .prompt ? "typed" : parent.map { "of task \($0)" } ?? self.origin
    let age =
      layout.clock == .shown
      ? "  for \(Wording.time(.milliseconds(Int64(max(0, min(now - since, 1e9)) * 1_000))))" : ""
    return "\(id)  " + layout.style.paint(TerminalText.singleLine(effect.name), .key)
      + layout.dim("  \(module)\(load), \(origin)\(age)") + "  \(waiting)"
  }

  /// What is unusual about the code that the task runs: `durable`, `generation 2`,
  /// `earlier code 3fa9c1`.
  private var loadParts: [String] {
    [
      durable == nil ? "" : "durable",
      generation > 1 || durable?.isOnEarlierCode ?? false ? "generation \(generation)" : "",
      durable.map { $0.isOnEarlierCode ? "earlier code \($0.code)" : "" } ?? "",
    ].filter { !$0.isEmpty }
  }

  /// The origin of a task that no other task spawned: `after #3`, `schedule`, `timer of #3`.
  private var origin: String {
    switch effect.kind {
    case .schedule: "schedule"
    case .timer: action.meta.id == 0 ? "timer" : "timer of #\(action.meta.id)"
    case _ where isKept: "kept"
    default: "after #\(action.meta.id)"
    }
  }

  /// The record of the task in JSON.
  var record: Value {
    var map: Map = [
      "id": .int(Int64(id.number)), "module": JSONRecord.text(module.text),
      "generation": .int(Int64(generation)), "effect": JSONRecord.text(effect.name),
      "started_by": JSONRecord.text(effect.kind.rawValue),
      "since": .double(since), "action": .int(action.meta.id), "type": .string(action.type),
    ]
    map["durable"] = durable.map { .int($0.number) }
    map["code"] = durable.map { JSONRecord.text($0.code) }
    if durable?.isOnEarlierCode ?? false { map["earlier_code"] = true }
    if isKept { map["kept"] = true }
    map["waits_for"] = wait.map(JSONRecord.text)
    map["parent"] = parent.map { .int(Int64($0.number)) }
    return .map(map)
  }
}

extension WaitingRouting {
  /// The wait in a few words: `/admin waits for module account (account.lua:5), task 3`.
  var text: String {
    let place = place.map { " (\($0))" } ?? ""
    return TerminalText.singleLine(
      "\(url.string) waits for module \(module)\(place), task \(task)")
  }

  /// The record of the wait in JSON.
  var record: Value {
    [
      "url": .string(url), "module": JSONRecord.text(module.text),
      "task": .int(Int64(task.number)),
    ]
  }
}

extension StoppedAction {
  /// The stop in a few words: `cart/add was stopped by middleware of module rules (rules.lua:7)`.
  var text: String {
    let place = place.map { " (\($0))" } ?? ""
    return TerminalText.singleLine(
      "\(action.type) was stopped by middleware of module \(module)\(place)")
  }

  /// The record of the stop in JSON.
  var record: Value {
    var map: Map = [
      "type": .string(action.type), "module": JSONRecord.text(module.text),
    ]
    map["place"] = place.map { JSONRecord.text("\($0)") }
    return .map(map)
  }
}

extension Report {
  /// Makes the report on tasks that a person has cancelled.
  package init(cancelled tasks: [TaskInfo]) {
    self.init(
      .note, tasks.count == 1 ? "a task was cancelled" : "\(tasks.count) tasks were cancelled",
      rows: tasks.prefix(Self.cancelledShownMax).map { Row("cancelled", $0.title) })
  }

  /// The maximum number of tasks that are named.
  private static let cancelledShownMax = 10

  /// Makes the note on what a session goes on with that was resumed from a journal.
  package init(_ resumption: Journal.Resumption, of journal: String) {
    let name = TerminalText.singleLine(journal)
    let rows = [
      ("goes on", resumption.goingOn, ""), ("begins", resumption.begun, " again"),
      ("ended", resumption.ended, ", if running: not durable"),
    ]
    self.init(
      .note, "resumed \(name) after action \(resumption.lastActionID)",
      rows: rows.filter { !$0.1.isEmpty }.map { label, effects, end in
        Row(label, Self.names(of: effects) + end)
      })
  }

  /// Returns the names of effects, each once.
  private static func names(of effects: [Registration]) -> String {
    let names = Set(effects.map { TerminalText.singleLine($0.name) }).sorted()
    let left = names.count - cancelledShownMax
    return Wording.list(
      names.prefix(cancelledShownMax) + (left > 0 ? ["\(left) more"] : []))
  }

  /// Makes the report on durable tasks of an earlier run that don't go on, by module.
  package init(tasksWithoutModule counts: [ModuleName: Int]) {
    let sorted = counts.sorted { $0.key < $1.key }
    let isOne = counts.values.reduce(0, +) == 1
    self.init(
      .warning,
      isOne
        ? "a durable task doesn't go on: its module isn't there"
        : "durable tasks don't go on: their modules aren't there",
      rows: sorted.map { Row("waiting", "\(Wording.counted($1, "task")) of module \($0)") }
        + [
          Row(
            "help",
            isOne
              ? "the journal keeps it until the module is there again"
              : "the journal keeps them until the modules are there again")
        ])
  }

  /// Makes the report on tasks that are still running at the end of a wait for them.
  package init(stillRunning tasks: [TaskInfo], after time: Duration) {
    self.init(
      .warning,
      tasks.count == 1
        ? "a task is still running after \(Wording.time(time))"
        : "\(tasks.count) tasks are still running after \(Wording.time(time))",
      rows: tasks.map { Row("waiting", "\($0.title) \($0.waiting)") }
        + [Row("help", "--wait sets how long to wait for them")])
  }
}
