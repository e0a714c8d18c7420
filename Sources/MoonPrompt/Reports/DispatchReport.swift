import Moonwire

extension DispatchError {
  /// The report on an action that wasn't carried out.
  var report: Report { sentences.coded(code) }

  private var sentences: Report {
    switch self {
    case .fault(let fault): return fault.report
    case .refused(let refusal): return refusal.report
    case .routing(let error): return error.report
    case .timeline(let error): return error.report
    case .interrupted: return Report(.note, headline)
    default: break
    }
    if case .keptBack(_, let place, _) = self { return Report(headline, at: place) }
    let help = timelineAdvice ?? advice ?? promptAdvice
    return Report(headline, rows: particulars + (help.map { [.init("help", $0)] } ?? []))
  }

  /// Advice on typing a text that reads as another value; nil if that isn't the problem.
  var quoting: String? {
    guard case .invalidPayload(_, let problems, _) = self else { return nil }
    for case .wrongType(let field, let value) in problems
    where field.type.description.split(separator: "|").contains("string")
      && !field.name.contains(where: { ".[".contains($0) })
    {
      switch value {
      case .int, .double, .bool, .null:
        let text = Value.string(Text(value.canonicalText)).canonicalText
        return "a text is quoted: \(field.name)=\(text)"
      case .string, .list, .map: continue
      }
    }
    return nil
  }

  private var particulars: [Report.Row] {
    switch self {
    case .invalidPayload(_, let problems, let declared):
      let fields = declared.fields.map { "\($0.name) (\($0.typeText))" }
      return problems.map { .init("problem", "\($0)") }
        + [.init("takes", fields.isEmpty ? "no payload" : fields.joined(separator: ", "))]
    case .tooManyMappings(let chain, _), .tooManyNavigations(let chain, _):
      return chain.map { .init("chain", $0) }
    default: return []
    }
  }

  /// Advice for the prompt while the session stands still.
  private var timelineAdvice: String? {
    switch self {
    case .paused(_, let count):
      ":goto present returns to \(count)/\(count); :timeline cut forgets what came later"
    case .timelineLocked: ":timeline unlock lets it take actions again, and closes its control"
    default: nil
    }
  }

  /// Advice for the prompt.
  private var promptAdvice: String? {
    switch self {
    case .unknownType: ":actions lists those that are known"
    case .notInService(let module, _, let absence): absence.remedy(for: module)
    case .suspended(let module): Fault.mending(module)
    case .queueFull, .displaced: "does a module answer each action with more than one?"
    case .queueTooLarge, .memoryFull:
      "an action says what happened: does its payload carry a state?"
    case .tooManyFollowing:
      "do two modules answer each other forever? :history shows the chain"
    case .followingTooLong: "does a module dispatch more than it can work off?"
    case .tooManyMappings: "do they start each other in a circle?"
    case .tooManyNavigations: "does something navigate whenever the navigation changes?"
    case .navigation(let problem): problem.help
    case .tooManyEffects: ":history shows the chain"
    case .notKept: "actions are taken again as soon as the journal has kept what happened"
    case .malformedType, .reservedForHost, .notGranted, .invalidPayload, .unencodable,
      .batchTooLong, .fault,
      .refused,
      .readOnlyView, .withinReducer, .routing, .keptBack, .interrupted, .paused, .timelineLocked,
      .timeline,
      .notFinished, .noSession:
      nil
    }
  }
}

extension FollowingFailure {
  /// The report on an action that followed from another.
  var report: Report {
    if case .fault(let fault) = error, fault.action != nil { return error.report }
    return error.report.adding(action.causeRow(at: dispatcherPlace))
  }
}

extension PayloadSchema.Field {
  /// The type in words: `integer, optional`.
  var typeText: String { "\(type)" + (isOptional ? ", optional" : "") }
}
