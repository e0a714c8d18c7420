import Dispatch
import MoonPrompt
import Moonwire
import Synchronization

/// The wait for tasks between two lines of a script.
///
/// It doesn't include tasks that wait for an action or a change, since a later line may cause it.
/// Tasks that outlast one wait aren't waited for again.
final class TaskWait: Sendable {
  private struct Status {
    /// The tasks that aren't waited for: those that outlasted a wait or, at the prompt, began
    /// before the latest line.
    var others: Set<TaskID> = []
    /// At the prompt, the tasks that began before the latest line that is known to have begun any.
    var earlier: Set<TaskID> = []
    /// The number of the wait; a late interruption must not affect the next one.
    var number = 0
    var isWaiting = false
    var isInterrupted = false
    /// The tasks that the interruption has cancelled.
    var cancelled: [TaskInfo] = []
  }

  private let session: PromptSession
  private let time: Duration
  private let status = Mutex(Status())

  init(_ session: PromptSession, _ time: Duration) {
    self.session = session
    self.time = time
  }

  /// Waits; returns the results of tasks since the last line, and a report on tasks that were
  /// cancelled, or are still running and weren't reported before.
  func run() async -> (answer: EffectsAnswer, report: Report?) {
    let others = status.withLock { status in
      status.number += 1
      status.isWaiting = true
      return status.others
    }
    let work = await session.host.waitForTasks(in: session.id, besides: others, within: time)
    let left = work.running.filter { $0.endsWithoutAction && !others.contains($0.id) }
    let cancelled = status.withLock { status in
      status.others.formUnion(left.map(\.id))
      status.others.formIntersection(work.running.map(\.id))
      defer { status.cancelled = [] }
      (status.isWaiting, status.isInterrupted) = (false, false)
      return status.cancelled
    }
    let step = work.states.map { StateStep(from: $0.before, to: $0.after) }
    let report: Report? =
      if !cancelled.isEmpty { Report(cancelled: cancelled) } else if left.isEmpty { nil } else {
        Report(stillRunning: left, after: time)
      }
    return (EffectsAnswer(work: work, step: step), report)
  }

  /// Cancels the tasks that are waited for.
  ///
  /// Calls `otherwise` if there is no wait, if the wait is for no task, or if this was already
  /// called during the previous wait. May be called on any thread.
  func interrupt(otherwise: @escaping @Sendable () -> Void) {
    let number: Int? = status.withLock { status in
      guard status.isWaiting, !status.isInterrupted else { return nil }
      status.isInterrupted = true
      return status.number
    }
    guard let number else { return otherwise() }
    session.host.interrupt()
    Task {
      let hasCancelled = await session.host.perform { [self] host in
        let others = status.withLock { $0.number == number && $0.isWaiting ? $0.others : nil }
        guard let others else { return false }
        let tasks = host.cancelTasks(in: session.id, besides: others)
        status.withLock { $0.cancelled = tasks }
        return !tasks.isEmpty
      }
      // On a thread of its own, since it may block.
      if !hasCancelled { DispatchQueue.global().async(execute: otherwise) }
    }
  }

  /// Cancels the command or the evaluation that a line at the prompt waits for, if any; its error
  /// ends the line.
  ///
  /// May be called on any thread.
  func cancelCall() {
    guard session.call.isRunning else { return }
    Task {
      let others = status.withLock { $0.others }
      await session.host.perform { [id = session.id] host in
        _ = host.cancelTasks(in: id, besides: others, evenForActions: true)
      }
    }
  }

  /// Excludes the tasks that run now from later waits and cancellations.
  func beginLine() async {
    let running = Set(await session.host.taskInfos(of: session.id).map(\.id))
    status.withLock { status in
      if !running.isSubset(of: status.others) { status.earlier = status.others }
      status.others = running
    }
  }

  /// Cancels the tasks that the latest line began and that don't wait for an action; returns a
  /// report on them, or nil if there are none.
  ///
  /// A line that began none, such as `:tasks`, leaves this to the latest line that did.
  func cancelTasks() async -> Report? {
    let (others, earlier) = status.withLock { ($0.others, $0.earlier) }
    let tasks = await session.host.perform { [id = session.id] host in
      let latest = host.cancelTasks(in: id, besides: others)
      return latest.isEmpty ? host.cancelTasks(in: id, besides: earlier) : latest
    }
    return tasks.isEmpty ? nil : Report(cancelled: tasks)
  }
}

/// The wait that a signal ends, once there is one.
final class CurrentWait: Sendable {
  private let wait = Mutex<TaskWait?>(nil)

  func set(_ wait: TaskWait) { self.wait.withLock { $0 = wait } }

  /// Cancels the called command, as ``TaskWait/cancelCall()`` does.
  func cancelCall() { wait.withLock { $0 }?.cancelCall() }

  /// Cancels the tasks that are waited for, as ``TaskWait/interrupt(otherwise:)`` does.
  func interrupt(otherwise: @escaping @Sendable () -> Void) {
    guard let wait = wait.withLock({ $0 }) else { return otherwise() }
    wait.interrupt(otherwise: otherwise)
  }
}
