import Moonwire

extension Messages {
  /// An action that wasn't carried out.
  static func dispatch(_ error: DispatchError) -> Report {
    switch error {
    case .malformedType(let type):
      return Report(
        "'\(type)' can't be the type of an action",
        rows: [
          .init("help", "write a module's name, a slash and the action's name, as in counter/add")
        ])
    case .unknownType(let type, let nearest):
      return Report("no module knows the action \(type)").adding(
        suggestion(nearest) ?? .init("help", ":actions lists those that are known"))
    case .invalidPayload(let type, let problems, let declared):
      return payload(type, problems, declared)
    case .fault(let fault): return Messages.fault(fault)
    case .suspended(let module):
      return Report(
        "module \(module) is suspended: it failed too often",
        rows: [.init("help", Messages.mending(module))])
    case .queueFull(let max):
      return Report(
        "\(max) actions are waiting already: this one wasn't taken",
        rows: [.init("help", "does a module answer each action with more than one?")])
    case .queueTooLarge(let max):
      return Report(
        "with this one the actions that wait would have more than \(size(max)): it wasn't taken",
        rows: [.init("help", "an action says what happened: does its payload carry a state?")])
    case .pushedOut:
      return Report(
        error.description,
        rows: [.init("help", "does a module answer each action with more than one?")])
    case .tooManyFollowing:
      return Report(
        error.description,
        rows: [.init("help", "do two modules answer each other for ever? :history shows the chain")]
      )
    case .followingTooLong:
      return Report(
        error.description,
        rows: [.init("help", "does a module dispatch more than it can work off?")])
    case .mappedTooOften(let chain, let max):
      return Report(
        "module mappers made more than \(max) steps of one action: it wasn't carried out",
        rows: chain.map { .init("chain", $0) }
          + [.init("help", "do they start each other in a circle?")])
    case .navigatedTooOften(let chain, let max):
      return Report(
        "one action has led to more than \(max) navigations: this one wasn't carried out",
        rows: chain.map { .init("chain", $0) }
          + [.init("help", "does something navigate whenever the navigation changes?")])
    case .fromView:
      return Report(
        "a view only shows: it can't dispatch",
        rows: [.init("help", "let a person's tap dispatch")])
    case .routing(let error): return Messages.routing(error)
    case .navigation(let problem): return Messages.navigation(problem)
    case .interrupted: return Report(.note, "stopped: the actions that still waited were dropped")
    case .noSession: return Report("the session is closed")
    }
  }

  /// An action that followed from another and failed.
  static func following(_ action: Action, _ error: DispatchError) -> Report {
    let report = dispatch(error)
    if case .fault(let fault) = error, fault.action != nil { return report }
    return report.adding(cause(action))
  }

  private static func payload(
    _ type: String, _ problems: [PayloadProblem], _ declared: PayloadSchema
  ) -> Report {
    let fields = declared.fields.map { "\($0.name) (\(Messages.type(of: $0)))" }
    var report = Report("the payload doesn't fit \(type)")
    report.rows = problems.map { Report.Row("problem", $0.sentence) }
    report.rows.append(
      .init("takes", fields.isEmpty ? "no payload" : fields.joined(separator: ", ")))
    return report
  }
}
