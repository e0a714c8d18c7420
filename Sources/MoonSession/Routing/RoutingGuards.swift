import MoonStore
import MoonValues

/// The guards of one action that routes: their answers, and the one that it must wait for.
///
/// An action that waits comes back as an action of its own, with the answers in its metadata. No
/// guard is therefore asked twice about the same route, and the state depends on the actions alone.
final class RoutingGuards {
  /// The maximum number of times that one routing waits for guards.
  static let waitsMax = 32

  /// A guard that hasn't answered yet.
  struct Pending {
    let task: TaskID
    let question: GuardAnswer.Question
    let observer: Bound<RoutingObserver>
    let read: RoutingObserver.Reading
  }

  /// The action that routes.
  let action: Action
  // Never lent while other code runs, so that a check at each access would find nothing. Without
  // the checks a route takes 300 instructions less.
  @exclusivity(unchecked) private(set) var answers = Few<GuardAnswer>()
  /// The guard to wait for; nil if all have answered.
  @exclusivity(unchecked) var pending: Pending?

  init(_ action: Action) {
    self.action = action
    for known in action.guards ?? List() {
      if let answer = GuardAnswer(known) { answers.append(answer) }
    }
  }

  /// The number of times that the routing has waited.
  var waitCount: Int { answers.count { $0.isLate } }

  /// Returns the answer to a question that was asked before.
  func outcome(of question: GuardAnswer.Question) -> GuardAnswer.Outcome? {
    answers.isEmpty ? nil : answers.first { $0.question == question }?.outcome
  }

  func note(_ outcome: GuardAnswer.Outcome, of question: GuardAnswer.Question, isLate: Bool = false)
  {
    answers.append(GuardAnswer(question: question, outcome: outcome, isLate: isLate))
  }

  /// Returns the answers for the metadata of the action when it comes back.
  ///
  /// If the state has changed since, a guard that answered at once is asked again.
  func returned(afterChange: Bool) -> List {
    List(answers.filter { !afterChange || $0.isLate || $0.outcome == .declined }.map(\.value))
  }
}
