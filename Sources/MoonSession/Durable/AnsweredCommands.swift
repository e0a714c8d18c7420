import MoonStore
import MoonValues

/// The commands that have answered a durable task, each until the actions have been carried out
/// that were queued before its answer.
///
/// A command whose answer is in the log isn't called again, so actions that it has dispatched would
/// be lost if the program were killed between the answer and their commits.
struct AnsweredCommands {
  private var waiting: [(command: EffectTask, actions: Set<Int64>)] = []

  var isEmpty: Bool { waiting.isEmpty }

  /// Adds a command, which waits for queued actions.
  mutating func add(_ command: EffectTask, after actions: Set<Int64>) {
    waiting.append((command, actions))
  }

  /// Removes actions that have left the queue; returns the commands that wait no more.
  mutating func removeActions(where hasLeft: (Int64) -> Bool) -> [EffectTask] {
    for index in waiting.indices {
      waiting[index].actions = waiting[index].actions.filter { !hasLeft($0) }
    }
    defer { waiting.removeAll { $0.actions.isEmpty } }
    return waiting.filter(\.actions.isEmpty).map(\.command)
  }
}

extension DurableTasks {
  /// Holds back the ending of a command that a durable task has called while actions are queued;
  /// returns false if it ends now.
  func holdEnding(of command: EffectTask, _ ending: EffectTask.Ending) -> Bool {
    guard command.effect.registration.kind == .command, command.ending == nil,
      let caller = command.origin.parent, session.tasks[caller]?.durable != nil
    else { return false }
    var actions: Set<Int64> = []
    session.queue.forEach { actions.insert($0.action.meta.id) }
    guard !actions.isEmpty else { return false }
    command.ending = ending
    command.run = nil
    session.tasks.hold(command, until: .turn)
    answered.add(command, after: actions)
    return true
  }

  /// Notes that an action has left the queue, and ends the commands that have waited for it.
  func noteTaken(_ id: Int64) {
    if !answered.isEmpty { endAnswered { $0 == id } }
  }

  /// Ends the commands that no action in the queue is left for, each at its next turn.
  func endAnswered(where hasLeft: (Int64) -> Bool) {
    for command in answered.removeActions(where: hasLeft) where command.standing == .alive {
      session.tasks.release(command)
      session.tasks.makeReady(command, .begin)
    }
  }
}
