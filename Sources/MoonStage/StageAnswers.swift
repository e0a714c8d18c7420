import MoonPrompt
import MoonTerminal
import Moonwire

/// What the host tells.
enum StageAnswers {
  static func take(_ stage: inout Stage, _ method: String, _ parameters: Value) -> [StageEffect] {
    switch method {
    case "screen/changed":
      let former = stage.shown
      guard stage.shown.take(changes: parameters["patch"]?.listValue ?? List()) else {
        return [.call(StageCall(.subscribe, "screen/subscribe"))]
      }
      return stage.take(from: former)
    case "state/changed":
      guard parameters["subscription"]?.intValue == stage.state.subscription else { break }
      if !stage.state.take(changes: parameters["patch"]?.listValue ?? List()) {
        stage.state = ShownState()
      }
      if stage.shown.screen == nil { stage.layOut() }
    case "event/happened": return take(&stage, event: parameters)
    case "log/line":
      let level = parameters["level"]?.stringValue ?? ""
      guard ["notice", "warning", "error", "critical"].contains(level) else { break }
      stage.bar.note = [parameters["module"], parameters["message"]]
        .compactMap { $0?.stringValue }.joined(separator: ": ")
    default: break
    }
    return []
  }

  private static func take(_ stage: inout Stage, event: Value) -> [StageEffect] {
    let text = event["text"]?.stringValue ?? ""
    let first = text.lines.first ?? ""
    let tasks = StageEffect.call(StageCall(.tasks, "task/list"))
    switch event["event"]?.stringValue {
    case "failed", "suspended", "directory_lost":
      show(&stage, error: text)
      return [.call(StageCall(.problems, "module/problems"))]
    case "fault", "dispatch_failed", "not_kept", "recording_ended", "refused":
      stage.bar.tell(first, of: text.lines)
      return [tasks]
    case "changes":
      for failure in event["failures"]?.listValue ?? List() { note(&stage, report: failure) }
      return [tasks]
    case "started", "reloaded", "recovered", "removed", "restarted", "resumed", "directory_found":
      stage.bar.event = first
      if case .pages(let pages)? = stage.overlay, pages.isError { stage.overlay = nil }
      return [
        .call(StageCall(.problems, "module/problems")), tasks,
        .call(StageCall(.keys, "key/list")),
      ]
    default:
      stage.bar.event = first
      return []
    }
  }

  private static func show(_ stage: inout Stage, error text: String) {
    stage.told.held.drop()
    stage.bar.lastError = text.lines
    let isFree: Bool = if case .prompt? = stage.overlay { false } else { stage.typing == nil }
    // What a person is typing isn't covered.
    if isFree {
      stage.overlay = .pages(Pages("Error", text.lines, isError: true))
    } else {
      stage.bar.note = text.lines.first ?? ""
    }
  }

  private static func note(_ stage: inout Stage, report value: Value) {
    let report = Report(record: value)
    let lines = (report?.text(.plain) ?? "\(value)").lines
    stage.bar.tell(lines.first ?? "", of: lines)
  }

  // MARK: Answers

  static func take(
    _ stage: inout Stage, _ result: Result<Value, StageRefusal>, of call: StageCall
  ) -> [StageEffect] {
    switch call.purpose {
    case .subscribe:
      guard case .success(let answer) = result else { return note(&stage, result) }
      let former = stage.shown
      stage.shown.take(answer["shown"] ?? .null)
      return stage.take(from: former)
    case .state:
      stage.state.take((try? result.get()) ?? .null)
      if stage.shown.screen == nil { stage.layOut() }
    case .describe:
      let directory = (try? result.get())?["directory"]?.stringValue ?? ""
      stage.bar.name = directory.split(separator: "/").last.map(String.init) ?? directory
    case .problems: take(&stage, problems: (try? result.get())?["problems"]?.listValue ?? List())
    case .keys: if case .success(let record) = result { stage.keys.take(record) }
    case .tasks:
      return take(&stage, tasks: (try? result.get())?["tasks"]?.listValue)
    case .fill(let input): return take(&stage, result, ofFilling: input)
    case .act: return take(&stage, ofActing: result)
    // What isn't done where the focus is says so when a key asks for it.
    case .focus: stage.told.isMovingFocus = false
    case .prompt: return PromptKeys.take(&stage, result)
    case .complete: PromptKeys.takeCompletion(&stage, result)
    case .form: return take(&stage, ofForm: result)
    case .palette(let source): PickerKeys.takePalette(&stage, result, source)
    case .scroll: stage.told.isScrolling = false
    case .settle: stage.told.held.settle()
    case .ignore: break
    }
    return []
  }

  private static func take(
    _ stage: inout Stage, ofActing result: Result<Value, StageRefusal>
  ) -> [StageEffect] {
    let sender = stage.told.sender
    stage.told.sender = nil
    switch result {
    case .success(let answer):
      if let note = answer["note"]?.stringValue { stage.bar.note = note }
      let failures = answer["failures"]?.listValue ?? List()
      for failure in failures { note(&stage, report: failure) }
      if !failures.isEmpty { stage.told.held.drop() }
    case .failure:
      // What was typed ahead counted on it. Whoever has sent a form goes on in it.
      stage.told.held.drop()
      if let sender { TypingKeys.resume(&stage, in: sender) }
    }
    return note(&stage, result) + [.call(StageCall(.tasks, "task/list"))]
  }

  /// Counts the tasks, and asks again while some run.
  ///
  /// Schedules and kept effects run as long as the app, and so tell nothing; nor do the parts of a
  /// task.
  private static func take(_ stage: inout Stage, tasks: List?) -> [StageEffect] {
    guard let tasks else { return [] }
    stage.bar.taskCount = tasks.count {
      $0["started_by"] != "schedule" && $0["kept"] != true && $0["parent"] == nil
    }
    guard stage.bar.taskCount > 0, !stage.bar.asksLater else { return [] }
    stage.bar.asksLater = true
    return [.later(StageCall(.tasks, "task/list"))]
  }

  /// Closes the form once its action is done, or says in it why not.
  private static func take(
    _ stage: inout Stage, ofForm result: Result<Value, StageRefusal>
  ) -> [StageEffect] {
    guard case .form(var form)? = stage.overlay, form.isRunning else { return [] }
    form.isRunning = false
    switch result {
    case .success:
      stage.overlay = nil
      return [.call(StageCall(.tasks, "task/list"))]
    case .failure(let refusal):
      let report = refusal.data.flatMap(Report.init(record:))
      form.refusal = [report?.headline ?? refusal.message, report?.detail]
        .compactMap(\.self).joined(separator: ": ")
      stage.overlay = .form(form)
      return [.beep]
    }
  }

  private static func note(_ stage: inout Stage, _ result: Result<Value, StageRefusal>)
    -> [StageEffect]
  {
    guard case .failure(let refusal) = result else { return [] }
    let report = refusal.data.flatMap(Report.init(record:))
    let detail = report?.detail.map { ": \($0)" } ?? ""
    stage.bar.tell(
      (report?.headline ?? refusal.message) + detail,
      of: report?.text(.plain).lines ?? [refusal.message])
    return [.beep]
  }

  private static func take(_ stage: inout Stage, problems: List) {
    stage.bar.hasProblems = !problems.isEmpty
    guard let first = problems.first(where: { _ in true }) else { return }
    let text = problems.compactMap { Report(record: $0)?.text(.plain) }.joined(separator: "\n\n")
    let isNews = stage.bar.lastError.isEmpty
    stage.bar.lastError = text.isEmpty ? ["\(first)"] : text.lines
    if isNews { show(&stage, error: text) }
  }

  private static func take(
    _ stage: inout Stage, _ result: Result<Value, StageRefusal>, ofFilling input: Text
  ) -> [StageEffect] {
    guard var draft = stage.drafts[input] else { return [] }
    draft.sentCount -= 1
    // Only the answer to the last text counts.
    guard draft.sentCount == 0 else {
      stage.drafts[input] = draft
      return []
    }
    var effects: [StageEffect] = []
    switch result {
    case .success:
      effects = draft.following
      draft.fate = .taken
    case .failure(let refusal):
      let report = refusal.data.flatMap(Report.init(record:))
      // The author's own sentence says what to type; the rule behind it doesn't always.
      draft.fate = .refused(report?.detail ?? refusal.message)
      effects = note(&stage, result)
    }
    let isAwaited = !draft.following.isEmpty
    draft.following = []
    let isShown = draft.fate == .taken && stage.shown.screen?.text(of: input) == draft.text
    stage.drafts[input] = isShown ? nil : draft
    // Whoever has sent the form goes on where it is wrong.
    if isAwaited, case .refused = draft.fate {
      stage.told.held.drop()
      TypingKeys.resume(&stage, in: input)
    }
    return effects + TypingKeys.follow(&stage)
  }
}

extension StageScreen {
  /// The text of the value of an input.
  fileprivate func text(of id: Text) -> String? { inputs[.string(id)]?.typed }
}
