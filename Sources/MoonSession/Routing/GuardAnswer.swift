import MoonModules
import MoonNavigation
import MoonServiceKit
import MoonValues

/// The answer of a routing guard about one route, or of a handler that declined.
///
/// A guard is the function `will` of a routing observer.
struct GuardAnswer: Equatable {
  /// What was answered.
  enum Outcome: Equatable {
    case decided(RoutingObserver.Decision)
    /// The guard refused the routing.
    case refused(Refusal)
    /// The guard ended without an answer, for this reason.
    case ended(String)
    /// The route's handler declined.
    case declined
  }

  /// The question: one registration, asked about one route.
  struct Question: Equatable {
    let module: ModuleName
    /// The position of the guard among its module's routing observers, counted from 1; for
    /// a handler, the negative position among its module's routes.
    let number: Int
    let url: Text
    let pattern: Text
    let parameters: Map
  }

  let question: Question
  let outcome: Outcome
  /// Whether the routing waited for the answer.
  var isLate = false
}

extension GuardAnswer.Question {
  /// Makes the question that an observer is asked.
  init(of observer: Bound<RoutingObserver>, about result: RouteResult, in router: Router) {
    self.init(about: result, number: router.number(of: observer), module: observer.owner)
  }

  init(about result: RouteResult, number: Int, module: ModuleName) {
    self.init(
      module: module, number: number, url: result.url, pattern: result.pattern,
      parameters: result.parameters)
  }
}

extension GuardAnswer {
  /// The answer as data: `{module, guard, url, pattern, params, answer, reason, redirect, late}`.
  var value: Value {
    var map: Map = [
      "module": .string(Text(question.module.text)), "guard": .int(Int64(question.number)),
      "url": .string(question.url), "pattern": .string(question.pattern),
      "params": .map(question.parameters),
    ]
    if isLate { map["late"] = true }
    switch outcome {
    case .declined: map["answer"] = "declined"
    case .refused(let refusal):
      map["answer"] = "refused"
      map["reason"] = .string(Text(refusal.reason))
      map["details"] = refusal.details
    case .ended(let reason):
      map["answer"] = "ended"
      map["reason"] = .string(Text(reason))
    case .decided(.proceed): map["answer"] = "proceed"
    case .decided(.veto(let reason)):
      map["answer"] = "veto"
      map["reason"] = reason.map { .string(Text($0)) }
    case .decided(.redirect(let redirect)):
      map["answer"] = "redirect"
      map["redirect"] = [
        "url": .string(redirect.url), "params": .map(redirect.parameters),
        "option": redirect.option?.value ?? .null,
      ]
    }
    return .map(map)
  }

  /// Reads an answer; nil if the value has another form.
  init?(_ value: Value) {
    guard let map = value.mapValue, let name = map["module"]?.stringValue,
      let module = ModuleName(name), let number = map["guard"]?.intValue,
      let url = map["url"]?.textValue, let pattern = map["pattern"]?.textValue,
      let outcome = Outcome(map)
    else { return nil }
    question = Question(
      module: module, number: Int(clamping: number), url: url, pattern: pattern,
      parameters: map["params"]?.mapValue ?? Map())
    self.outcome = outcome
    isLate = map["late"] == true
  }
}

extension GuardAnswer.Outcome {
  fileprivate init?(_ map: Map) {
    let reason = map["reason"]?.stringValue
    switch map["answer"]?.stringValue {
    case "declined": self = .declined
    case "refused": self = .refused(Refusal(reason ?? "", details: map["details"]))
    case "ended": self = .ended(reason ?? "")
    case "proceed": self = .decided(.proceed)
    case "veto": self = .decided(.veto(reason: reason))
    case "redirect":
      guard let redirect = map["redirect"]?.mapValue, let url = redirect["url"]?.textValue
      else { return nil }
      let option = redirect["option"].flatMap { try? RoutingOption(reading: $0) }
      self = .decided(
        .redirect(
          Redirect(to: url, passing: redirect["params"]?.mapValue ?? Map(), option: option)))
    default: return nil
    }
  }
}
