import MoonModules
import MoonNavigation
import MoonServiceKit
import MoonTasks
import MoonValues

/// The wait of a task for the outcome of an action.
///
/// Confined to the host. If the action leaves the queue without being carried out, the task learns
/// of that when the receipt is released.
final class DispatchReceipt {
  private var answer: ((Value) -> Void)?
  /// Whether the task waits for all effects of the action, and not only for those with a result.
  let awaitsEffects: Bool
  /// What holds the actions, which the task keeps as long as it waits.
  var held: HeldMemory.Share?

  init(awaitingEffects: Bool = false, _ answer: @escaping (Value) -> Void) {
    self.answer = answer
    awaitsEffects = awaitingEffects
  }

  deinit { fail("the action was dropped from the queue") }

  /// Reports a failure in words.
  func fail(_ reason: String) { send(["status": "failed", "error": .string(Text(reason))]) }

  /// Reports that the action was carried out.
  func succeed(from before: Value, to after: Value, showing screen: Screen?) {
    let changes = Diff.changes(from: before, to: after).changes.map { change -> Value in
      var map: Map = ["path": .string(Text(change.path.description))]
      map["before"] = change.before
      map["after"] = change.after
      return .map(map)
    }
    var map: Map = ["status": "done", "changes": .list(List(changes))]
    map["screen"] = screen?.value
    send(.map(map))
  }

  /// Reports that the action failed.
  func fail(_ error: DispatchError) {
    var text = error.description
    // The message with its place, as an error in Lua.
    if case .fault(let fault) = error { text = fault.messageWithPlace }
    var map: Map = ["status": "failed", "error": .string(Text(text))]
    if let refusal = error.refusal {
      map["status"] = "refused"
      map["error"] = .string(Text(refusal.reason))
      map["refusal"] = .map(refusal.value)
    }
    if case .routing(let problem) = error { map["routing"] = problem.value }
    send(.map(map))
  }

  private func send(_ outcome: Value) {
    answer?(outcome)
    answer = nil
    held = nil
  }
}
