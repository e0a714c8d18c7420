import MoonActions
import MoonModules
import MoonScripts
import MoonSession

/// The limit on the events about failures that modules cause.
///
/// Without one, a module whose actions are refused in a loop would fill logs and hide what is
/// reported about others. A failure that somebody awaits is in the outcome nevertheless.
struct FailureLimit {
  /// The maximum number of events about one module in a second.
  static let countMax = 100

  private var rates: [String: RateLimit] = [:]

  /// Returns what is told in place of an event: nothing, the event, or also that others were left
  /// out.
  mutating func told(_ event: SessionEvent) -> [HostEvent] {
    guard let module = event.failing else { return [HostEvent(event)] }
    switch rates[module, default: RateLimit(countMax: Self.countMax)].count() {
    case .kept: return [HostEvent(event)]
    case .keptAfter(let dropped):
      return [.failuresLeftOut(module, count: dropped), HostEvent(event)]
    case .firstDropped: return [.failuresLeftOut(module, count: nil)]
    case .dropped: return []
    }
  }
}

extension SessionEvent {
  /// The name of the module that caused a failure; nil if none did.
  fileprivate var failing: String? {
    switch self {
    case .fault(_, let fault): "\(fault.module)"
    case .refused(_, let refusal, let action):
      action?.meta.cause.module ?? refusal.origin.map { "\($0.module)" }
    case .dispatchFailed(_, let failure): failure.action.meta.cause.module
    case .notKept, .copyEnded, .suspended, .slice: nil
    }
  }
}

extension Cause {
  /// The name of the module whose registration it is.
  fileprivate var module: String? {
    if case .module(let name, _) = self { name } else { nil }
  }
}
