package import MoonModules

/// The commands that have answered a durable task, each until the actions have been carried out
/// that were queued before its answer.
///
/// A command whose answer is in the log isn't called again, so actions that it has dispatched would
/// be lost if the program were killed between the answer and their commits.
package struct AnsweredCommands {
  private var waiting: [(command: TaskID, actions: Set<Int64>)] = []

  /// Makes an empty list.
  package init() {}

  package var isEmpty: Bool { waiting.isEmpty }

  /// Adds a command, which waits for queued actions.
  package mutating func add(_ command: TaskID, after actions: Set<Int64>) {
    waiting.append((command, actions))
  }

  /// Removes actions that have left the queue; returns the commands that wait no more.
  package mutating func removeActions(where hasLeft: (Int64) -> Bool) -> [TaskID] {
    for index in waiting.indices {
      waiting[index].actions = waiting[index].actions.filter { !hasLeft($0) }
    }
    defer { waiting.removeAll { $0.actions.isEmpty } }
    return waiting.filter(\.actions.isEmpty).map(\.command)
  }
}
