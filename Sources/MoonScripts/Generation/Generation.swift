package import MoonLua
package import MoonModules
package import MoonServiceKit
import MoonValues

/// One load of a module in Lua: its machine, and the calls into it.
///
/// Confined to the host. A reload makes the next generation.
package final class Generation {
  package let name: ModuleName
  /// The module's main file.
  package let file: String
  /// The number of the load, from 1 for each module.
  package let number: Int
  package let machine: Machine
  /// The task whose code runs in the machine.
  let task: RunningTask
  /// The files that it was loaded from, with their contents at that time.
  package let files: LoadedFiles
  let quota: SliceQuota
  /// The shape of the slice; nil if any is allowed.
  var shape: SliceShape?
  private let budgets: Budgets
  /// The limits of an effect's calls, found once, since each run of an effect needs them.
  let effectLimits: CallLimits
  /// Whether the machine is that of one durable task, whose end concerns no other code.
  var isOfTask = false
  /// The handles of services that its tasks have open.
  var handles = OpenHandles()

  init(
    name: ModuleName, file: String, number: Int, machine: Machine, task: RunningTask,
    budgets: Budgets, stateQuota: Int, files: LoadedFiles
  ) {
    self.name = name
    self.file = file
    self.number = number
    self.machine = machine
    self.task = task
    self.budgets = budgets
    effectLimits = CallLimits(budget: budgets[.effect], purity: .impure, entry: "an effect")
    quota = SliceQuota(bytesMax: stateQuota)
    self.files = files
  }

  /// Returns the limits for a kind of call; `entry` names the function in errors.
  func limits(
    _ kind: CallKind, _ entry: StaticString, _ purity: CallLimits.Purity = .impure
  ) -> CallLimits {
    CallLimits(budget: budgets[kind], purity: purity, entry: entry)
  }

  /// Calls a function.
  ///
  /// - Throws: ``CodeFailure``
  func call(
    _ function: LuaFunction, _ arguments: [Argument], _ limits: CallLimits
  ) throws(CodeFailure) -> [Value?] {
    do throws(LuaError) {
      return try machine.call(function, arguments, limits: limits)
    } catch {
      throw failure(error)
    }
  }

  /// Calls a function with its subject, a view of its module's slice, and `self`; returns the first
  /// result.
  ///
  /// - Throws: ``CodeFailure``
  func ask(
    _ function: LuaFunction, _ subject: @autoclosure () -> Argument, _ context: SessionContext,
    _ limits: CallLimits
  ) throws(CodeFailure) -> Value? {
    try answer(function, limits.repeatable(in: context)) { arguments in
      add(subject(), context, of: function, to: { arguments.append($0) })
    }
  }

  /// Calls a function like the one above with two subjects.
  ///
  /// - Throws: ``CodeFailure``
  func ask(
    _ function: LuaFunction, _ subject: @autoclosure () -> Argument,
    _ second: @autoclosure () -> Argument, _ context: SessionContext, _ limits: CallLimits
  ) throws(CodeFailure) -> Value? {
    try answer(function, limits.repeatable(in: context)) { arguments in
      guard function.takes(1) else { return }
      arguments.append(subject())
      add(second(), after: 1, context, of: function, to: { arguments.append($0) })
    }
  }

  private func answer(
    _ function: LuaFunction, _ limits: CallLimits, passing add: (ArgumentList) -> Void
  ) throws(CodeFailure) -> Value? {
    do throws(LuaError) {
      return try machine.answer(function, limits: limits, passing: add)
    } catch {
      throw failure(error)
    }
  }

  /// Returns the arguments of a function from its subject on.
  func arguments(
    of function: LuaFunction, _ subject: @autoclosure () -> Argument, _ context: SessionContext
  ) -> [Argument] {
    var arguments: [Argument] = []
    add(subject(), context, of: function, to: { arguments.append($0) })
    return arguments
  }

  /// Adds the arguments of a function from its subject on, which follows `count` others.
  ///
  /// Arguments for which the function has no parameter aren't made, such as the tables of a route
  /// and of a screen.
  func add(
    _ subject: @autoclosure () -> Argument, after count: Int = 0, _ context: SessionContext,
    of function: LuaFunction, to append: (Argument) -> Void
  ) {
    guard function.takes(count + 1) else { return }
    append(subject())
    guard function.takes(count + 2) else { return }
    append(.view(context.slice, name: name.text))
    if function.takes(count + 3) { append(.context) }
  }

  /// Returns the failure for a wrong result; `message` says which results are allowed.
  func refusal(_ message: String, _ function: LuaFunction) -> CodeFailure {
    CodeFailure(.raised(message), place: function.place, excerpt: excerpt(at: function.place))
  }

  /// Returns the failure for an error of Lua, in terms that don't depend on Lua.
  func failure(_ error: LuaError) -> CodeFailure {
    var failure = CodeFailure(error, isOfTask: isOfTask)
    failure.excerpt = excerpt(at: failure.place)
    return failure
  }

  func excerpt(at place: SourcePlace?) -> Excerpt? {
    guard let place, let source = files.sources[place.file] else { return nil }
    return Excerpt(of: source.bytes, line: place.line)
  }
}

extension CallLimits {
  /// The limits for a call in a context, which a replay must repeat if no commit has followed yet.
  func repeatable(in context: SessionContext) -> CallLimits {
    guard let repetition = context.repetition else { return self }
    var limits = self
    limits.purity = .repeatable(seed: repetition.seed, time: repetition.time)
    return limits
  }
}

extension CodeFailure {
  /// Makes a failure from the error of a call into Lua.
  package init(_ error: LuaError) { self.init(error, isOfTask: false) }

  /// Makes the failure; `isOfTask` means that the machine is that of one durable task.
  init(_ error: LuaError, isOfTask: Bool) {
    let reason: Fault.Reason =
      switch error {
      case .runtime(let report): .raised(report.message)
      case .syntax(let report, let isIncomplete):
        .syntax(report.message, isIncomplete: isIncomplete)
      case .timedOut(_, let budget): .timedOut(milliseconds: Int(budget))
      case .interrupted: .interrupted
      case .memoryExceeded(_, let bytes) where isOfTask:
        .raised(
          "the durable tasks of the module used more than \(Wording.size(bytes)) of memory "
            + "together; --limit memory=… allows them more")
      case .memoryExceeded(_, let bytes): .outOfQuota(bytes: bytes)
      case .outOfMemory: .outOfMemory
      case .machineIsDead, .machineIsBusy: .notRunning
      }
    self.init(
      reason, isFatal: error.isFatal && !isOfTask, place: error.report?.place,
      frames: (error.report?.frames ?? []).map {
        Fault.Frame(place: $0.place, function: $0.function)
      })
    value = error.report?.value
    if error.report?.isRefusal == true, let reason = value?["reason"]?.stringValue {
      refusal = Refusal(reason, details: value?["details"])
    }
  }
}
