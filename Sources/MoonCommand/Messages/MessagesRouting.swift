import Moonwire

extension Messages {
  /// A URL that wasn't routed.
  static func routing(_ error: RoutingError) -> Report {
    if case .fault(let fault) = error.reason {
      return Messages.fault(fault).adding(.init("routing", route(error)))
    }
    var report = Report("\(named(error.url)) wasn't routed", detail: why(error.reason))
    if let pattern = error.pattern {
      let module = error.module.map { " of module \($0)" } ?? ""
      report.rows.append(.init("pattern", "\(pattern)\(module)"))
      report.place = error.place
    }
    if case .vetoed(_, let place, _) = error.reason, let place {
      report.rows.append(.init("vetoed at", "\(place)"))
    }
    switch error.reason {
    case .redirectLoop(let urls), .tooManyRedirects(let urls, _):
      report.rows += urls.map { .init("by way of", $0.string) }
    default: break
    }
    return report.adding(help(error.reason))
  }

  static func named(_ url: Text) -> String { url.isEmpty ? "the empty URL" : url.string }

  private static func route(_ error: RoutingError) -> String {
    let pattern = error.pattern.map { ", by the pattern \($0)" } ?? ""
    let place = error.place.map { " (\($0))" } ?? ""
    return "\(error.url)\(pattern)\(place)"
  }

  private static func why(_ reason: RoutingError.Reason) -> String {
    switch reason {
    case .malformed(let error): error.sentence
    case .noRoute: "no pattern takes it"
    case .suspended(let module):
      "only module \(module) takes it, which is suspended: it failed too often"
    case .declined(let patterns):
      "\(list(patterns.map(\.string))) \(patterns.count == 1 ? "takes" : "take") it, and declined"
    case .handlersOnly(let patterns):
      "no screen: the handler \(list(patterns.map(\.string))) takes it"
    case .vetoed(let module, _, let reason):
      "module \(module) doesn't let it pass" + (reason.map { ": \($0)" } ?? "")
    case .redirectLoop: "it is redirected in a circle"
    case .tooManyRedirects(_, let max): "it is redirected more than \(max) times"
    case .noPresenter(let option, _): "nobody presents screens with the option '\(option)'"
    case .navigation(let problem): problem.description
    case .fault: "something that took part failed"
    }
  }

  private static func help(_ reason: RoutingError.Reason) -> Report.Row? {
    switch reason {
    case .malformed: .init("help", "write one such as /message/Max%20Mustermann?loud=1")
    case .noRoute(let nearest):
      suggestion(nearest?.string) ?? .init("help", ":routes lists the patterns")
    case .suspended(let module): .init("help", Messages.mending(module))
    case .redirectLoop, .tooManyRedirects:
      .init("help", "an observer must let its own target pass")
    case .noPresenter(_, let nearest):
      suggestion(nearest)
        ?? .init("help", "moon.push(), moon.modal() and the like make options")
    case .navigation(let problem): help(problem)
    case .declined, .handlersOnly, .vetoed, .fault: nil
    }
  }

  /// Something that can't be done to the navigation.
  static func navigation(_ problem: NavigationProblem) -> Report {
    switch problem {
    case .refused(let error):
      Report("the navigation can't do that: \(error)").adding(help(problem))
    case .malformed(let error):
      Report("that is no navigation: \(error)").adding(
        .init("help", ":actions nav lists what can be done"))
    }
  }

  private static func help(_ problem: NavigationProblem) -> Report.Row? {
    switch problem {
    case .refused(.noStack): .init("help", "show it with moon.show(), or present a stack first")
    case .refused(.emptyWindow): .init("help", "give it something to show: nav/show, nav/set")
    case .refused(.noWindow): .init("help", "nav/start id=main adds one")
    case .refused(.unknownID), .refused(.unknownWindow), .refused(.notInStack),
      .refused(.notBehind):
      .init("help", ":nav shows what is there")
    default: nil
    }
  }

  /// What is wrong with a pattern, in a few words.
  static func pattern(_ error: RoutePatternError) -> String {
    switch error {
    case .tooLong(let max): "it is longer than \(max) bytes"
    case .tooManyComponents(let max, let column):
      "it has more than \(max) components\(at(column))"
    case .tooManyGroups(let max, let column): "it has more than \(max) groups\(at(column))"
    case .tooManyVariants(let max): "its groups stand for more than \(max) patterns"
    case .unclosedGroup(let column): "the ( has no )\(at(column))"
    case .unopenedGroup(let column): "the ) has no (\(at(column))"
    case .emptyGroup(let column): "there is nothing in the group\(at(column))"
    case .wildcardNotLast(let column): "a * must come last\(at(column))"
    case .wildcardWithText(let column): "a * must stand alone between slashes\(at(column))"
    case .emptyName(let column): "the parameter has no name\(at(column))"
    case .invalidName(let column): "a parameter can't be called so\(at(column))"
    case .duplicateName(let name, let column): "there is a second :\(name)\(at(column))"
    case .unclosedType(let column): "the < has no >\(at(column))"
    case .unknownType(let name, let column):
      "there is no type <\(name)>\(at(column)): there are "
        + list(ParameterType.allCases.map(\.name).filter { !$0.isEmpty })
    case .malformedEscape(let column):
      "the % isn't followed by two hexadecimal digits\(at(column))"
    case .invalidUTF8(let column): "the escapes aren't UTF-8\(at(column))"
    case .unexpectedByte(_, let column): "there is a control character\(at(column))"
    case .queryInPattern(let column): "patterns are about paths, not about queries\(at(column))"
    case .secondFragment(let column): "there is a second #\(at(column))"
    case .hostInPattern(let column):
      "hosts with a dot aren't part of what is matched\(at(column))"
    }
  }

  private static func at(_ column: Int) -> String { " (column \(column))" }
}
