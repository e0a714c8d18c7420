import Moonwire

extension Fault {
  /// The report on a registration that failed.
  var report: Report {
    var report = Report(headline, at: place, detail: detail, excerpt: excerpt)
    if case .interrupted = reason { report.weight = .note }
    switch reason {
    case .timedOut, .interrupted: report.detail = place == nil ? nil : "it was here"
    default: break
    }
    let outer = frames.dropFirst(frames.first?.place == place ? 1 : 0)
    report.rows += outer.map { frame in
      Report.Row(
        "called from",
        "\(frame.place)" + (frame.function.isEmpty ? "" : " in \(frame.function)"))
    }
    if let action { report.rows.append(action.causeRow) }
    if let hint { report.rows.append(Report.Row("help", hint)) }
    return report
  }

  /// Returns the report on a module that was suspended after this fault.
  ///
  /// `count` is the number of faults in its last calls.
  func suspensionReport(of module: ModuleName, count: Int) -> Report {
    Report(
      """
      module \(module) is suspended: \(count) of its last \(HostOptions.faultCallCount) calls \
      failed, the latest in its \(registration)
      """,
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

  /// Returns advice about the most common of Lua's errors.
  private func hint(for text: String) -> String? {
    guard let name = Self.nilName(text) else { return nil }
    switch name.kind {
    case "global" where text.hasPrefix("attempt to call"):
      return "there is no function \(name.name): is it a local of another file?"
    case "global": return "nothing was ever assigned to \(name.name)"
    case "field" where registration.kind == .reducer:
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

extension Action {
  /// The row that names the action as the cause of a fault.
  var causeRow: Report.Row {
    let parent = meta.parent.map { ", after #\($0)" } ?? ""
    return Report.Row("caused by", "\(type) #\(meta.id) \(meta.cause.origin)\(parent)")
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
    case .screen(let id): "from screen \(id)"
    case .module(let name, let kind): "from \(kind.withArticle) of module \(name)"
    }
  }
}

extension RegistrationKind {
  fileprivate var withArticle: String {
    if self == .unmatched { return "the \(rawValue)" }
    if isSingular || self == .middleware { return rawValue }
    return (rawValue.first.map("aeiou".contains) == true ? "an " : "a ") + rawValue
  }
}
