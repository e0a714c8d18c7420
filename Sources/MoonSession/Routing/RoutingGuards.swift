import MoonActions
import MoonModules
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

  /// A decision that was made at once.
  private struct Decided {
    let makeQuestion: () -> GuardAnswer.Question
    let outcome: GuardAnswer.Outcome
  }

  /// The action that routes.
  let action: Action
  private var answers: [GuardAnswer] = []
  /// The decisions since the last of ``answers``, which become answers when the routing waits or an
  /// answer is asked for.
  ///
  /// Usually neither happens, and the questions aren't made.
  private var decided: [Decided] = []
  /// The guard to wait for; nil if all have answered.
  var pending: Pending?

  init(_ action: Action) {
    self.action = action
    if let known = action.guards { answers = known.compactMap { GuardAnswer($0) } }
  }

  /// Whether an answer may be known to a question about the URL whose routes are tried.
  ///
  /// None is asked twice about one URL, and each is looked for among all answers.
  private(set) var mayKnow = false

  /// Begins with the routes of a URL.
  func beginURL() { mayKnow = !answers.isEmpty || !decided.isEmpty }

  /// Whether the routing has waited as often as it may.
  var haveWaitedTooOften: Bool {
    !answers.isEmpty && answers.count { $0.isLate } >= Self.waitsMax
  }

  /// Returns the answer to a question that was asked before.
  func outcome(of question: GuardAnswer.Question) -> GuardAnswer.Outcome? {
    makeAnswers()
    return answers.first { $0.question == question }?.outcome
  }

  /// Notes the decision that an observer made at once.
  func note(
    _ decision: RoutingObserver.Decision, of observer: Bound<RoutingObserver>,
    in router: Router, about result: RouteResult
  ) {
    decided.append(
      Decided(
        makeQuestion: { GuardAnswer.Question(of: observer, about: result, in: router) },
        outcome: .decided(decision)))
  }

  /// Notes that the handler of a route declined.
  func noteDeclined(_ makeQuestion: @escaping () -> GuardAnswer.Question) {
    decided.append(Decided(makeQuestion: makeQuestion, outcome: .declined))
  }

  /// Notes the answer of a guard that was waited for.
  func note(_ outcome: GuardAnswer.Outcome, of waited: Pending) {
    makeAnswers()
    answers.append(GuardAnswer(question: waited.question, outcome: outcome, isLate: true))
  }

  /// Makes the decisions answers; called before anything else reads answers or adds one.
  private func makeAnswers() {
    for one in decided {
      answers.append(GuardAnswer(question: one.makeQuestion(), outcome: one.outcome))
    }
    decided = []
  }

  /// Returns the answers for the metadata of the action when it comes back.
  ///
  /// If the state has changed since, a guard that answered at once is asked again.
  func returned(afterChange: Bool) -> List {
    makeAnswers()
    return List(
      answers.filter { !afterChange || $0.isLate || $0.outcome == .declined }.map(\.value))
  }
}
