import MoonActions
import MoonModules
import MoonNavigation
import MoonServiceKit
import MoonTasks
import MoonValues

/// The only caller of modules' code.
///
/// It records whose code runs, which the host's functions need to know. It measures calls against
/// the time budget of their action. It describes, counts and reports faults.
struct ModuleCaller {
  let session: Session

  /// Calls a registration; `screen` is the one that it is called for.
  ///
  /// - Throws: ``Fault``, which has been counted.
  func call<Result>(
    _ registration: BoundRegistration, on action: Action? = nil, showing screen: Screen? = nil,
    _ body: (SessionContext) throws -> Result
  ) throws(Fault) -> Result {
    do {
      return try enter(registration) { try body(SessionContext(session, registration)) }
    } catch {
      throw fault(error, registration, action, of: givers(of: action, showing: screen))
    }
  }

  /// Calls a registration that doesn't receive a context.
  ///
  /// - Throws: ``Fault``, which has been counted.
  func call<Result>(
    _ registration: BoundRegistration, on action: Action? = nil, _ body: () throws -> Result
  ) throws(Fault) -> Result {
    do {
      return try enter(registration, body)
    } catch {
      throw fault(error, registration, action)
    }
  }

  /// Calls the code of a task.
  ///
  /// - Throws: ``Fault``, which has been counted unless another task awaits this one.
  func call<Result>(
    _ task: EffectTask, _ body: (SessionContext) throws -> Result
  ) throws(Fault) -> Result {
    do {
      // A replay may not have the task, and so doesn't number its calls.
      return try enter(task.effect, number: nil) { try body(SessionContext(session, task.effect)) }
    } catch {
      throw fault(error, of: task)
    }
  }

  /// Calls a reducer with a slice.
  ///
  /// - Throws: ``Fault``, which has been counted. The slice is unchanged then.
  func reduce(
    _ slice: inout LentValue, with reducer: Bound<Reducer>, on action: Action
  ) throws(Fault) {
    do {
      try run(reducer, on: action, &slice)
    } catch {
      throw fault(error, reducer, action)
    }
  }

  /// Like ``reduce(_:with:on:)``, but the caller makes the error a fault.
  func run(_ reducer: Bound<Reducer>, on action: Action, _ slice: inout LentValue) throws {
    try enter(reducer) { try reducer.part.body(&slice, action) }
    session.current.clock.trace?.noteChanges(from: slice.former, to: slice.value, of: reducer.slice)
  }

  /// Calls a registration on behalf of no one who could handle an error.
  ///
  /// A fault is noted, and the result is nil.
  @discardableResult
  func attempt<Result>(
    _ registration: BoundRegistration, on action: Action? = nil, showing screen: Screen? = nil,
    _ body: (SessionContext) throws -> Result
  ) -> Result? {
    do throws(Fault) {
      return try call(registration, on: action, showing: screen, body)
    } catch {
      note(error)
      return nil
    }
  }

  /// Calls the `migrate` of a module for a slice, outside of any action.
  ///
  /// `generation` is that of the module, which may not be in service.
  ///
  /// - Throws: ``Fault``, which isn't counted, since no action has caused it.
  func migrate(
    _ slice: KeptSlice, with migration: Migration, generation: Int
  ) throws(Fault) -> Value {
    let registration = BoundRegistration(migration.registration, of: slice.module)
    do {
      let outer = session.environment.activity.enter(registration, in: session)
      defer { session.environment.activity.leave(to: outer) }
      return try migration.body(slice.value, slice.version)
    } catch {
      let failure = CodeFailure(thrown: error)
      if failure.isFatal, session.modules[slice.module]?.generation == generation {
        session.modules.killed.insert(slice.module)
      }
      throw Fault(
        module: slice.module.text, generation: generation, registration: migration.registration,
        reason: failure.reason, place: failure.place, frames: failure.frames,
        excerpt: failure.excerpt)
    }
  }

  /// Returns the fault behind an error, or makes and counts a new one.
  func fault(
    _ error: DispatchError, _ registration: BoundRegistration, _ action: Action
  ) -> Fault {
    if case .fault(let fault) = error { return fault }
    if case .refused(let refusal) = error { return fault(refusal, registration, action) }
    return fault(CodeFailure(.raised(error.description)), registration, action)
  }

  /// Notes a fault that no caller receives, and reports it.
  func note(_ fault: Fault) {
    if let refusal = fault.refusal {
      session.environment.report(.refused(session.id, refusal, fault.action))
      return
    }
    session.current.faults.append(fault)
    session.intake.askToSettle()
    session.environment.report(.fault(session.id, fault))
  }

  /// Makes and counts the fault for an error thrown by a registration, or by the host on its
  /// behalf.
  func fault(
    _ error: any Error, _ registration: BoundRegistration, _ action: Action?
  ) -> Fault {
    fault(error, registration, action, of: givers(of: action))
  }

  /// Makes the fault for an error that ends a task, and counts it unless another task awaits this
  /// one.
  ///
  /// The error is then an answer to the other task, which can catch it as `pcall` catches one. If
  /// it doesn't, that task fails, and its fault counts.
  func fault(_ error: any Error, of task: EffectTask) -> Fault {
    fault(
      error, task.effect, task.action, of: givers(to: task),
      isAnswer: session.tasks.awaited.isAwaited(task.id))
  }

  private func fault(
    _ error: any Error, _ registration: BoundRegistration, _ action: Action?,
    of givers: Set<ModuleName>, isAnswer: Bool = false
  ) -> Fault {
    let failure = CodeFailure(thrown: error)
    let owner = registration.owner
    var fault = Fault(
      module: owner.text, generation: session.modules[owner]?.generation ?? 0,
      registration: registration.registration, reason: failure.reason, place: failure.place,
      frames: failure.frames, excerpt: failure.excerpt, action: action)
    if case .raised(let text) = failure.reason, text.contains("(field '") {
      fault.knownNames = knownNames(to: owner)
    }
    fault.refused = failure.refusal
    if failure.isFatal { session.modules.killed.insert(owner) }
    // An error is one of a command's answers: its caller must not be able to have it suspended.
    let isCommand = registration.registration.kind == .command
    if isCommand { fault.value = failure.value }
    let isAnswer = isAnswer || isCommand
    if failure.isFatal || !isAnswer && failure.refusal == nil {
      let blamed = blamed(for: fault, of: owner, givers, isKill: failure.isFatal)
      count(fault, of: owner, to: blamed, isKill: failure.isFatal)
    }
    return fault
  }

  /// Returns the names that code of a module could have meant.
  private func knownNames(to module: ModuleName) -> Fault.KnownNames {
    let countMax = Fault.KnownNames.countMax
    let fields = (session.slices[module]?.mapValue ?? Map()).keys.lazy.compactMap { key in
      if case .string(let name) = key { name.string } else { String?.none }
    }
    return Fault.KnownNames(
      fields: Array(fields.prefix(countMax)),
      modules: session.modules.sorted.prefix(countMax).map(\.module.name.text))
  }

  private func count(
    _ fault: Fault, of owner: ModuleName, to blamed: ModuleName?, isKill: Bool
  ) {
    session.spans.record(.fault(owner))
    // What was suspended when a session was recorded is in the recording.
    if session.current.isReplay, !isKill { return }
    guard let blamed else {
      return session.modules.suspension.recordOthersFault(of: owner)
    }
    let count = session.modules.recordFault(
      of: blamed, in: blamed == owner ? fault.registration : nil, isKill: isKill,
      max: session.environment.faultsMax(blamed))
    if let count { session.environment.report(.suspended(blamed, by: fault, count: count)) }
  }

  /// Runs code of a registration.
  ///
  /// A call for a commit that exceeds a limit is noted, and in a replay fails as it did then.
  private func enter<Result>(
    _ registration: BoundRegistration, _ body: () throws -> Result
  ) throws -> Result {
    guard let number = session.current.calls.countCall() else {
      return try enter(registration, number: nil, body)
    }
    if session.current.mode == .replay,
      let reason = session.current.calls.recordedLimit(ofCall: number)
    {
      session.current.calls.noteLimit(reason, ofCall: number)
      throw CodeFailure(reason)
    }
    return try enter(registration, number: number, body)
  }

  /// Runs code of a registration, in a call with a number if it is for a commit.
  private func enter<Result>(
    _ registration: BoundRegistration, number: Int?, _ body: () throws -> Result
  ) throws -> Result {
    do {
      return try measure(registration, body)
    } catch {
      if let number, let failure = error as? CodeFailure {
        session.current.calls.noteLimit(failure.reason, ofCall: number)
      }
      throw error
    }
  }

  private func measure<Result>(
    _ registration: BoundRegistration, _ body: () throws -> Result
  ) throws -> Result {
    let start = session.current.clock.countCall() ? try beginMeasuring(registration) : nil
    let activity = session.environment.activity
    let outer = activity.enter(registration, in: session)
    defer {
      activity.leave(to: outer)
      if let start { endMeasuring(registration, since: start) }
    }
    let result = try body()
    session.modules.suspension.recordSuccess(
      of: registration.owner, in: registration.registration)
    return result
  }

  /// Returns the time at which a call begins, in nanoseconds; nil if nothing measures it.
  ///
  /// - Throws: `CodeFailure` if its module has used up the time of the action or drawing, or of
  ///   what follows from an action.
  private func beginMeasuring(_ registration: BoundRegistration) throws -> Int64? {
    if let trace = session.current.clock.trace { return trace.time.wholeNanoseconds }
    let budget = session.environment.actionBudget
    let isFollowing = session.current.clock.following.isRunning
    guard session.current.hasBudget, budget > 0 || isFollowing else { return nil }
    if budget > 0, session.current.clock.total >= budget,
      session.current.clock.hasUsedShare(registration.owner, of: budget)
    {
      throw CodeFailure(.actionTimeSpent(milliseconds: Int(budget / 1_000_000)))
    }
    if isFollowing, session.current.clock.following.isSpent(by: registration.owner) {
      let budget = session.environment.followingBudget
      throw CodeFailure(.actionTimeSpent(milliseconds: Int(budget / 1_000_000)))
    }
    return session.current.nanoseconds(on: session.environment.budgetClock)
  }

  private func endMeasuring(_ registration: BoundRegistration, since start: Int64) {
    if let trace = session.current.clock.trace {
      return trace.note(registration, since: .nanoseconds(start))
    }
    let end = session.current.nanoseconds(on: session.environment.budgetClock)
    session.current.clock.add(end - start, of: registration.owner)
  }
}

extension Duration {
  /// The milliseconds; what is less than one is left out.
  var wholeMilliseconds: Int {
    let (seconds, isTooLong) = Int(clamping: components.seconds).multipliedReportingOverflow(
      by: 1000)
    return isTooLong ? .max : seconds + Int(components.attoseconds / 1_000_000_000_000_000)
  }
}

extension Session {
  var caller: ModuleCaller { ModuleCaller(session: self) }

  /// Does work whose calls of modules share the budget of an action: a drawing, or what a reload
  /// leads to.
  ///
  /// Within an action, they are a part of it.
  func sharingBudget<Result>(_ body: () -> Result) -> Result {
    let isOutermost = current.beginBeside()
    defer { if isOutermost { current.end() } }
    return body()
  }
}
