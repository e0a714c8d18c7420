package import Moonwire

extension RoutingError {
  /// The report on a URL that wasn't routed.
  var report: Report {
    if case .fault(let fault) = reason {
      return fault.report.adding(.init("routing", way))
    }
    if case .refused(let refusal) = reason {
      return refusal.report.adding(.init("routing", way))
    }
    var report = Report(headline, detail: reason.sentence)
    if let pattern {
      let owner = module.map { " of module \($0)" } ?? ""
      report.rows.append(.init("pattern", "\(pattern)\(owner)"))
      report.place = place
    }
    if case .vetoed(_, let place, _) = reason, let place {
      report.rows.append(.init("vetoed at", "\(place)"))
    }
    if case .unanswered(_, let place?, _) = reason {
      report.rows.append(.init("asked at", "\(place)"))
    }
    switch reason {
    case .redirectLoop(let urls), .tooManyRedirects(let urls, _), .parentLoop(let urls),
      .tooManyParents(let urls, _):
      report.rows += urls.map { .init("by way of", $0.string) }
    default: break
    }
    return report.adding(reason.help.map { .init("help", $0) })
  }

  private var way: String {
    let pattern = pattern.map { ", by the pattern \($0)" } ?? ""
    let place = place.map { " (\($0))" } ?? ""
    return "\(url)\(pattern)\(place)"
  }
}

extension RoutingError.Reason {
  fileprivate var help: String? {
    switch self {
    case .malformed: RouteRequestError.sample
    case .noRoute(let nearest):
      nearest.map { "did you mean \($0)?" } ?? ":routes lists the patterns"
    case .suspended(let module): Fault.mending(module)
    case .redirectLoop, .tooManyRedirects: "an observer must let its own target pass"
    case .parentLoop, .tooManyParents: "a route without a parent ends them"
    case .noPresenter(_, let nearest):
      nearest.map { "did you mean \($0)?" } ?? "moon.push(), moon.modal() and the like make options"
    case .covered: ":back dismisses it"
    case .notPresented:
      "a presenter that shows a screen returns an action such as moon.nav.push(screen), or true"
    case .navigation(.refused(let error)): NavigationProblem.refused(error).help
    case .wrongParameter(let pattern, _): ":routes URL says how \(pattern) and others compare"
    case .option, .parent, .navigation(.malformed), .declined, .handlersOnly, .vetoed, .fault,
      .refused, .waiting, .unanswered, .replaced:
      nil
    }
  }
}

extension NavigationProblem {
  /// Advice for the prompt.
  var help: String? {
    switch self {
    case .malformed: ":actions nav lists what can be done"
    case .refused(.noStack): "show it with moon.show(), or present a stack first"
    case .refused(.bareTab):
      "put tabs in stacks: moon.nav.tabs { moon.nav.stack { … }, … }; or use moon.modal()"
    case .refused(.bareColumn):
      "put the column in a stack: moon.nav.split { master = moon.nav.stack { … }, … }; "
        + "or use moon.detail()"
    case .refused(.noSplit): "moon.nav.split { … } makes one, which moon.nav.set shows"
    case .refused(.notASplit): ":nav shows what is there"
    case .refused(.nothingToPop):
      "moon.nav.pop() takes a screen off the stack on top: moon.nav.back() also dismisses, "
        + "moon.nav.back_to(URL or id) goes back to a certain screen"
    case .refused(.emptyWindow): "give it something to show: nav/show, nav/set"
    case .refused(.noWindow): "nav/start id=main adds one"
    case .refused(.unknownID), .refused(.unknownWindow), .refused(.notInStack),
      .refused(.notBelow):
      ":nav shows what is there"
    case .refused(.notATab(let id, let known)):
      Spelling.nearest(to: id.string, in: known.map(\.string)).map { "did you mean \($0)?" }
        ?? ":nav shows what is there"
    case .refused(.coveredTabs), .refused(.coveredSplit):
      "dismiss it first: moon.nav.dismiss_to_root() does"
    case .refused(.duplicateID):
      "windows, containers and screens all need ids of their own: give one of them another `id`"
    case .refused: nil
    }
  }
}

extension RouteRequestError {
  fileprivate static let sample = "write one such as /message/Max%20Mustermann?loud=1"

  /// Returns the report on a text that isn't a URL.
  package func report(on url: String) -> Report {
    Report(
      "'\(url)' can't be read as a URL", detail: "\(self)", rows: [.init("help", Self.sample)])
  }
}

extension RouteConflict {
  /// The report on a conflict.
  var report: Report {
    Report(.warning, "\(self)", rows: help.map { [.init("help", $0)] } ?? [])
  }

  private var help: String? {
    switch kind {
    case .equal, .shadowed, .partlyShadowed:
      earlier.priority > later.priority
        ? "it has the higher priority; what it declines goes on to the other"
        : "a higher priority puts a route in front; what one declines goes on to the next"
    case .sameName: nil
    }
  }

  /// Returns reports on conflicts, limited in number if they weren't requested.
  package static func reports(_ conflicts: [RouteConflict], max: Int = reportCountMax) -> [Report] {
    var reports = conflicts.prefix(max).map(\.report)
    // The same advice is given only once.
    for index in reports.indices.dropLast() where reports[index].rows == reports[index + 1].rows {
      reports[index].rows = []
    }
    let left = conflicts.count - reports.count
    if left > 0 {
      reports.append(
        Report(
          .warning, "\(left) more routes conflict",
          rows: [.init("help", "moonwire routes DIR --json has all")]))
    }
    return reports
  }

  /// The maximum number of conflicts reported without a request: half a screen.
  package static let reportCountMax = 10
  /// The maximum number of conflicts reported on request.
  package static let requestedReportCountMax = 1_000
}
