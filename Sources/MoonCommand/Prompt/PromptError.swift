import Moonwire

/// Why a line wasn't carried out.
enum PromptError: Error, Sendable {
  /// The action failed.
  case dispatch(DispatchError)
  /// The Lua failed.
  case evaluation(Fault)
  /// There is no such module.
  case noModule(String, nearest: String?)
  /// The module isn't suspended.
  case notSuspended(ModuleName)
  /// There is nothing at that path.
  case noValue(at: Path, nearest: Path?)
  /// The screen on top refused.
  case screen(ScreenError)
  /// There is no screen with that id.
  case noScreen(String, known: [String])
  /// A slice that is put aside can't be had.
  case slice(SliceError)
  /// It isn't a URL.
  case malformed(String, RouteRequestError)

  /// Whether more text might complete it.
  var isIncomplete: Bool {
    if case .evaluation(let fault) = self, case .syntax(_, isIncomplete: true) = fault.reason {
      return true
    }
    return false
  }

  /// What people are told.
  var report: Report {
    switch self {
    case .dispatch(let error): Messages.dispatch(error)
    case .evaluation(let fault): Messages.fault(fault)
    case .noModule(let name, let nearest): Messages.noModule(name, nearest: nearest)
    case .notSuspended(let name): Messages.notSuspended(name)
    case .noValue(let path, let nearest):
      Messages.noValue(at: path.description, nearest: nearest?.description)
    case .screen(let error): Messages.screen(error)
    case .noScreen(let id, let known): Messages.noScreen(id, known: known)
    case .slice(let error): Report(error)
    case .malformed(let url, let error): Messages.malformed(url, error)
    }
  }
}
