package import MoonModules
package import MoonValues

/// The form of notes in a journal: the fields `dropped`, `given`, `inputs`, `later`, `limits` and
/// `made` of a commit, which are missing if they are false or empty.
extension CommitNotes {
  /// Puts the fields into a map.
  package func write(into map: inout Map) {
    if isDropped { map["dropped"] = true }
    if ownsScreens { map["given"] = true }
    if inputs.contains(where: { !$0.isEmpty }) {
      map["inputs"] = .list(List(inputs.map { .map($0) }))
    }
    if queuesReplacement { map["later"] = true }
    if !limits.isEmpty { map["limits"] = .list(List(limits.map(\.value))) }
    if !made.isEmpty { map["made"] = .list(List(made.map { .int($0) })) }
  }

  /// Reads the fields of a map; nil if they don't have that form.
  package init?(reading value: Value) {
    self.init()
    isDropped = value["dropped"] == true
    queuesReplacement = value["later"] == true
    ownsScreens = value["given"] == true
    for element in value["inputs"]?.listValue ?? List() {
      guard let inputs = element.mapValue else { return nil }
      self.inputs.append(inputs)
    }
    for element in value["limits"]?.listValue ?? List() {
      guard let limit = ExceededLimit(reading: element) else { return nil }
      limits.append(limit)
    }
    for element in value["made"]?.listValue ?? List() {
      guard let id = element.intValue, JournalRecord.numbers.contains(id) else { return nil }
      made.append(id)
    }
  }

  /// Appends the fields to the text of a commit, whose keys are in order.
  func write(into text: inout TextBytes) {
    guard !isEmpty else { return }
    var map = Map()
    write(into: &map)
    if isDropped { text.append(",\"dropped\":true") }
    let fields: [(key: Key, text: StaticString)] = [
      ("given", ",\"given\":"), ("inputs", ",\"inputs\":"), ("later", ",\"later\":"),
      ("limits", ",\"limits\":"), ("made", ",\"made\":"),
    ]
    for field in fields {
      guard let value = map[field.key] else { continue }
      text.append(field.text)
      value.writeCanonical(into: &text)
    }
  }
}

/// The form of a call that exceeded a limit: its number, the word for the limit, and the limit if
/// it is a number of milliseconds or bytes.
extension CommitNotes.ExceededLimit {
  fileprivate var value: Value {
    let call = Value.int(Int64(call))
    return switch reason {
    case .timedOut(let milliseconds): [call, "time", .int(Int64(milliseconds))]
    case .outOfQuota(let bytes): [call, "memory", .int(Int64(bytes))]
    case .actionTimeSpent(let milliseconds): [call, "action_time", .int(Int64(milliseconds))]
    case .outOfMemory: [call, "system_memory"]
    case .notRunning: [call, "ended"]
    case .interrupted: [call, "interrupted"]
    case .raised, .syntax, .lifetimeExceeded: [call]
    }
  }

  fileprivate init?(reading value: Value) {
    guard let parts = value.listValue, parts.count >= 2, let call = parts[0].intValue,
      let number = Int(exactly: call), number > 0, let word = parts[1].stringValue
    else { return nil }
    let limit = parts.count > 2 ? parts[2].intValue.flatMap { Int(exactly: $0) } : nil
    let reason: Fault.Reason? =
      switch word {
      case "time": limit.map { .timedOut(milliseconds: $0) }
      case "memory": limit.map { .outOfQuota(bytes: $0) }
      case "action_time": limit.map { .actionTimeSpent(milliseconds: $0) }
      case "system_memory": .outOfMemory
      case "ended": .notRunning
      case "interrupted": .interrupted
      default: nil
      }
    guard let reason, limit ?? 0 >= 0 else { return nil }
    self.init(call: number, reason)
  }
}
