import Logging
import MoonActions
import MoonFiles
import MoonModules
import MoonScripts
import MoonSession

/// What a host that a program holds writes to its log about modules: what nobody might learn of
/// otherwise.
///
/// The command's host has no such log, since the command shows all events itself.
extension HostEvent {
  /// Writes the event to a log if it is a problem.
  func log(to logger: Logger) {
    let (problems, warnings) = (problems, warnings)
    if problems.isEmpty, warnings.isEmpty { return }
    let metadata = Logger.Metadata(module: concerned, session: session, action: action?.id)
    for problem in problems { logger.error("\(problem)", metadata: metadata) }
    for warning in warnings { logger.warning("\(warning)", metadata: metadata) }
  }

  /// The name of the module that the problem is about; nil if it is about none or several.
  private var concerned: String? {
    switch self {
    case .suspended(let name, _, _): name.text
    case .fault(_, let fault): fault.module
    case .refused(_, let refusal, _): refusal.origin?.module.text
    case .dispatchFailed(_, let failure): failure.action.type.moduleName
    case .failuresLeftOut(let name, _): name
    default: module?.text
    }
  }

  /// The action that the problem is about; nil if there is none.
  private var action: Action? {
    switch self {
    case .fault(_, let fault), .suspended(_, by: let fault, _): fault.action
    case .refused(_, _, let action): action
    case .dispatchFailed(_, let failure): failure.action
    default: nil
    }
  }

  /// What keeps a module or the host from its work, with the places.
  private var problems: [String] {
    switch self {
    case .failed(_, let problems, _): problems.map(\.description)
    case .suspended(let module, by: _, let count):
      [
        "module \(module) is suspended: \(count) of its last \(HostOptions.faultCallCount) calls "
          + "failed"
      ]
    case .fault(_, let fault): [fault.description]
    case .dispatchFailed(_, let failure) where failure.error.refusal == nil: [failure.sentence]
    case .notKept(_, let error), .recordingEnded(_, let error): ["\(error)"]
    case .directoryLost(let error): ["\(error)"]
    default: []
    }
  }

  /// What isn't a fault, and had no effect.
  private var warnings: [String] {
    switch self {
    case .refused(_, let refusal, by: _): ["\(DispatchError.refused(refusal))"]
    case .dispatchFailed(_, let failure) where failure.error.refusal != nil: [failure.sentence]
    case .failuresLeftOut(let module, nil):
      [
        "module \(module) fails more than \(FailureLimit.countMax) times in a second: the rest is "
          + "left out"
      ]
    case .conflicts(let conflicts): conflicts.map(\.description)
    default: []
    }
  }
}

extension FollowingFailure {
  /// One sentence: the action, where it was dispatched, and the reason.
  package var sentence: String {
    let origin = dispatcherPlace.map { ", dispatched at \($0)" } ?? ""
    return "\(action.type)\(origin): \(error)"
  }
}
