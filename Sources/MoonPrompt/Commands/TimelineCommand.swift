import MoonJournal
import MoonTerminal
import Moonwire

/// The command `:timeline`, which lists the kept states, or changes the timeline.
struct TimelineCommand: PromptCommand {
  static let manual = CommandManual(
    name: "timeline", arguments: "[count|change|export file]",
    summary: "lists the states that are kept; or changes them, such as with skip 12, move 12 7,"
      + " sweep, cut, commit, revert, reset, recompute, lock, unlock, pause, resume; or writes"
      + " them to a recording",
    example: ":timeline skip 12")

  /// The requested operation.
  enum Request: Equatable {
    /// Lists this many steps.
    case list(Int)
    /// Changes the timeline.
    case change(TimelineEdit)
    /// Writes a recording.
    case export(RecordingArguments)
  }

  /// The word for writing a recording.
  private static let export = "export"

  /// Returns the manual of one of the words, for errors; `arguments` are those of the example.
  fileprivate static func manual(of word: String, _ arguments: String? = nil) -> CommandManual {
    let name = "\(manual.name) \(word)"
    return CommandManual(
      name: name, summary: manual.summary, example: arguments.map { ":\(name) \($0)" })
  }

  let request: Request

  init(_ request: Request) { self.request = request }

  init(parsing arguments: PromptScanner) throws(PromptLineError) {
    var scanner = arguments
    let word = scanner.word()
    scanner.skipSpace()
    if word == Self.export {
      request = .export(
        try RecordingArguments(
          parsing: scanner, for: Self.manual(of: word, "bug.jsonl")))
      return
    }
    guard let change = Change(rawValue: word) else {
      guard word.isEmpty || word.allSatisfy(\.isNumber) else {
        throw arguments.error(
          .unknownChange(
            word, nearest: Spelling.nearest(to: word, in: Change.names + [Self.export])))
      }
      request = .list(try arguments.count() ?? TextLayout.listLineCount)
      return
    }
    if change.takesID, scanner.isAtEnd {
      throw scanner.error(
        .missingArgument(Self.manual(of: word, change == .move ? "12 7" : "12")))
    }
    request = .change(try change.edit(&scanner))
  }

  static func completion(_ request: CompletionRequest) -> Completion {
    let words = request.typed.split(separator: " ", omittingEmptySubsequences: false)
    guard words.count > 1 else {
      return request.matching(
        Change.allCases.map { .init($0.rawValue, suffix: $0.takesID ? " " : "", note: $0.note) }
          + [.init(export, suffix: " ", note: "writes a recording of the steps")])
    }
    guard Change(rawValue: String(words[0]))?.takesID ?? false else { return .none }
    let start = request.before.count - (words.last?.utf8.count ?? 0)
    let word = request.from(start)
    return word.matching(word.steps())
  }

  func run(in session: PromptSession) async throws(PromptError) -> any PromptAnswer {
    switch request {
    case .list(let count): return try await list(count, in: session)
    case .export(let wish): return try await export(wish, in: session)
    case .change(let edit):
      let before = await session.host.timeline(of: session.id)
      let answer = try await session.travelling(Self.manual.name) {
        (host, id) throws(TimelineError) in try host.carryOut(edit, in: id)
      }
      return TimelineAnswer(
        kind: answer.kind, outcome: answer.outcome, timeline: answer.timeline,
        note: before.flatMap { Self.note(on: edit, from: $0, to: answer.timeline) })
    }
  }

  /// Returns a note on what a change did, unless the state shows it.
  private static func note(
    on edit: TimelineEdit, from before: Timeline, to after: Timeline
  ) -> String? {
    let forgotten = before.steps(notIn: after).count
    let failures = Self.failures(in: after)
    switch edit {
    case .cut, .commit, .revert, .reset, .sweep, .pause(true):
      return "\(Wording.counted(forgotten, "step")) forgotten"
    case .toggle(let id):
      let isSkipped = after.position(of: id).map { after.steps[$0 - 1].isSkipped } ?? false
      return (isSkipped ? "#\(id) is left out" : "#\(id) is in again") + failures
    case .recompute, .move: return "the actions were carried out again" + failures
    case .pause(false): return "actions become steps again"
    case .lock(true): return "no action is taken until :timeline unlock"
    case .lock(false): return "actions are taken again"
    case .skip, .replace: return nil
    }
  }

  /// Returns a note on the steps that weren't carried out.
  private static func failures(in timeline: Timeline) -> String {
    let failed = timeline.steps.compactMap(\.error)
    let suspended = failed.compactMap(\.suspendedModule)
    let others = failed.count - suspended.count
    var text = others == 0 ? "" : "; \(Wording.counted(others, "action")) failed"
    if !suspended.isEmpty {
      let modules = Set(suspended).sorted()
      text +=
        "; \(Wording.counted(suspended.count, "action")) had to be left out, as "
        + "\(Wording.list(modules.map(\.text))) \(modules.count == 1 ? "is" : "are") suspended: "
        + "after :resume, :timeline recompute takes them in again"
    }
    return text
  }

  private func export(
    _ wish: RecordingArguments, in session: PromptSession
  ) async throws(PromptError) -> any PromptAnswer {
    do throws(JournalError) {
      let file = try wish.makeFile()
      defer { file.close() }
      let count = try await Journal(in: file).write(timelineOf: session.id, on: session.host)
      return TimelineExport(file: wish.path, count: count)
    } catch {
      throw .journal(error)
    }
  }

  private func list(
    _ count: Int, in session: PromptSession
  ) async throws(PromptError) -> any PromptAnswer {
    let found = await session.host.perform { [id = session.id] host in
      (host.timeline(of: id), host.timelineByteCount(of: id))
    }
    guard let timeline = found.0 else { throw .timeline(.noSession) }
    guard timeline.isKept else { throw .timeline(.notKept) }
    return TimelineList(timeline: timeline, byteCount: found.1, lineCount: count)
  }

  /// A change of the timeline, as typed.
  enum Change: String, CaseIterable {
    case skip, move, sweep, cut, commit, revert, reset, recompute, lock, unlock, pause, resume

    static let names = allCases.map(\.rawValue)

    var takesID: Bool { self == .skip || self == .move }

    var note: String {
      switch self {
      case .skip: "leaves an action out, or takes it in again"
      case .move: "moves an action before another, or to the end"
      case .sweep: "forgets the actions that are left out"
      case .cut: "forgets the steps after the shown state, and goes on from it"
      case .commit: "begins with the shown state, and forgets all steps"
      case .revert: "goes back to the state that the timeline begins with"
      case .reset: "goes back to the state that the session began with"
      case .recompute: "carries all actions out again, with the modules as they are"
      case .lock: "takes no action until unlock"
      case .unlock: "takes actions again"
      case .pause: "takes no steps until resume"
      case .resume: "takes steps again"
      }
    }

    fileprivate func edit(_ scanner: inout PromptScanner) throws(PromptLineError) -> TimelineEdit {
      let edit: TimelineEdit
      switch self {
      case .skip: return .toggle(try scanner.actionID())
      case .move: return try Self.move(&scanner)
      case .sweep: edit = .sweep
      case .cut: edit = .cut
      case .commit: edit = .commit
      case .revert: edit = .revert
      case .reset: edit = .reset
      case .recompute: edit = .recompute
      case .lock: edit = .lock(true)
      case .unlock: edit = .lock(false)
      case .pause: edit = .pause(true)
      case .resume: edit = .pause(false)
      }
      try scanner.checkEnd(after: TimelineCommand.manual(of: rawValue))
      return edit
    }

    private static func move(
      _ scanner: inout PromptScanner
    ) throws(PromptLineError) -> TimelineEdit {
      let start = scanner.offset
      let word = scanner.word()
      guard let id = PromptScanner.actionID(word) else {
        throw scanner.error(.notAnActionID(word), at: start)
      }
      scanner.skipSpace()
      return .move(id, before: scanner.isAtEnd ? nil : try scanner.actionID())
    }
  }
}

/// The answer to `:timeline`: the steps around the shown moment.
private struct TimelineList: PromptAnswer {
  let timeline: Timeline
  /// The approximate memory of all steps.
  let byteCount: Int
  let lineCount: Int

  func lines(_ layout: TextLayout) -> [String] {
    let steps = timeline.steps
    // The shown moment is always among those listed.
    let end = min(steps.count, max(timeline.position + lineCount / 2, lineCount))
    let first = timeline.isPast ? max(0, end - lineCount) : max(0, steps.count - lineCount)
    let last = timeline.isPast ? end : steps.count
    let listed = (first..<max(first, last)).map { line(steps[$0], at: $0 + 1, layout) }
    let beginning = first == 0 ? [beginning(layout)] : []
    return beginning + listed + [timeline.standing(layout), layout.dim(size)]
  }

  private func mark(_ position: Int, _ layout: TextLayout) -> String {
    position == timeline.position ? layout.style.paint("→ ", .warning) : "  "
  }

  private func beginning(_ layout: TextLayout) -> String {
    mark(0, layout) + layout.dim("the beginning")
  }

  private func line(_ step: TimelineStep, at position: Int, _ layout: TextLayout) -> String {
    let type = step.action.type.string
    let head = "\(mark(position, layout))#\(step.id)  "
    let name = step.isSkipped ? layout.dim(type) : layout.style.paint(type, .key)
    let more = step.others.isEmpty ? "" : layout.dim(" and \(step.others.count) more")
    let state =
      step.isSkipped
      ? layout.style.paint("left out", .warning)
      : step.error?.suspendedModule.map {
        layout.style.paint("left out", .warning) + ", as \($0) is suspended"
      } ?? step.error.map { layout.style.paint("failed", .error) + ": " + $0.headlineText } ?? ""
    let tail =
      "  " + layout.dim(step.action.meta.cause.origin) + (state.isEmpty ? "" : "  ") + state
    let room =
      layout.columns - TerminalText.width(of: head + name + more + tail) - 1
    let payload =
      step.action.payload == .null || room < 12
      ? "" : " " + ValueText(style: layout.style).line(step.action.payload, columns: min(40, room))
    return head + name + payload + more + tail
  }

  private var size: String {
    let each = timeline.count > 0 ? ", \(Wording.size(byteCount / timeline.count)) a step" : ""
    return "\(Wording.counted(timeline.count, "step")), \(Wording.size(byteCount)) of memory\(each)"
  }

  var record: Map? {
    var map = timeline.standingRecord
    map["kind"] = "timeline"
    map["bytes"] = .int(Int64(byteCount))
    map["steps"] = JSONRecord.list(timeline.steps.suffix(lineCount)) { step in
      var map: Map = [
        "id": .int(step.id), "type": .string(step.action.type), "payload": step.action.payload,
        "cause": JSONRecord.text(step.action.meta.cause.description),
      ]
      if step.isSkipped { map["skipped"] = true }
      if !step.others.isEmpty { map["others"] = .int(Int64(step.others.count)) }
      map["error"] = step.error.map { $0.report.value }
      return .map(map)
    }
    return map
  }
}

extension Timeline {
  /// Returns the steps that another timeline of the session lacks.
  ///
  /// The other one may have further steps, such as announcements that followed.
  func steps(notIn other: Timeline) -> [TimelineStep] {
    let kept = Set(other.steps.map(\.id))
    return steps.filter { !kept.contains($0.id) }
  }
}

extension DispatchError {
  /// The suspended module that the action belongs to; nil for another error.
  fileprivate var suspendedModule: ModuleName? {
    if case .suspended(let module) = self { module } else { nil }
  }

  /// The problem alone, safe for a terminal.
  fileprivate var headlineText: String { TerminalText.singleLine(headline) }
}
