package import MoonValues

/// One run of an effect's code, in whatever language that is written.
///
/// The tasks of a session know no other way into the code. Confined to the host.
package protocol EffectRun: AnyObject {
  /// Begins, or goes on with the answer to the wait that it last returned, up to its next wait or
  /// its end.
  ///
  /// - Throws: What the code threw; the run has ended then.
  func go(on answer: WaitAnswer, at place: TaskPlace) throws -> EffectStep

  /// Ends the code where it waits: what it has to put in order is put in order.
  ///
  /// - Throws: What went wrong with that; the run has ended all the same.
  func cancel() throws
}

/// Where a run is: its task, and the way there from beside the host.
package struct TaskPlace: Sendable {
  let session: SessionID
  let task: TaskID
  let module: ModuleName
  let door: SessionDoor
}

/// What a run has come to.
package enum EffectStep {
  /// It waits.
  case waits(Wait)
  /// It has returned these, nil for nothing.
  case finished([Value?])
}

/// What a run goes on with.
package enum WaitAnswer {
  /// Nothing: it begins.
  case begin
  /// What it waited for.
  case values([Value?])
  /// Why there is no answer, in the words of a sentence.
  case failure(String)
}
