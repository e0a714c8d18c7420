import MoonServiceKit
package import MoonValues

/// The entries of a durable task, as they are in the journal.
package struct TaskLog {
  package private(set) var entries: [Value]
  package private(set) var byteCount: Int
  private var share: HeldMemory.Share?
  /// The number of bytes that don't count as held, or that the share has.
  private var heldByteCount: Int

  /// Makes a log; entries of an earlier run never count as held, so that every task resumes.
  package init(_ entries: [Value] = []) {
    self.entries = entries
    byteCount = entries.reduce(0) { $0 + $1.storageCost }
    heldByteCount = byteCount
  }

  /// Holds what was added since the last time, unless it is little.
  ///
  /// - Throws: ``ServiceRefusal/memoryFull(max:)``.
  mutating func hold(in memory: HeldMemory) throws(ServiceRefusal) {
    let more = byteCount - heldByteCount
    guard more >= HeldMemory.countedBytesMin else { return }
    try memory.hold(more, growingBy: more, in: &share)
    heldByteCount = byteCount
  }

  package mutating func add(_ entry: Value) {
    entries.append(entry)
    byteCount += entry.storageCost
  }

  /// Whether the task is over, and stays for the actions that it has dispatched only.
  package var hasEnding: Bool { entries.contains { $0["ending"] != nil } }

  /// Returns whether a part has a turn after the entry at an index.
  func hasTurns(of number: Int, after index: Int) -> Bool {
    entries.dropFirst(index + 1).contains { $0["turn"]?.intValue == Int64(number) }
  }

  /// Returns whether a wait of a part has an answer after the entry at an index.
  func hasAnswers(to number: Int, after index: Int) -> Bool {
    entries.dropFirst(index + 1).contains { $0["answer"]?.intValue == Int64(number) }
  }
}

/// A call of the host by the code of a durable task, as it is compared.
package struct TaskCall {
  /// The function and what it is about: `http.post https://example.com/pay`.
  package let name: String
  /// The hash of the arguments.
  package let hash: String
  /// The line of the call: `orders.lua:12`.
  package let place: String

  package init(name: String, hash: String, place: String) {
    self.name = name
    self.hash = hash
    self.place = place
  }

  /// The function alone: `http.post`.
  var function: Substring { name.prefix { $0 != " " } }

  /// The call in words, with its place.
  var described: String { place.isEmpty ? name : "\(name) at \(place)" }

  func value(_ result: Value, sent ids: ClosedRange<Int64>?) -> Value {
    var parts: [Value] = [
      .string(Text(name)), .string(Text(hash)), .string(Text(place)), result,
    ]
    if let ids { parts += [.int(ids.lowerBound), .int(ids.upperBound)] }
    return .list(List(parts))
  }
}

/// A call in the log.
struct RecordedCall {
  private let call: TaskCall
  let result: Value
  /// The ids of the actions that it dispatched.
  let sent: ClosedRange<Int64>?

  init?(_ value: Value) {
    guard let parts = value.listValue, parts.count >= 4, let name = parts[0].stringValue,
      let hash = parts[1].stringValue, let place = parts[2].stringValue
    else { return nil }
    call = TaskCall(name: name, hash: hash, place: place)
    result = parts[3]
    if parts.count == 6, let first = parts[4].intValue, let last = parts[5].intValue,
      first <= last
    {
      sent = first...last
    } else {
      sent = nil
    }
  }

  var described: String { call.described }

  func hasName(of other: TaskCall) -> Bool { call.name == other.name }

  func isSame(as other: TaskCall) -> Bool { call.name == other.name && call.hash == other.hash }
}

/// A turn of a part of a durable task: what its code does between two waits.
struct TaskTurn {
  /// The upcoming call in the log.
  enum Upcoming {
    /// The turn isn't in the log.
    case none
    case call(RecordedCall)
    /// The log has no other call of this turn.
    case end
  }

  /// The part.
  let number: Int
  /// The index of its entry in the log.
  let position: Int
  /// Whether the turn is in the log.
  let isReplayed: Bool
  /// Whether it ended with a wait in the log.
  let waits: Bool
  private let kept: List
  private var index = 0
  /// The calls made so far, in the form of a journal.
  var calls: [Value] = []

  /// Makes a turn that isn't in the log.
  init(of number: Int) {
    self.number = number
    position = .max - 1
    isReplayed = false
    waits = false
    kept = List()
  }

  /// Makes the turn of an entry in the log.
  init(of number: Int, _ entry: Value, at position: Int) {
    self.number = number
    self.position = position
    isReplayed = true
    waits = entry["waits"] == true
    kept = entry["calls"]?.listValue ?? List()
  }

  var upcoming: Upcoming {
    guard isReplayed else { return .none }
    guard index < kept.count, let call = RecordedCall(kept[index]) else { return .end }
    return .call(call)
  }

  mutating func next() -> Upcoming {
    defer { index += 1 }
    return upcoming
  }
}
