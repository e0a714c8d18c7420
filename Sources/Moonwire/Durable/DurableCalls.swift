import MoonLua
import MoonSession
import MoonStore
import MoonValues

/// The calls of the host by the code of a durable task, each of which is in its log.
///
/// Confined to the host.
final class DurableCalls {
  private unowned let task: DurableTask
  private unowned let session: Session
  private let bindings: Bindings
  private weak var machine: Machine?
  /// The commands that the code has called in an earlier run, by its own numbers.
  private var commands: [Int: CalledCommand] = [:]

  /// A call of a command, with its idempotency key.
  private struct CalledCommand {
    let arguments: [Value?]
    let key: Text
  }

  init(of task: DurableTask, in session: Session, _ bindings: Bindings) {
    self.task = task
    self.session = session
    self.bindings = bindings
  }

  /// The seed of `moon.random`.
  var seed: UInt64 { UInt64(bitPattern: task.beginning.seed) }

  private var module: ModuleName { task.beginning.module }

  /// Notes the machine, before its first call.
  func begin(in machine: Machine) {
    self.machine = machine
    machine.refuseClocks()
  }

  /// Carries out a call, or takes its result from the log.
  func call(_ number: Int32, _ arguments: [Value?]) throws(Refusal) -> [Argument] {
    guard !bindings.activity.isLoading, let function = HostFunction(rawValue: number) else {
      // The module's own load has printed what a file prints.
      if number == HostFunction.print.rawValue || number == HostFunction.log.rawValue { return [] }
      return try live(number, arguments)
    }
    switch function {
    case .print, .log:
      return task.isReplaying ? [] : try live(number, arguments)
    case .services, .option, .closeHandle, .task: return try live(number, arguments)
    case .timer:
      throw .refused(
        "a durable effect has no timers, which end with the program: write "
          + "moon.spawn(function() moon.sleep(…) self.dispatch(…) end)")
    default: return try answer(function, arguments)
    }
  }

  private func live(_ number: Int32, _ arguments: [Value?]) throws(Refusal) -> [Argument] {
    try bindings.call(number, arguments, from: module)
  }

  private func answer(
    _ function: HostFunction, _ arguments: [Value?]
  ) throws(Refusal) -> [Argument] {
    let call = TaskCall(function, arguments, at: machine?.callingPlace ?? "")
    let kept: Value?
    do throws(TaskMismatch) {
      kept = try task.recorded(call)
    } catch {
      throw .refused(error.description)
    }
    if let kept { return try repeated(function, arguments, kept) }
    guard task.hasRoom || function == .beginAnew else {
      throw .refused(
        "the journal of this task has more than \(DurableTask.callCountMax) calls or "
          + "\(DurableTask.byteCountMax >> 20) MB: end it with moon.continue(…), which begins it "
          + "anew")
    }
    return try made(function, arguments, call)
  }

  // MARK: Calls that are made

  private func made(
    _ function: HostFunction, _ arguments: [Value?], _ call: TaskCall
  ) throws(Refusal) -> [Argument] {
    let before = session.lastID
    do throws(Refusal) {
      let results = try carryOut(function, arguments)
      var sent: ClosedRange<Int64>?
      if session.lastID > before { sent = (before + 1)...session.lastID }
      if let sent { session.tasks.durable?.noteSent(sent, by: task) }
      // The answer of a command is in the log already.
      task.note(call, function == .result ? [] : RecordedAnswer.value(of: results), sent: sent)
      return results
    } catch {
      task.note(call, ["error": .string(Text(error.text))])
      throw error
    }
  }

  /// Carries out a call, with the code's own numbers for its tasks.
  private func carryOut(
    _ function: HostFunction, _ arguments: [Value?]
  ) throws(Refusal) -> [Argument] {
    let number = function.rawValue
    switch function {
    case .spawn: return try spawn(arguments)
    case .callCommand:
      let id = try begin(CalledCommand(arguments: arguments, key: task.callKey))
      return [.value(.int(Int64(task.number(command: id))))]
    case .result:
      let result = task.takeResult()
      return [result == .null ? .none : result.map { .value($0) } ?? .none]
    case .cancel: return try live(number, arguments.map(translated))
    case .await: return try live(number, awaited(arguments))
    case .service:
      let run = session.tasks.current?.run as? LuaRun
      run?.key = task.callKey
      defer { run?.key = nil }
      return try live(number, arguments)
    default: return try live(number, arguments)
    }
  }

  /// Begins a command, whose own calls have keys that follow from that of this call.
  private func begin(_ command: CalledCommand) throws(Refusal) -> TaskID? {
    let id = try live(HostFunction.callCommand.rawValue, command.arguments).taskID
    if let id { session.tasks.durable?.give(CallKeys(after: command.key), to: id) }
    return id
  }

  private func spawn(_ arguments: [Value?]) throws(Refusal) -> [Argument] {
    _ = try live(HostFunction.spawn.rawValue, arguments)
    // The part got the number when it began.
    return [.value(.int(Int64(task.partCount)))]
  }

  /// Returns the numbers of tasks in an argument as those of the session; 0 for those of others.
  private func translated(_ argument: Value?) -> Value? {
    switch argument {
    case .int(let number): .int(Int64(task.id(of: Int(clamping: number))?.number ?? 0))
    case .list(let list): .list(List(list.map { translated($0) ?? .null }))
    default: argument
    }
  }

  /// Returns the arguments of a wait for tasks with their numbers as those of the session.
  private func awaited(_ arguments: [Value?]) -> [Value?] {
    // The last one is a duration.
    arguments.enumerated().map { $0.offset == 1 ? translated($0.element) : $0.element }
  }

  // MARK: Calls in the log

  private func repeated(
    _ function: HostFunction, _ arguments: [Value?], _ kept: Value
  ) throws(Refusal) -> [Argument] {
    if let message = kept["error"]?.stringValue { throw .refused(message) }
    let results = RecordedAnswer.arguments(kept)
    switch function {
    case .spawn: return try spawn(arguments)
    case .callCommand:
      let number = task.number(command: nil)
      commands[number] = CalledCommand(arguments: arguments, key: task.callKey)
      return [.value(.int(Int64(number)))]
    case .cancel: _ = try live(function.rawValue, arguments.map(translated))
    case .dispatch, .emit: try sendAgain(function, arguments)
    case .await where results.isEmpty: wait(again: arguments)
    case .result where results.isEmpty: return try carryOut(function, arguments)
    case .service where results.isEmpty: try call(again: arguments)
    case .sleep, .take, .change, .rest, .outcome, .screen, .beginAnew:
      if results.isEmpty { return try live(function.rawValue, arguments) }
    default: break
    }
    return results
  }

  /// Waits for tasks again that the log may know the end of.
  private func wait(again arguments: [Value?]) {
    guard let run = session.tasks.current?.run as? LuaRun else { return }
    let failed = task.isLastTurn ? callAgain(arguments) : nil
    run.wait = failed ?? TaskBindings.wait(for: awaited(arguments))
  }

  /// Waits for a service again, or, if the log has its answer, for nothing.
  private func call(again arguments: [Value?]) throws(Refusal) {
    guard let run = session.tasks.current?.run as? LuaRun else { return }
    guard task.isLastTurn else {
      run.wait = .cancellation
      return
    }
    let results = try carryOut(.service, arguments)
    // It is refused now, which the code learns when it goes on.
    guard !results.isEmpty else { return }
    let refusal = RecordedAnswer.value(of: Array(results.dropFirst()))
    run.wait = .operation(Operation(name: arguments.text(0)) { .recorded(refusal) })
  }

  /// Dispatches the actions that a call has dispatched and whose commit isn't in the journal.
  private func sendAgain(_ function: HostFunction, _ arguments: [Value?]) throws(Refusal) {
    guard let ids = task.lastSent, let durable = session.tasks.durable,
      durable.areUnsettled(ids, of: task)
    else { return }
    let before = session.lastID
    _ = try live(function.rawValue, arguments)
    if session.lastID > before {
      durable.noteSentAgain(ids, as: (before + 1)...session.lastID, by: task)
    }
  }

  /// Calls the command again whose answer the log doesn't have, if the arguments name one; returns
  /// what the code waits for instead if it can't be called.
  private func callAgain(_ arguments: [Value?]) -> Wait? {
    guard !session.work.isReplay, let number = arguments.taskNumbers.first,
      task.id(of: number) == nil, let command = commands[number]
    else { return nil }
    let name = "the command \(command.arguments.text(0))"
    if session.tasks.durable?.retry(of: task) == .never {
      // The wait of a call that isn't made again, whose answer says that it was cut off.
      return .operation(Operation(name: name) { .values([]) })
    }
    do throws(Refusal) {
      if let id = try begin(command) { task.setCommand(number, id) }
      return nil
    } catch {
      let answer: [Value?] = [.int(1), "failed", .string(Text(error.text))]
      return .operation(Operation(name: name) { .values(answer) })
    }
  }
}

extension [Argument] {
  fileprivate var taskID: TaskID? {
    if case .value(.int(let number))? = first { TaskID(Int(clamping: number)) } else { nil }
  }
}
