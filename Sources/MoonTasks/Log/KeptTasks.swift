package import MoonActions
package import MoonValues

/// The durable tasks that a journal holds, without those that have ended.
///
/// What it takes in has passed ``TaskEntryCheck``.
package struct KeptTasks: Sendable {
  /// The maximum number of durable tasks of a session, since each has a machine.
  package static let countMax = 1_000
  /// The maximum number of durable tasks of one module, so that others can always begin some.
  package static let moduleCountMax = 900

  /// A task with its log.
  package struct Task: Sendable {
    package var entries: [Value] = []
    /// The actions that it has dispatched and that aren't settled: the id at first, and the latest.
    package var unsettled: [Int64: Int64] = [:]
  }

  /// The wait of a part for the outcome of an action.
  package struct Asked {
    package let task: Int64
    package let part: Int
    /// The outcome, if the action was carried out.
    package var outcome: Value?

    package init(task: Int64, part: Int, outcome: Value? = nil) {
      self.task = task
      self.part = part
      self.outcome = outcome
    }

    /// The form in a journal, with the id of the action.
    package func value(of id: Int64) -> Value {
      let parts: [Value] = [.int(task), .int(Int64(part)), .int(id)]
      return .list(List(parts + (outcome.map { [$0] } ?? [])))
    }
  }

  /// The tasks by number.
  package private(set) var tasks: [Int64: Task] = [:]
  /// The actions whose outcome parts wait for, by id.
  package private(set) var asked: [Int64: Asked] = [:]
  /// The contents of files by their hashes, in the form of a journal.
  package private(set) var files = Map()
  /// The number of the last task.
  package private(set) var lastNumber: Int64 = 0
  /// The id of the last action that a task has dispatched.
  package private(set) var lastActionID: Int64 = 0

  package init() {}

  /// Reads the tasks in the header of a whole state.
  package init(header: Value?) {
    guard let header else { return }
    files = header["files"]?.mapValue ?? Map()
    lastNumber = max(0, header["last"]?.intValue ?? 0)
    for entry in header["entries"]?.listValue ?? List() { take(entry) }
    for number in tasks.keys { tasks[number]?.unsettled = [:] }
    for pair in header["unsettled"]?.listValue ?? List() {
      guard let parts = pair.listValue, parts.count == 3, let task = parts[0].intValue,
        let first = parts[1].intValue, let latest = parts[2].intValue
      else { continue }
      tasks[task]?.unsettled[first] = latest
    }
    asked = [:]
    for value in header["asked"]?.listValue ?? List() {
      guard let parts = value.listValue, parts.count >= 3, let task = parts[0].intValue,
        let part = parts[1].intValue, let id = parts[2].intValue
      else { continue }
      asked[id] = Asked(
        task: task, part: Int(clamping: part), outcome: parts.count > 3 ? parts[3] : nil)
    }
  }

  /// Takes the next entry.
  package mutating func take(_ entry: Value) {
    if let hash = entry["file"]?.stringValue {
      files[.string(Text(hash))] = entry["contents"]
      return
    }
    guard let number = entry["task"]?.intValue else { return }
    lastNumber = max(lastNumber, number)
    if entry["begin"] != nil { tasks[number] = Task() }
    if entry["end"] != nil { tasks[number] = nil }
    guard tasks[number] != nil else { return }
    tasks[number]?.entries.append(entry)
    for call in entry["calls"]?.listValue ?? List() { noteSent(call, by: number) }
    noteSettled(entry, of: number)
  }

  private mutating func noteSent(_ call: Value, by number: Int64) {
    guard let parts = call.listValue, parts.count == 6, let first = parts[4].intValue,
      let last = parts[5].intValue
    else { return }
    lastActionID = max(lastActionID, last)
    for id in first...last { tasks[number]?.unsettled[id] = id }
  }

  private mutating func noteSettled(_ entry: Value, of number: Int64) {
    if let id = entry["settled"]?.intValue { settle(id, in: number) }
    if let pair = entry["again"]?.listValue, pair.count == 2, let first = pair[0].intValue,
      let latest = pair[1].intValue
    {
      tasks[number]?.unsettled[first] = latest
      lastActionID = max(lastActionID, latest)
    }
    if let part = entry["asked"]?.intValue, let id = entry["id"]?.intValue {
      asked[id] = Asked(task: number, part: Int(clamping: part))
      lastActionID = max(lastActionID, id)
    }
    if let part = entry["answer"]?.intValue {
      asked = asked.filter { $0.value.task != number || $0.value.part != part }
    }
  }

  private mutating func settle(_ id: Int64, in number: Int64) {
    guard let task = tasks[number] else { return }
    for (first, latest) in task.unsettled where latest == id {
      tasks[number]?.unsettled[first] = nil
    }
  }

  /// Notes that actions were committed.
  package mutating func noteCommit(of actions: [Action], _ edits: Value) {
    guard !tasks.isEmpty else { return }
    for action in actions {
      let id = action.meta.id
      for number in tasks.keys { settle(id, in: number) }
      asked[id]?.outcome = Self.outcome(edits)
    }
  }

  /// The outcome of a committed action, as far as the journal has it.
  private static func outcome(_ edits: Value) -> Value {
    let changes = (edits.listValue ?? List()).compactMap { edit -> Value? in
      guard let parts = edit.listValue, parts.count >= 2, let steps = parts[1].listValue else {
        return nil
      }
      let path = Path(steps.compactMap(Self.component))
      var map: Map = ["path": .string(Text(path.description))]
      if parts.count == 3 { map["after"] = parts[2] }
      return .map(map)
    }
    return ["status": "done", "changes": .list(List(changes))]
  }

  private static func component(_ step: Value) -> Path.Component? {
    switch step {
    case .string(let text): .key(text)
    case .int(let number): .index(number)
    default: nil
    }
  }
}
