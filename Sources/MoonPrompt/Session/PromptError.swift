package import Moonwire

/// The reason that a line wasn't carried out.
package enum PromptError: Error, Sendable {
  /// The action failed.
  case dispatch(DispatchError)
  /// The payload of an action that was typed isn't what its module declared.
  case payload(DispatchError)
  /// The Lua code failed.
  case evaluation(Fault)
  /// The command of a module has no answer.
  case command(CommandError)
  /// There is no module of this name.
  case noModule(String, nearest: String?)
  /// The module isn't suspended.
  case notSuspended(ModuleName)
  /// There is no such task.
  case noTask(TaskID)
  /// There is no value at this path.
  case noValue(at: Path, nearest: Path?)
  /// The interaction with the screen on top failed.
  case screen(ScreenError)
  /// There is no screen with this id.
  case noScreen(String, known: [String])
  /// A slice that is put aside can't be restored or deleted.
  case slice(SliceError)
  /// The session can't be recorded there.
  case journal(JournalError)
  /// The session is already being recorded in this file.
  case isRecording(String)
  /// The timeline can't be changed, or a moment can't be shown.
  case timeline(TimelineError)
  /// The text isn't a URL.
  case malformed(String, RouteRequestError)
  /// No action of the timeline has changed what is at this path.
  case noChange(at: Path)
  /// The file of grants can't be read or written.
  case grants(GrantsFileError, path: String)
  /// There is no file to keep grants in.
  case noGrantsFile
  /// The host has no such service, or function of one.
  case noFunction(String, nearest: String?)

  /// Whether more text might complete it.
  package var isIncomplete: Bool {
    if case .evaluation(let fault) = self, case .syntax(_, isIncomplete: true) = fault.reason {
      return true
    }
    return false
  }

  /// Whether the text isn't valid Lua, so that none of it ran.
  package var isMalformed: Bool {
    if case .evaluation(let fault) = self, case .syntax = fault.reason { return true }
    return false
  }

  /// The moment at which the session is paused, if that is the reason.
  var moment: (position: Int, count: Int)? {
    switch self {
    case .dispatch(.paused(let position, let count)),
      .screen(.dispatch(.paused(let position, let count))):
      (position, count)
    default: nil
    }
  }

  /// The report for people and programs.
  package var report: Report { sentences.coded(code) }

  private var sentences: Report {
    switch self {
    case .dispatch(let error): error.report
    case .payload(let error):
      error.report.adding(error.quoting.map { .init("help", $0) })
    case .evaluation(let fault), .command(.failed(let fault)): fault.report
    case .command(.refused(let refusal)): refusal.report
    case .command(.notInService(let module, let absence)):
      Report(
        "\(CommandError.notInService(module, absence))",
        rows: [.init("help", absence.remedy(for: module))])
    case .command(let error): Report("\(error)")
    case .noModule(let name, let nearest):
      Report("there is no module \(name)").adding(
        Report.Row.suggestion(nearest) ?? .init("help", ":modules lists them"))
    case .notSuspended(let name):
      Report(
        "module \(name) isn't suspended",
        rows: [.init("help", ":modules shows the status of each module")])
    case .noTask(let task):
      Report("task \(task) isn't running", rows: [.init("help", ":tasks lists those that are")])
    case .noValue(let path, let nearest):
      Report("there is nothing at \(path)").adding(
        Report.Row.suggestion(nearest?.description) ?? .init("help", ":state shows all there is"))
    case .screen(let error): error.report
    case .noScreen(_, let known) where known.isEmpty: ScreenError.noScreen.report
    case .noScreen(let id, let known):
      Report("there is no screen \(id)").adding(
        Report.Row.suggestion(Spelling.nearest(to: id, in: known))
          ?? .init("there are", Wording.list(known)))
    case .slice(let error): error.report
    case .timeline(let error): error.report
    case .malformed(let url, let error): error.report(on: url)
    case .noChange(let path):
      Report(
        "no action in the timeline has changed \(path)",
        rows: [.init("help", ":timeline lists its actions")])
    case .grants(let error, let path): error.report(at: path)
    case .noGrantsFile:
      Report(
        "there is no place for grants",
        rows: [.init("help", "MOONWIRE_GRANTS names the file; without always it is for this run")])
    case .noFunction(let path, let nearest):
      Report("there is no help on \(path)").adding(
        Report.Row.suggestion(nearest) ?? .init("help", ":services lists the functions"))
    case .journal(let error): error.report
    case .isRecording(let file):
      Report(
        "the session is already being recorded", detail: file,
        rows: [.init("help", ":record stop ends it")])
    }
  }
}

extension PromptError {
  /// The code of the error.
  var code: String {
    switch self {
    case .dispatch(let error), .payload(let error): error.code
    case .evaluation(let fault): fault.reason.code
    case .command(let error): error.code
    case .noModule: "unknown_module"
    case .notSuspended: "not_suspended"
    case .noTask: "unknown_task"
    case .noValue: "no_value"
    case .screen(let error): error.code
    case .noScreen: "unknown_screen"
    case .slice: "slice"
    case .journal: "journal"
    case .isRecording: "is_recording"
    case .timeline: "timeline"
    case .malformed: "malformed_url"
    case .noChange: "no_change"
    case .grants, .noGrantsFile: "grants"
    case .noFunction: "unknown_topic"
    }
  }
}
