import MoonRouting
import MoonServiceKit
package import MoonValues

extension RoutingError: CustomStringConvertible {
  /// One sentence: the URL, the reason, and the pattern that matched.
  public var description: String {
    let owner = module.map { " of module \($0)" } ?? ""
    return "\(headline): \(reason)" + (pattern.map { " (pattern \($0)\(owner))" } ?? "")
  }

  /// The statement that the URL wasn't routed.
  package var headline: String { "\(url.isEmpty ? "the empty URL" : url.string) wasn't routed" }
}

extension RoutingError {
  /// The error as scripts receive it: `{reason, message, url, pattern, module, file, line}`.
  package var value: Value {
    var map: Map = [
      "reason": .string(Text(reason.word)), "message": .string(Text(description)),
      "url": .string(url),
    ]
    map["pattern"] = pattern.map { .string($0) }
    map["module"] = module.map { .string(Text($0.text)) }
    map["file"] = place.map { .string(Text($0.file)) }
    map["line"] = place.map { .int(Int64($0.line)) }
    if case .refused(let refusal) = reason { map["refusal"] = .map(refusal.value) }
    return .map(map)
  }
}

extension RoutingError.Reason {
  /// The reason as one word.
  package var word: String {
    switch self {
    case .malformed: "malformed"
    case .noRoute: "no_route"
    case .wrongParameter: "wrong_parameter"
    case .suspended: "suspended"
    case .declined: "declined"
    case .handlersOnly: "handlers_only"
    case .vetoed: "vetoed"
    case .waiting: "waiting"
    case .unanswered: "unanswered"
    case .replaced: "replaced"
    case .redirectLoop: "redirect_loop"
    case .tooManyRedirects: "too_many_redirects"
    case .fault: "fault"
    case .refused: "refused"
    case .option: "option"
    case .parent, .parentLoop, .tooManyParents: "parent"
    case .noPresenter: "no_presenter"
    case .notPresented: "not_presented"
    case .covered: "covered"
    case .navigation: "navigation"
    }
  }
}

extension RoutingError.Reason: CustomStringConvertible {
  /// One sentence, with the place of a fault, the redirects and the suggested spelling.
  public var description: String {
    switch self {
    case .fault(let fault): fault.description
    case .noRoute(let nearest?): "\(sentence); did you mean \(nearest)?"
    case .noPresenter(_, let nearest?): "\(sentence); did you mean \(nearest)?"
    case .redirectLoop(let urls), .tooManyRedirects(let urls, _), .parentLoop(let urls),
      .tooManyParents(let urls, _):
      "\(sentence): " + urls.map(\.string).joined(separator: " → ")
    default: sentence
    }
  }

  /// The problem, without a place and a suggested spelling.
  package var sentence: String {
    switch self {
    case .malformed(let error): "\(error)"
    case .noRoute: "no pattern takes it"
    case .wrongParameter(let pattern, let verdict):
      "no pattern takes it: in \(pattern), \(verdict.mistake)"
    case .suspended(let module):
      "only module \(module) takes it, which is suspended: it failed too often"
    case .declined(let patterns):
      Wording.list(patterns.map(\.string)) + " \(patterns.count == 1 ? "takes" : "take") it, "
        + "and declined"
    case .handlersOnly(let patterns):
      "no screen: the handler \(Wording.list(patterns.map(\.string))) takes it"
    case .vetoed(let module, _, let reason):
      "module \(module) doesn't let it pass" + (reason.map { ": \($0)" } ?? "")
    case .waiting(let task, let module, _):
      "module \(module) takes time to decide about it (task \(task)), and only an action can wait"
    case .unanswered(let module, _, let reason):
      "module \(module) hasn't decided about it: \(reason)"
    case .replaced(let url): "\(url) was routed while it waited"
    case .redirectLoop: "it is redirected in a circle"
    case .tooManyRedirects(_, let max): "it is redirected more than \(max) times"
    case .fault(let fault): fault.sentence
    case .refused(let refusal): "\(refusal.headline): \(refusal.reason)"
    case .option(let error): error.description
    case .parent(let error): "nothing is put below it: \(error)"
    case .parentLoop: "the parents of its route are a circle"
    case .tooManyParents(_, let max): "its route has more than \(max) parents"
    case .noPresenter(let option, _): "nobody presents screens with the option '\(option)'"
    case .notPresented(let option, let asked):
      "no routing presenter of '\(option)' takes its screen; asked: "
        + Wording.list(asked.map { "\($0.module)" + ($0.place.map { " (\($0))" } ?? "") })
    case .covered(let title):
      "'\(title)' covers the window, and `over_modal` is \"refuse\""
    case .navigation(let problem): problem.description
    }
  }
}

extension RouteVerdict {
  /// The mismatch of a parameter: `:id takes an integer, not 'x'`.
  fileprivate var mistake: String {
    guard case .typeMismatch(_, let name, let expected, let found) = self else { return "\(self)" }
    let kind =
      switch expected {
      case .int: "an integer"
      case .number: "a number"
      case .uuid: "a UUID"
      case .slug: "small letters, digits and hyphens"
      case .word: "letters, digits and _"
      case .text: "a text"
      }
    return ":\(name) takes \(kind), not '\(found)'"
  }
}

extension NavigationProblem: CustomStringConvertible {
  /// A short phrase.
  public var description: String {
    switch self {
    case .refused(let error): "\(error)"
    case .malformed(let error): "\(error)"
    }
  }
}
