import MoonTerminal
import Moonwire

/// Shows what happens in a host.
struct EventPrinter {
  let output: TerminalOutput
  let directory: String

  /// Shows one event.
  func show(_ event: HostEvent) {
    let style = output.noticeStyle
    switch event {
    case .started(let module): output.printNotice(Messages.started(module, style))
    case .reloaded(let reload): output.printNotice(Messages.reload(reload, style))
    case .failed(_, let problems, let running):
      for report in Messages.problems(problems, running: running) { output.printNotice(report) }
    case .recovered(let name, let generation):
      output.printNotice(Messages.recovered(name, generation: generation, style))
    case .removed(let name): output.printNotice(Messages.removed(name, style))
    case .restarted(let name, let generation):
      output.printNotice(Messages.restarted(name, generation: generation, style))
    case .suspended(let name, let fault, let count):
      output.printNotice(Messages.suspended(name, by: fault, count: count))
    case .resumed(let name): output.printNotice(Messages.resumed(name, style))
    case .fault(_, let fault): output.printNotice(Messages.fault(fault))
    case .slice(_, let name, let version, .notFitting(let versions)):
      output.printNotice(Report(newStateOf: name, version: version, besides: versions))
    case .slice(_, let name, let version, .putAside(let former, _)):
      output.printNotice(Report(newStateOf: name, version: version, besides: [former]))
    case .slice(_, let name, _, let change):
      output.printNotice("\(style.paint(name.text, .emphasis)): \(change.text(style))")
    case .dispatchFailed(_, let action, let error):
      output.printNotice(Messages.following(action, error))
    case .conflicts(let conflicts):
      for report in Messages.conflicts(conflicts) { output.printNotice(report) }
    case .directoryLost(let error): output.printNotice(Messages.lost(error))
    case .directoryFound: output.printNotice(Messages.found())
    case .watching(let notice): output.printNotice(Messages.watching(notice))
    }
  }
}
