import MoonTerminal
package import Moonwire

extension Fault {
  /// The report on a registration that failed.
  package var report: Report {
    var report = Report(headline, at: place, detail: detail, excerpt: shownExcerpt)
    report.code = reason.code
    if case .interrupted = reason { report.severity = .note }
    switch reason {
    case .timedOut, .interrupted: report.detail = place == nil ? nil : "stopped here"
    default: break
    }
    let outer = frames.dropFirst(frames.first?.place == place ? 1 : 0)
    report.rows += outer.map { frame in
      Report.Row(
        "called from",
        "\(frame.place)" + (frame.function.isEmpty ? "" : " in \(frame.function)"))
    }
    if let lastWait {
      report.rows.append(Report.Row(wasEndedAtWait ? "was to wait for" : "waited for", lastWait))
    }
    if let action { report.rows.append(action.causeRow()) }
    if let hint { report.rows.append(Report.Row("help", hint)) }
    return report
  }

  /// Whether the code was ended at a wait, which therefore wasn't over.
  private var wasEndedAtWait: Bool {
    guard place == nil, frames.isEmpty else { return false }
    switch reason {
    case .interrupted, .lifetimeExceeded: return true
    default: return false
    }
  }

  /// The lines around the place, unless they are the one line that was typed.
  private var shownExcerpt: Excerpt? {
    module == "prompt" && excerpt?.lines.count == 1 ? nil : excerpt
  }

  /// Returns the report on a module that was suspended after this fault.
  ///
  /// `count` is the number of faults in its last calls.
  func suspensionReport(of module: ModuleName, count: Int) -> Report {
    let latest =
      self.module == module.text
      ? "the latest in its \(registration)"
      : "the latest, of an action that it dispatched, in \(registration) of module \(self.module)"
    return Report(
      "module \(module) is suspended: \(count) of its last \(HostOptions.faultCallCount) calls "
        + "failed, \(latest)",
      rows: [.init("help", Self.mending(module))])
  }

  /// Returns advice about a suspended module.
  static func mending(_ module: ModuleName) -> String {
    "mend its file and save it, or :resume \(module)"
  }

  private var hint: String? {
    let isPrompt = module == "prompt"
    switch reason {
    case .raised(let text): return hint(for: text)
    case .syntax(_, let isIncomplete):
      return isIncomplete ? "it ends too early: is an 'end', a bracket or a quote missing?" : nil
    case .timedOut:
      return registration.kind == .load
        ? "a module's file should only register things: is there a loop that never ends?"
        : "is there a loop that never ends? its code is restarted, and the state is kept"
    case .interrupted:
      // At a wait, no code was running.
      return isPrompt && lastWait == nil ? "names that were assigned at the prompt are gone" : nil
    case .outOfQuota, .outOfMemory:
      return isRecursive
        ? recursionHint
        : "does it build something that grows without end? --limit memory=… allows it more"
    case .lifetimeExceeded: return "does it wait for something that never comes?"
    case .actionTimeSpent:
      return "do many of its registrations take long, one after the other?"
    case .notRunning:
      return "its code was ended before and couldn't be started again: mend the file and save it"
    }
  }

  private var recursionHint: String {
    let name = frames.first.map { $0.function.replacing("local ", with: "") } ?? ""
    let what = name.isEmpty || name == "?" ? "the function at the place above" : name
    return "does \(what) ever stop calling itself?"
  }

  /// Returns advice about the most common of Lua's errors.
  private func hint(for text: String) -> String? {
    if text.hasPrefix("stack overflow") || text.hasPrefix("C stack overflow") {
      return recursionHint
    }
    if ["os.time", "os.date", "os.clock"].contains(where: {
      text.hasPrefix("\($0) isn't available")
    }) {
      return registration.kind == .reducer
        ? "the action's time is action.meta.time: function(state, payload, action)" : nil
    }
    return NilHint(text, in: excerpt, knownNames)?.advice(in: registration.kind)
  }
}

extension Action {
  /// Returns the row that names the action as the cause of a fault.
  ///
  /// `place` is that of the registration which dispatched it, if it is known.
  func causeRow(at place: SourcePlace? = nil) -> Report.Row {
    let place = place.map { " (\($0))" } ?? ""
    let parent = meta.parent.map { ", after #\($0)" } ?? ""
    // A command that was called from outside; no action has the number.
    if meta.id == 0, meta.parent == nil {
      return Report.Row("caused by", "a call of \(type)\(place)")
    }
    return Report.Row("caused by", "\(type) #\(meta.id) \(meta.cause.origin)\(place)\(parent)")
  }
}

extension Cause {
  /// The origin of an action in words: `from the prompt`.
  var origin: String {
    switch self {
    case .prompt: "from the prompt"
    case .commandLine: "from the command line"
    case .native: "from the program"
    case .host: "from the host"
    case .screen(let id): TerminalText.singleLine("from screen \(id)")
    case .module(let name, let kind): "from \(kind.withArticle) of module \(name)"
    }
  }
}

extension RegistrationKind {
  fileprivate var withArticle: String {
    if self == .unmatched { return "the \(rawValue)" }
    if isSingular || self == .middleware || self == .afterReduce { return rawValue }
    return (rawValue.first.map("aeiou".contains) == true ? "an " : "a ") + rawValue
  }
}
