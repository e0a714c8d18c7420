import MoonServiceKit
import MoonTasks

/// The ready tasks of a session.
typealias ReadyTasks = TurnQueue<ModuleName?, ReadyTask>

/// A task that waits for its turn.
struct ReadyTask {
  let task: EffectTask
  /// What holds the answer that the task resumes with; nil if it is small.
  let held: HeldMemory.Share?
}
