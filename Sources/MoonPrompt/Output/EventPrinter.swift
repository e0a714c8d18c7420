import MoonTerminal
package import Moonwire

/// A printer of a host's events.
package struct EventPrinter {
  let output: TerminalOutput
  let directory: String
  /// Whether a later run can resume what is kept.
  let keepsJournal: Bool

  package init(output: TerminalOutput, directory: String, keepsJournal: Bool) {
    self.output = output
    self.directory = directory
    self.keepsJournal = keepsJournal
  }

  /// Prints events that have come together.
  package func show(_ events: [HostEvent]) {
    showChanges(events)
    guard !keepsJournal, let note = Report(notKeptEffects: events.flatMap(\.durableEffects)) else {
      return
    }
    output.printNotice(note)
  }

  private func showChanges(_ events: [HostEvent]) {
    guard let summary = ReloadSummary(events) else { return events.forEach(show) }
    for line in summary.lines(output.noticeStyle) { output.printNotice(line) }
    summary.shownFailures.forEach(show)
    events.filter { !$0.isModuleChange }.forEach(show)
  }

  private func show(_ event: HostEvent) {
    let style = output.noticeStyle
    switch event {
    case .started(let module): output.printNotice(ModuleText.started(module, style))
    case .reloaded(let reload): output.printNotice(ModuleText.reload(reload, style))
    case .failed(_, let problems, let running):
      for report in ModuleProblem.reports(problems, running: running) { output.printNotice(report) }
    case .recovered(let name, let generation):
      output.printNotice(ModuleText.recovered(name, generation: generation, style))
    case .removed(let name): output.printNotice(ModuleText.removed(name, style))
    case .restarted(let name, let generation):
      output.printNotice(ModuleText.restarted(name, generation: generation, style))
    case .suspended(let name, let fault, let count):
      output.printNotice(fault.suspensionReport(of: name, count: count))
    case .resumed(let name): output.printNotice(ModuleText.resumed(name, style))
    case .fault(_, let fault): output.printNotice(fault.report)
    case .refused(_, let refusal, let action):
      output.printNotice(refusal.report.adding(action?.causeRow()))
    case .slice(_, let name, let version, .incompatible(let versions)):
      output.printNotice(Report(newStateOf: name, version: version, besides: versions))
    case .slice(_, let name, let version, .putAside(let former, _)):
      output.printNotice(Report(newStateOf: name, version: version, besides: [former]))
    case .slice(_, let name, let version, .misshapen(let refusal)):
      output.printNotice(Report(misshapen: name, version: version, refusal))
    case .slice(_, let name, _, let change):
      output.printNotice("\(style.paint(name.text, .emphasis)): \(change.text(style))")
    case .tasksChangedState: break  // Its changes are shown as results.
    case .notKept(_, let error): output.printNotice(error.report)
    case .recordingEnded(_, let error): output.printNotice(error.recordingReport)
    case .dispatchFailed(_, let failure): output.printNotice(failure.report)
    case .failuresLeftOut(let module, let count):
      output.printNotice(Report(leftOutOf: module, count: count))
    case .conflicts(let conflicts):
      for report in RouteConflict.reports(conflicts) { output.printNotice(report) }
    case .deadNames(let names):
      for report in DeadName.reports(names) { output.printNotice(report) }
    case .doubtfulNames(let names):
      for report in DoubtfulName.reports(names) { output.printNotice(report) }
    case .directoryLost(let error): output.printNotice(error.lossReport)
    case .directoryFound: output.printNotice("the script directory is there again")
    // The prompt draws it, in step with the lines that are typed.
    case .screenChanged: break
    case .watching(let notice): output.printNotice(notice.report)
    case .longCall(let call): output.printNotice("\(call)")
    }
  }
}

extension HostEvent {
  /// The durable effects that the start or reload of a module added.
  fileprivate var durableEffects: [Registration] {
    switch self {
    case .started(let module): module.durableEffects
    case .reloaded(let reload): reload.durableEffects
    default: []
    }
  }
}
