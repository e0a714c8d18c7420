package import MoonActions
package import MoonServiceKit
package import MoonValues

/// One execution of an effect's code, in any language.
///
/// This is the only interface of a session's tasks to the code. Confined to the host.
package protocol EffectRun: AnyObject {
  /// Starts the code, or resumes it with the answer to its last wait.
  ///
  /// Returns at the next wait or at the end. `place` makes the place of the task, which most code
  /// has no need of.
  ///
  /// - Throws: The error that the code threw. The run is then over.
  func resume(with answer: WaitAnswer, at place: () -> TaskPlace) throws -> EffectStep

  /// Ends the code at its current wait, after its cleanup has run.
  ///
  /// - Throws: The error of the cleanup. The run is over even then.
  func cancel() throws

  /// Whether it is a timer, and not a run of a module's code.
  var isTimer: Bool { get }

  /// Shifts the times of all later runs of a timer.
  func shift(by time: Duration)
}

extension EffectRun {
  package var isTimer: Bool { false }
  package func shift(by time: Duration) {}
}

/// The task of a run, with the access to its session.
package struct TaskPlace: Sendable {
  package let session: SessionID
  package let task: TaskID
  package let module: ModuleName
  package let access: SessionAccess
  /// The span that its code runs in; nil if nothing measures it.
  package let span: OpenSpan?

  /// Makes the place of a task.
  package init(
    session: SessionID, task: TaskID, module: ModuleName, access: SessionAccess,
    span: OpenSpan? = nil
  ) {
    self.session = session
    self.task = task
    self.module = module
    self.access = access
    self.span = span
  }
}

/// The result of starting or resuming a run.
package enum EffectStep {
  /// The code waits.
  case waits(Wait)
  /// The code has returned these values, nil for each that is nothing.
  case finished([Value?])
}

/// The value that a run is started or resumed with.
package enum WaitAnswer: Sendable {
  /// No value: the run starts.
  case begin
  /// The result of the wait.
  case values([Value?])
  /// The wait failed, for this reason.
  case failure(String)
  /// A service has answered.
  case service(Result<ServiceFunction.Answer, ServiceReport>)
  /// An answer in the form of a journal.
  case recorded(Value)
}
