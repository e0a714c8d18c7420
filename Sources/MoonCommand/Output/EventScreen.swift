import MoonTerminal
import Moonwire

/// Shows what happens in a host.
struct EventScreen {
  let screen: Screen
  let directory: String

  /// Shows one event.
  func show(_ event: HostEvent) {
    let style = screen.noticeStyle
    switch event {
    case .started(let module): screen.notice(Messages.started(module, style))
    case .reloaded(let reload): screen.notice(Messages.reload(reload, style))
    case .failed(_, let problems, let running):
      for report in Messages.problems(problems, running: running) { screen.notice(report) }
    case .recovered(let name, let generation):
      screen.notice(Messages.recovered(name, generation: generation, style))
    case .removed(let name): screen.notice(Messages.removed(name, style))
    case .restarted(let name, let generation):
      screen.notice(Messages.restarted(name, generation: generation, style))
    case .suspended(let name, let fault, let inARow):
      screen.notice(Messages.suspended(name, by: fault, inARow: inARow))
    case .resumed(let name): screen.notice(Messages.resumed(name, style))
    case .fault(_, let fault): screen.notice(Messages.fault(fault))
    case .dispatchFailed(_, let action, let error):
      screen.notice(Messages.following(action, error))
    case .conflicts(let conflicts):
      for report in Messages.conflicts(conflicts) { screen.notice(report) }
    case .directoryLost(let error): screen.notice(Messages.lost(error))
    case .directoryFound: screen.notice(Messages.found())
    case .watching(let notice): screen.notice(Messages.watching(notice))
    }
  }
}
