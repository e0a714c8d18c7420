import MoonLua
import MoonModules
import MoonServiceKit
import MoonSession
import MoonTasks
import MoonValues

/// The calls of the host by the code of a durable task, each of which is in its log.
///
/// Confined to the host.
package final class DurableCalls {
  private unowned let task: DurableTask
  private unowned let session: Session
  private let bindings: Bindings
  private weak var machine: Machine?
  /// The calls of commands in an earlier run, by the code's own numbers for them.
  private var commands: [Int: HostCall] = [:]

  init(of task: DurableTask, in session: Session, _ bindings: Bindings) {
    self.task = task
    self.session = session
    self.bindings = bindings
  }

  /// The seed of `moon.random`.
  var seed: UInt64 { UInt64(bitPattern: task.beginning.seed) }

  /// Notes the machine, before its first call.
  func begin(in machine: Machine) {
    self.machine = machine
    machine.refuseClocks()
  }

  /// Carries out a call, or takes its answer from the log.
  func answer(_ call: HostCall) throws(HostRefusal) -> HostAnswer {
    let replay = call.function.replay
    if bindings.activity.isLoading {
      return try replay.isLogged ? call.make() : replay.again(self, call, [])
    }
    guard replay.isLogged else {
      return try task.isReplaying ? replay.again(self, call, []) : replay.first(self, call)
    }
    let entry = replay.entry(call, machine?.callingPlace ?? "")
    let kept: Value?
    do throws(TaskMismatch) {
      kept = try task.recorded(entry)
    } catch {
      throw .refused(error.description)
    }
    if let kept {
      if let message = kept["error"]?.stringValue { throw .refused(message) }
      return try replay.again(self, call, RecordedAnswer.arguments(kept))
    }
    if !replay.endsTask { try requireRoom() }
    return try first(call, entry)
  }

  /// Throws if the log is too long, or if the host holds too much for the module.
  private func requireRoom() throws(HostRefusal) {
    guard task.hasRoom else {
      throw .refused(
        "the journal of this task has more than \(DurableTask.callCountMax) calls or "
          + "\(DurableTask.byteCountMax >> 20) MB: end it with moon.continue(…), which begins it "
          + "anew")
    }
    do throws(ServiceRefusal) {
      try task.holdLog(in: bindings.services.memory(of: task.beginning.module))
    } catch {
      throw .refused(
        "\(error); the journals of the module's durable tasks are a part of it: end some, or "
          + "begin them anew with moon.continue(…)")
    }
  }

  /// Carries out a call that isn't in the log.
  private func first(_ call: HostCall, _ entry: TaskCall) throws(HostRefusal) -> HostAnswer {
    let before = session.lastID
    let replay = call.function.replay
    do throws(HostRefusal) {
      let answer = try replay.first(self, call)
      var sent: ClosedRange<Int64>?
      if session.lastID > before { sent = (before + 1)...session.lastID }
      if let sent { session.tasks.durable?.noteSent(sent, by: task) }
      let results = replay.logsResults ? answer.results : []
      task.note(entry, RecordedAnswer.value(of: results), sent: sent)
      return answer
    } catch {
      task.note(entry, ["error": .string(Text(error.text))])
      throw error
    }
  }

  /// The answer of a call that begins a task.
  private func number(_ number: Int) -> HostAnswer { .result(.value(.int(Int64(number)))) }

  // MARK: Tasks

  fileprivate func spawn(_ call: HostCall) throws(HostRefusal) -> HostAnswer {
    _ = try call.make()
    // The part got the number when it began.
    return number(task.partCount)
  }

  /// Returns a call in which the session's numbers replace the code's own numbers for tasks, at an
  /// index.
  ///
  /// Tasks of others get the number 0.
  fileprivate func translated(_ call: HostCall, at index: Int) -> HostCall {
    var arguments = call.arguments
    if arguments.indices.contains(index) { arguments[index] = translated(arguments[index]) }
    return call.with(arguments)
  }

  private func translated(_ argument: Value?) -> Value? {
    switch argument {
    case .int(let number): .int(Int64(task.id(of: Int(clamping: number))?.number ?? 0))
    case .list(let list): .list(List(list.map { translated($0) ?? .null }))
    default: argument
    }
  }

  /// Waits again for tasks whose end the log may have.
  fileprivate func await(again call: HostCall) -> HostAnswer {
    if task.isLastTurn, let failed = callAgain(call.tasks(1).first) { return .waits(failed) }
    let (ids, goal, limit) = translated(call, at: 1).awaited
    return .waits(.tasks(ids, goal, within: limit))
  }

  // MARK: Commands

  fileprivate func beginCommand(_ call: HostCall) throws(HostRefusal) -> HostAnswer {
    number(task.number(command: try begin(keyed(call))))
  }

  /// Gives a command that the log has the same number again, without calling it.
  fileprivate func noteCommand(_ call: HostCall) -> HostAnswer {
    let given = task.number(command: nil)
    commands[given] = keyed(call)
    return number(given)
  }

  /// Begins a command, whose own calls have keys that follow from that of this call.
  private func begin(_ call: HostCall) throws(HostRefusal) -> TaskID? {
    guard case .value(.int(let number))? = try call.make().results.first else { return nil }
    let id = TaskID(Int(clamping: number))
    if let key = call.key { session.tasks.durable?.give(CallKeys(after: key), to: id) }
    return id
  }

  /// If a task is a command whose answer the log lacks, calls it again; returns what the code waits
  /// for instead if it can't be called.
  private func callAgain(_ given: TaskID?) -> Wait? {
    guard !session.current.isReplay, let number = given?.number, task.id(of: number) == nil,
      let command = commands[number]
    else { return nil }
    let name = "the command \(command.text(0))"
    if session.tasks.durable?.retry(of: task) == .never {
      // The wait of a call that isn't made again, whose answer says that it was cut off.
      return .operation(Operation(name: name) { .values([]) })
    }
    do throws(HostRefusal) {
      if let id = try begin(command) { task.setCommand(number, id) }
      return nil
    } catch {
      let answer: [Value?] = [.int(1), "failed", .string(Text(error.text))]
      return .operation(Operation(name: name) { .values(answer) })
    }
  }

  fileprivate func takeResult() -> HostAnswer {
    let result = task.takeResult()
    return .result(result == .null ? .none : result.map { .value($0) } ?? .none)
  }

  // MARK: Services and actions

  /// Returns a call with its idempotency key.
  fileprivate func keyed(_ call: HostCall) -> HostCall {
    var call = call
    call.key = task.callKey
    return call
  }

  /// Waits for a service again, or, if the log has its answer, for nothing.
  fileprivate func callService(again call: HostCall) throws(HostRefusal) -> HostAnswer {
    guard task.isLastTurn else { return .waits(.cancellation) }
    let answer = try keyed(call).make()
    guard case .results(let results) = answer else { return answer }
    // It is refused now, which the code learns when it continues.
    let refusal = RecordedAnswer.value(of: Array(results.dropFirst()))
    return .waits(.operation(Operation(name: call.text(0)) { .recorded(refusal) }))
  }

  /// Dispatches again the actions of a call whose commit isn't in the journal.
  fileprivate func sendAgain(_ call: HostCall) throws(HostRefusal) {
    guard let ids = task.lastSent, let durable = session.tasks.durable,
      durable.areUnsettled(ids, of: task)
    else { return }
    let before = session.lastID
    _ = try call.make()
    if session.lastID > before {
      durable.noteSentAgain(ids, as: (before + 1)...session.lastID, by: task)
    }
  }
}

extension HostFunction {
  /// What a durable task does with the calls of a function.
  struct Replay: Sendable {
    /// Whether calls and their results are in the log.
    var isLogged = true
    /// Whether their results are; those of others come to the log by themselves.
    var logsResults = true
    /// Whether a call ends the task, so that it needs no room in the log.
    var endsTask = false
    /// Makes the entry for a call at a place.
    var entry: @Sendable (_ call: HostCall, _ place: String) -> TaskCall = { call, place in
      TaskCall(call.function.name, about: call.arguments, at: place)
    }
    /// Carries out a call that isn't in the log.
    var first: @Sendable (DurableCalls, HostCall) throws(HostRefusal) -> HostAnswer = {
      (_, call) throws(HostRefusal) in try call.make()
    }
    /// Answers a call that is in the log, which has kept these results; none for a wait.
    var again:
      @Sendable (DurableCalls, HostCall, _ kept: [Argument]) throws(HostRefusal) -> HostAnswer

    /// The results are those in the log.
    static let recorded = Replay(again: { _, _, kept in .results(kept) })
    /// The call is made in each run of the code, and not logged.
    static let live = Replay(
      isLogged: false, again: { (_, call, _) throws(HostRefusal) in try call.make() })
    /// The call is made once, and not logged.
    static let silent = Replay(isLogged: false, again: { _, _, _ in .nothing })
    /// A call that waited waits again.
    static let waiting = Replay(again: { (_, call, kept) throws(HostRefusal) in
      kept.isEmpty ? try call.make() : .results(kept)
    })
    /// A call that ended the task ends it again.
    static let beginningAnew = Replay(endsTask: true, again: waiting.again)
    /// The actions whose commit isn't in the journal are dispatched again.
    static let sending = Replay(again: { (calls, call, kept) throws(HostRefusal) in
      try calls.sendAgain(call)
      return .results(kept)
    })
    /// The task begins again, as a part of the durable one.
    static let spawning = Replay(
      // The number of a coroutine isn't the same in every run.
      entry: { call, place in
        TaskCall(call.function.name, about: call.arguments, hashing: [], at: place)
      },
      first: { (calls, call) throws(HostRefusal) in try calls.spawn(call) },
      again: { (calls, call, _) throws(HostRefusal) in try calls.spawn(call) })
    /// The parts of the durable task that the code cancelled are cancelled again.
    static let cancelling = Replay(
      first: { (calls, call) throws(HostRefusal) in try calls.translated(call, at: 0).make() },
      again: { (calls, call, kept) throws(HostRefusal) in
        _ = try calls.translated(call, at: 0).make()
        return .results(kept)
      })
    /// The code waits again for tasks whose end the log may have.
    static let awaiting = Replay(
      first: { (calls, call) throws(HostRefusal) in try calls.translated(call, at: 1).make() },
      again: { calls, call, kept in kept.isEmpty ? calls.await(again: call) : .results(kept) })
    /// A command gets its number, and is called again only when the code waits for its answer.
    static let calling = Replay(
      first: { (calls, call) throws(HostRefusal) in try calls.beginCommand(call) },
      again: { calls, call, _ in calls.noteCommand(call) })
    /// The answer of a command is in the log already.
    static let takingResult = Replay(
      logsResults: false, first: { calls, _ in calls.takeResult() },
      again: { calls, _, kept in kept.isEmpty ? calls.takeResult() : .results(kept) })
    /// A service is called again if the log lacks its answer.
    static let callingService = Replay(
      entry: { call, place in TaskCall(ofService: call.arguments, at: place) },
      first: { (calls, call) throws(HostRefusal) in try calls.keyed(call).make() },
      again: { (calls, call, kept) throws(HostRefusal) in
        kept.isEmpty ? try calls.callService(again: call) : .results(kept)
      })

    /// Calls are refused.
    static func refused(_ reason: String) -> Replay {
      Replay(
        isLogged: false, first: { (_, _) throws(HostRefusal) in throw .refused(reason) },
        again: { (_, _, _) throws(HostRefusal) in throw .refused(reason) })
    }
  }
}
