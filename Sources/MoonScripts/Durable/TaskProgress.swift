import MoonLua
import MoonValues

/// What a durable task has learned, as its successor on new code gets it.
struct TaskProgress {
  private let key: Text
  private var calls: [Map] = []
  /// The calls that wait for an answer, by the part that waits.
  private var waiting: [Int64: Int] = [:]
  /// The answers of commands that no call has taken, by the part that called.
  private var results: [Int64: Value] = [:]

  /// Reads the entries of a log.
  ///
  /// - Complexity: O(size of the log).
  init(key: Text, _ entries: [Value]) {
    self.key = key
    for entry in entries { take(entry) }
  }

  /// The form in Lua: `{ key = …, calls = { { call = …, about = …, at = …, result = … }, … } }`.
  var value: Value { ["key": .string(key), "calls": .list(List(calls.map { .map($0) }))] }

  private mutating func take(_ entry: Value) {
    if let part = entry["turn"]?.intValue {
      for call in entry["calls"]?.listValue ?? List() {
        add(call)
        if calls.last?["call"] == "result", let result = results.removeValue(forKey: part) {
          calls[calls.count - 1]["result"] = result
        }
      }
      if entry["waits"] == true, !calls.isEmpty {
        calls[calls.count - 1]["waiting"] = true
        waiting[part] = calls.count - 1
      }
    } else if let part = entry["answer"]?.intValue, let index = waiting.removeValue(forKey: part) {
      calls[index]["waiting"] = nil
      note(entry["value"] ?? .null, on: index)
    } else if let part = entry["result"]?.intValue {
      results[part] = entry["value"]
    }
  }

  private mutating func add(_ value: Value) {
    let parts = value.listValue ?? List()
    guard parts.count >= 4, let name = parts[0].stringValue, let place = parts[2].stringValue else {
      return
    }
    let words = name.split(separator: " ", maxSplits: 1)
    var call: Map = [
      "call": .string(Text(words.first.map(String.init) ?? "")),
      "about": .string(Text(words.count > 1 ? String(words[1]) : "")),
      "at": .string(Text(place)),
    ]
    // The key counts all calls of the task.
    if Self.isService(call) { call["key"] = .string(Text("\(key.string)-\(calls.count + 1)")) }
    calls.append(call)
    note(parts[3], on: calls.count - 1)
  }

  /// Notes what a call has returned, or the answer to its wait.
  private mutating func note(_ results: Value, on index: Int) {
    if let message = (results["error"] ?? results["failure"])?.stringValue {
      calls[index]["error"] = ["message": .string(Text(message))]
      return
    }
    var values = RecordedAnswer.arguments(results).map(\.plainValue)
    if Self.isService(calls[index]), let first = values.first {
      values.removeFirst()
      guard first == true else {
        calls[index]["error"] = ["code": values.first ?? .null, "message": values.last ?? .null]
        return
      }
    }
    calls[index]["result"] = values.count > 1 ? .list(List(values)) : values.first
  }

  /// Whether a call is that of a service; others have no dot in their names.
  private static func isService(_ call: Map) -> Bool {
    call["call"]?.stringValue?.contains(".") ?? false
  }
}

extension Argument {
  /// The value; null for what is none.
  fileprivate var plainValue: Value {
    switch self {
    case .value(let value), .draft(let value, _), .view(let value, _): value
    case .data(let data): data.plainValue
    case .none, .context, .function: .null
    }
  }
}

extension HostData {
  /// The data as a value; bytes that aren't text become null.
  fileprivate var plainValue: Value {
    switch self {
    case .value(let value): value
    case .bytes(let bytes):
      bytes.withUnsafeBufferPointer { Text(utf8: $0) }.map { .string($0) } ?? .null
    case .list(let parts): .list(List(parts.map(\.plainValue)))
    case .fields(let fields):
      .map(Map(fields.map { (.string(Text($0.name)), $0.content.plainValue) }))
    }
  }
}
