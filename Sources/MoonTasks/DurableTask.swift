package import MoonModules
package import MoonServiceKit
package import MoonValues

/// A task that goes on after its program was killed, with the tasks that it has spawned: its parts.
///
/// All that its code learns from outside is in its log: the results of its calls of the host, turn
/// by turn, and the answers to its waits. To go on, the code runs again from its start in a fresh
/// machine, and the log answers it until it is where it was.
///
/// Confined to the host.
package final class DurableTask {
  /// The maximum number of calls in a log.
  package static let callCountMax = 10_000
  /// The maximum number of bytes in a log.
  package static let byteCountMax = 4 << 20

  /// What a task is doing.
  package enum Mode {
    case live
    /// Its code runs again, answered by the log.
    case replaying
    /// It doesn't run, and its log is kept.
    case stopped
  }

  package let beginning: Beginning
  package private(set) var log: TaskLog
  package var mode: Mode
  /// The turn of a part whose code is running.
  var turn: TaskTurn?
  /// The tasks that the code has begun, by its own numbers for them from 1; nil for a command of
  /// an earlier run.
  private(set) var parts: [TaskID?] = []
  /// The parts whose code hasn't ended.
  private var livingCount = 0
  /// The number of calls so far.
  package private(set) var callCount = 0
  /// The ids of the actions that the latest call in the log has dispatched.
  package private(set) var lastSent: ClosedRange<Int64>?
  /// The difference between the log and the code.
  package private(set) var mismatch: TaskMismatch?
  /// What the log has of the waits that its turns have come to.
  package var recorded = RecordedWaits()
  /// How the task has ended, once its code has.
  package var ending: Text?
  /// The payload with which the code wants to begin anew.
  package var continuation: Value?
  private let record: (Value) -> Void

  /// Makes a task; its beginning is recorded by the caller.
  package init(
    _ beginning: Beginning, _ log: TaskLog, _ mode: Mode, record: @escaping (Value) -> Void
  ) {
    self.beginning = beginning
    self.log = log
    self.mode = mode
    self.record = record
  }

  /// Whether the log answers the code.
  package var isReplaying: Bool { if case .replaying = mode { true } else { false } }

  /// Adds an entry to the log and to the journal.
  package func note(_ entry: Map) {
    guard case .live = mode else { return }
    var entry = entry
    entry["task"] = .int(beginning.number)
    log.add(.map(entry))
    record(.map(entry))
  }

  /// Adds an entry about what becomes of the task, also while the log answers the code.
  package func noteRepeated(_ entry: Map) {
    var entry = entry
    entry["task"] = .int(beginning.number)
    log.add(.map(entry))
    record(.map(entry))
  }

  // MARK: Parts

  /// Takes a task in as a part.
  package func admit(_ task: EffectTask) -> Member {
    parts.append(task.id)
    livingCount += 1
    task.origin.generation = beginning.generation
    if parts.count == 1 { task.origin.since = beginning.since }
    return Member(task: self, number: parts.count)
  }

  /// Gives a number to a command that the code has called; nil if it isn't running.
  package func number(command id: TaskID?) -> Int {
    parts.append(id)
    return parts.count
  }

  /// The number of tasks that the code has begun.
  package var partCount: Int { parts.count }

  /// Notes that a command was called again.
  package func setCommand(_ number: Int, _ id: TaskID) { parts[number - 1] = id }

  /// The idempotency key of the call that the code makes.
  package var callKey: Text { Text("\(beginning.key.string)-\(callCount)") }

  /// Returns the task of a number; nil if there is none that runs.
  package func id(of number: Int) -> TaskID? {
    guard number >= 1, number <= parts.count else { return nil }
    return parts[number - 1]
  }

  /// Returns whether the code has given out a number.
  package func knows(_ number: Int) -> Bool { number >= 1 && number <= parts.count }

  /// The tasks of all parts in the order in which they began, also of those that have ended.
  package var partIDs: [TaskID] { parts.compactMap(\.self) }

  /// Whether the code of all parts has ended.
  package var hasEnded: Bool { livingCount == 0 }

  /// Notes that a part has ended; returns whether it was the last.
  package func noteEnd() -> Bool {
    livingCount -= 1
    return livingCount == 0
  }

  // MARK: Turns

  /// Notes that the code of a part begins to run.
  package func beginTurn(of number: Int) {
    turn =
      recorded.turn.map { TaskTurn(of: number, $0.entry, at: $0.index) } ?? TaskTurn(of: number)
    recorded.turn = nil
  }

  /// Notes that the code of a part waits or has ended; `end` is the time at which the wait ends.
  package func endTurn(waits: Bool, until end: Double?, isCancelled: Bool = false) {
    guard let turn else { return }
    defer { self.turn = nil }
    guard !turn.isReplayed else { return endReplayedTurn(waits: waits) }
    var entry: Map = ["turn": .int(Int64(turn.number)), "calls": .list(List(turn.calls))]
    if waits { entry["waits"] = true }
    if isCancelled { entry["cancelled"] = true }
    entry["until"] = end.map { .double($0) }
    note(entry)
  }

  /// Notes the answer to the wait of a part, in the form of a journal.
  package func noteAnswer(to number: Int, _ answer: Value) {
    if case .replaying = mode { return }
    note(["answer": .int(Int64(number)), "value": answer])
  }

  /// Notes the answer of a command that a part has called, with the end of its wait for it.
  func noteResult(_ value: Value, for number: Int) {
    recorded.results[number] = value
    note(["result": .int(Int64(number)), "value": value])
  }

  /// Returns the answer of the command that the part whose code runs has called, once.
  package func takeResult() -> Value? {
    turn.flatMap { recorded.results.removeValue(forKey: $0.number) }
  }

  // MARK: Calls

  /// Takes the result of a call from the log; nil if it isn't there, so that the call is made.
  ///
  /// - Throws: ``TaskMismatch`` if the log has another call.
  package func recorded(_ call: TaskCall) throws(TaskMismatch) -> Value? {
    if let mismatch { throw mismatch }
    callCount += 1
    lastSent = nil
    switch turn?.next() {
    case nil, .some(.none): return nil
    case .call(let kept) where kept.isSame(as: call):
      lastSent = kept.sent
      return kept.result
    case .call(let kept):
      let isOther = kept.hasName(of: call)
      throw differ(kept.described, call.described + (isOther ? " with other arguments" : ""))
    case .end: throw differ("the end of its turn", call.described)
    }
  }

  /// Notes a difference between the log and the code, unless one was found before.
  @discardableResult
  package func differ(_ kept: String, _ present: String) -> TaskMismatch {
    let found = mismatch ?? TaskMismatch(task: self, kept: kept, present: present)
    mismatch = found
    return found
  }

  /// Notes a call that was made, with its result in the form of a journal, and the ids of the
  /// actions that it has dispatched.
  package func note(_ call: TaskCall, _ result: Value, sent ids: ClosedRange<Int64>? = nil) {
    turn?.calls.append(call.value(result, sent: ids))
  }

  /// Whether the log has room for another call.
  package var hasRoom: Bool {
    callCount < Self.callCountMax && log.byteCount < Self.byteCountMax
  }

  /// Holds the memory of the log, which the host has beside the task's machine.
  ///
  /// - Throws: ``ServiceRefusal/memoryFull(max:)``.
  package func holdLog(in memory: HeldMemory) throws(ServiceRefusal) {
    try log.hold(in: memory)
  }

  /// Whether the current turn is the last one of its part in the log, so that what it waits for
  /// has no answer.
  package var isLastTurn: Bool {
    guard let turn else { return true }
    return !log.hasTurns(of: turn.number, after: turn.position)
      && recorded.answers[turn.number] == nil
      && !log.hasAnswers(to: turn.number, after: turn.position)
  }

  /// Notes that the code ended its turn differently than in the log.
  func endReplayedTurn(waits: Bool) {
    guard mismatch == nil, let turn, turn.isReplayed else { return }
    if case .call(let kept) = turn.upcoming {
      differ(kept.described, waits ? "another wait" : "the end of the code")
    } else if turn.waits != waits {
      differ(turn.waits ? "a wait" : "the end of the code", waits ? "a wait" : "the end")
    }
  }
}

extension DurableTask {
  package typealias Beginning = TaskBeginning

  /// What a log has of the waits that its turns have come to, by the part that waits.
  package struct RecordedWaits {
    /// The answers that no turn has taken.
    package var answers: [Int: Value] = [:]
    /// The answers of commands that no turn has taken.
    package var results: [Int: Value] = [:]
    /// The times at which waits end, in seconds since 1970.
    package var ends: [Int: Double] = [:]
    /// The turn that comes next, with its index.
    package var turn: (index: Int, entry: Value)?
  }

  /// A task as a part of a durable one.
  package struct Member {
    package let task: DurableTask
    /// The number among the parts, from 1.
    package let number: Int
  }
}

/// A difference between the log of a durable task and what its code does.
package struct TaskMismatch: Error {
  /// What the log has, and what the code does, each with its place.
  package let kept: String
  package let present: String
  private let name: String

  init(task: DurableTask, kept: String, present: String) {
    self.kept = kept
    self.present = present
    name = task.beginning.name
  }
}

extension TaskMismatch: CustomStringConvertible {
  /// One sentence with both sides.
  package var description: String {
    "\(name) can't go on: its journal has \(kept), and the code now comes to \(present); the task "
      + "stays in the journal"
  }
}

extension DurableTask.Beginning {
  /// The same beginning on other code.
  package func on(_ code: ModuleCode) -> DurableTask.Beginning {
    DurableTask.Beginning(
      number: number, module: module, effect: effect, action: action,
      generation: code.generation, files: code.files, file: code.file, seed: seed, key: key,
      since: since)
  }

  /// The number of characters of ``codeMark``.
  private static let codeMarkLength = 6

  /// A short mark of the files.
  package var codeMark: String {
    let hash = String(Text(Value.map(files).canonicalText).stableHash, radix: 16)
    return String(hash.suffix(Self.codeMarkLength))
  }

  /// The task in words.
  package var name: String {
    "durable task \(number) (effect \(effect) of module \(module), generation \(generation))"
  }
}
