import MoonModules
import MoonNavigation
import MoonServiceKit
import MoonTasks
import MoonValues

/// The wait of a task, or of a program, for the outcome of an action.
///
/// Confined to the host. If the action leaves the queue without being carried out, the one who
/// waits learns of that when the receipt is released.
final class DispatchReceipt {
  /// What has become of the action.
  enum Result {
    /// It was carried out, with its effects if they are awaited, and a URL has led to a screen.
    case done(before: Value, after: Value, screen: Screen?)
    case failed(DispatchError)
  }

  private var answer: ((Result) -> Void)?
  /// Whether the task waits for all effects of the action, and not only for those with a result.
  let awaitsEffects: Bool
  /// What holds the actions, which the task keeps as long as it waits.
  var held: HeldMemory.Share?

  init(awaitingEffects: Bool = false, _ answer: @escaping (Result) -> Void) {
    self.answer = answer
    awaitsEffects = awaitingEffects
  }

  deinit { fail(.notFinished("the action was dropped from the queue")) }

  /// Reports that the action was carried out.
  func succeed(from before: Value, to after: Value, showing screen: Screen?) {
    send(.done(before: before, after: after, screen: screen))
  }

  /// Reports that the action failed.
  func fail(_ error: DispatchError) { send(.failed(error)) }

  private func send(_ result: Result) {
    answer?(result)
    answer = nil
    held = nil
  }
}

extension DispatchReceipt.Result {
  /// The result as scripts get it.
  var value: Value {
    switch self {
    case .done(let before, let after, let screen):
      let changes = Diff.changes(from: before, to: after).changes.map { change -> Value in
        var map: Map = ["path": .string(Text(change.path.description))]
        map["before"] = change.before
        map["after"] = change.after
        return .map(map)
      }
      var map: Map = ["status": "done", "changes": .list(List(changes))]
      map["screen"] = screen?.value
      return .map(map)
    case .failed(let error):
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
      return .map(map)
    }
  }
}
