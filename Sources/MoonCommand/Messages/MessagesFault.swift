import Moonwire

extension Messages {
  /// A registration that failed.
  static func fault(_ fault: Fault) -> Report {
    var report = Report(
      "\(subject(fault)) \(predicate(fault.reason))", at: fault.place,
      detail: detail(fault.reason), excerpt: fault.excerpt)
    if case .interrupted = fault.reason { report.weight = .note }
    if case .timedOut = fault.reason { report.detail = fault.place == nil ? nil : "it was here" }
    if case .interrupted = fault.reason { report.detail = fault.place == nil ? nil : "it was here" }
    let outer = fault.frames.dropFirst(fault.frames.first?.place == fault.place ? 1 : 0)
    report.rows += outer.map { frame in
      Report.Row(
        "called from",
        "\(frame.place)" + (frame.function.isEmpty ? "" : " in \(frame.function)"))
    }
    if let action = fault.action { report.rows.append(cause(action)) }
    if let hint = hint(fault) { report.rows.append(Report.Row("help", hint)) }
    return report
  }

  /// A module that isn't called any more.
  static func suspended(_ module: ModuleName, by fault: Fault, count: Int) -> Report {
    let registration = fault.registration
    let what =
      switch registration.kind {
      case .onStart, .onRestore, .onStop, .migrate, .load: registration.kind.rawValue
      case .unmatched: registration.kind.rawValue
      case .reducer, .middleware, .observer, .action, .route, .handler, .optionProvider,
        .routingObserver, .presenter, .routingPresenter, .view, .viewExtension, .lifecycle,
        .moduleMapper,
        .navigationMapper:
        "\(registration.kind.rawValue) \(registration.name)"
      }
    return Report(
      """
      module \(module) is suspended: \(count) of its last \(HostOptions.faultCallCount) calls \
      failed, the latest in its \(what)
      """,
      rows: [.init("help", mending(module))])
  }

  /// What to do about a module that is suspended.
  static func mending(_ module: ModuleName) -> String {
    "mend its file and save it, or :resume \(module)"
  }

  /// An action as the cause of something.
  static func cause(_ action: Action) -> Report.Row {
    let parent = action.meta.parent.map { ", after #\($0)" } ?? ""
    return Report.Row(
      "caused by", "\(action.type) #\(action.meta.id) \(origin(action.meta.cause))\(parent)")
  }

  private static func subject(_ fault: Fault) -> String {
    let registration = fault.registration
    let generation = fault.generation > 1 ? " (generation \(fault.generation))" : ""
    if fault.module == "prompt" { return "what was typed" }
    switch registration.kind {
    case .load: return "module \(fault.module)"
    case .onStart, .onRestore, .onStop, .migrate:
      return "\(registration.kind.rawValue) of module \(fault.module)\(generation)"
    case .unmatched: return "the unmatched handler of module \(fault.module)\(generation)"
    case .reducer, .middleware, .observer, .action, .route, .handler, .optionProvider,
      .routingObserver, .presenter, .routingPresenter, .view, .viewExtension, .lifecycle,
      .moduleMapper,
      .navigationMapper:
      return
        "\(registration.kind.rawValue) \(registration.name) of module \(fault.module)\(generation)"
    }
  }

  private static func predicate(_ reason: Fault.Reason) -> String {
    switch reason {
    case .raised: "failed"
    case .syntax: "isn't Lua"
    case .timedOut(let milliseconds): "ran longer than \(time(.milliseconds(milliseconds)))"
    case .interrupted: "was stopped"
    case .outOfQuota(let bytes): "used more than \(size(bytes)) of memory"
    case .outOfMemory: "has no memory left"
    case .notRunning: "isn't running"
    case .actionTimeSpent(let milliseconds):
      "wasn't called: its module has spent the \(time(.milliseconds(milliseconds))) of the action"
    }
  }

  private static func detail(_ reason: Fault.Reason) -> String? {
    switch reason {
    case .raised(let text), .syntax(let text, _): text
    case .timedOut, .interrupted, .outOfQuota, .outOfMemory, .notRunning, .actionTimeSpent: nil
    }
  }

  private static func hint(_ fault: Fault) -> String? {
    let isPrompt = fault.module == "prompt"
    switch fault.reason {
    case .raised(let text): return hint(text, fault)
    case .syntax(_, let isIncomplete):
      return isIncomplete ? "it ends too early: is an 'end', a bracket or a quote missing?" : nil
    case .timedOut:
      return fault.registration.kind == .load
        ? "a module's file should only register things: is there a loop that never ends?"
        : "is there a loop that never ends? its code is started anew, and the state is kept"
    case .interrupted:
      return isPrompt ? "names that were assigned at the prompt are gone" : nil
    case .outOfQuota, .outOfMemory: return "does it build something that grows without end?"
    case .actionTimeSpent:
      return "do many of its registrations take long, one after the other?"
    case .notRunning:
      return "its code was ended before and couldn't be started again: mend the file and save it"
    }
  }

  /// What to do about the commonest of Lua's errors.
  private static func hint(_ text: String, _ fault: Fault) -> String? {
    guard let name = nilName(text) else { return nil }
    switch name.kind {
    case "global" where text.hasPrefix("attempt to call"):
      return "there is no function \(name.name): is it a local of another file?"
    case "global": return "nothing was ever assigned to \(name.name)"
    case "field" where fault.registration.kind == .reducer:
      return "\(name.name) isn't there: is it in the module's `state`, or optional in the payload?"
    case "method": return "there is no \(name.name): is it a field, called with a dot?"
    default: return nil
    }
  }

  /// Finds `field 'by'` in `attempt to … a nil value (field 'by')`.
  private static func nilName(_ text: String) -> (kind: String, name: String)? {
    guard let open = text.firstRange(of: "a nil value (") else { return nil }
    let words = text[open.upperBound...].split(separator: " ")
    guard words.count >= 2 else { return nil }
    return (String(words[0]), String(words[1].prefix { $0 != ")" }))
  }
}
