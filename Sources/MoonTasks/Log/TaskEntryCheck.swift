import MoonActions
package import MoonValues

/// The check of what a journal says of durable tasks, before anything is computed with it.
///
/// The sums of a journal reveal damage, but anyone can write a file with right sums.
package enum TaskEntryCheck {
  /// The maximum number of actions that one call dispatches.
  static let sentMax: Int64 = 10_000
  /// The times that a wait may end at, in seconds since 1970.
  private static let times = 0...1e12
  /// The numbers of parts and calls.
  private static let partNumbers: ClosedRange<Int64> = 0...(1 << 31)

  /// Returns what is wrong with an entry; nil if nothing is.
  package static func problem(in entry: Value) -> String? {
    if entry["file"] != nil { return nil }
    // What a recording leaves out is a text in place of the entry, and of no task.
    if entry.stringValue != nil { return nil }
    guard let number = entry["task"]?.intValue, isNumber(entry["task"]) else {
      return "an entry of a durable task has no number"
    }
    if let beginning = entry["begin"], TaskBeginning(number, beginning) == nil {
      return named("begin")
    }
    for field in ["answer", "result", "turn", "asked"] {
      if let value = entry[field], !isPart(value) { return named(field) }
    }
    for field in ["id", "settled"] {
      if let value = entry[field], !isNumber(value) { return named(field) }
    }
    if let pair = entry["again"], !areNumbers(pair, count: 2) { return named("again") }
    if let end = entry["until"], !isTime(end) { return named("until") }
    let calls = entry["calls"]?.listValue ?? List()
    return calls.allSatisfy(isCall) ? nil : named("calls")
  }

  /// Returns what is wrong with the tasks in the header of a whole state; nil if nothing is.
  package static func problem(inHeader header: Value) -> String? {
    if let last = header["last"], last != 0, !isNumber(last) { return named("last") }
    for entry in header["entries"]?.listValue ?? List() {
      if let problem = problem(in: entry) { return problem }
    }
    for parts in header["unsettled"]?.listValue ?? List() where !areNumbers(parts, count: 3) {
      return named("unsettled")
    }
    for value in header["asked"]?.listValue ?? List() {
      guard let parts = value.listValue, parts.count >= 3, isNumber(parts[0]), isPart(parts[1]),
        isNumber(parts[2])
      else { return named("asked") }
    }
    return nil
  }

  private static func named(_ field: String) -> String {
    "\(field) of a durable task isn't what was written"
  }

  private static func isNumber(_ value: Value?) -> Bool {
    value?.intValue.map(Action.numbers.contains) ?? false
  }

  private static func areNumbers(_ value: Value, count: Int) -> Bool {
    guard let parts = value.listValue else { return false }
    return parts.count == count && parts.allSatisfy(isNumber)
  }

  private static func isPart(_ value: Value) -> Bool {
    value.intValue.map(partNumbers.contains) ?? false
  }

  private static func isTime(_ value: Value) -> Bool {
    value.doubleValue.map(times.contains) ?? false
  }

  /// Whether a call has the ids of the actions that it has dispatched, if it has dispatched any.
  private static func isCall(_ value: Value) -> Bool {
    guard let parts = value.listValue, parts.count == 6 else { return true }
    guard let first = parts[4].intValue, let last = parts[5].intValue else { return false }
    return isNumber(parts[4]) && isNumber(parts[5]) && first <= last && last - first < sentMax
  }
}
