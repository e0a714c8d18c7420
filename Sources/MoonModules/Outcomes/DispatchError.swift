public import MoonActions
public import MoonServiceKit
public import MoonValues

/// The reason that an action wasn't carried out.
///
/// The action has changed nothing.
public enum DispatchError: Error, Sendable, Equatable {
  /// The text isn't a valid action type.
  case malformedType(String)
  /// No module knows the type; `nearest` is a known type with similar spelling.
  case unknownType(String, nearest: String?)
  /// The module of the action isn't in service, though its files are there.
  case notInService(ModuleName, type: String, ModuleAbsence)
  /// Only the host makes actions of this type.
  case reservedForHost(String)
  /// The action controls the session, and the module isn't granted to dispatch it.
  case notGranted(type: String, GrantRefusal)
  /// The payload doesn't match the schema that the action's module declares.
  case invalidPayload(type: String, problems: [PayloadProblem], declared: PayloadSchema)
  /// The payload, which is a type of the program's, can't be encoded.
  case unencodable(type: String, reason: String)
  /// A reducer or middleware failed.
  case fault(Fault)
  /// A registration of a module refused the action.
  case refused(Refusal)
  /// The module is suspended after too many faults; a reload or ``Host/resume(_:)`` lets it run
  /// again.
  case suspended(ModuleName)
  /// The batch has more actions than are allowed.
  case batchTooLong(count: Int, max: Int)
  /// The queue already holds `max` actions.
  case queueFull(max: Int)
  /// The queued actions and this one together exceed `maxBytes` bytes.
  case queueTooLarge(maxBytes: Int)
  /// The host has no room for the action in what it may hold for the module that dispatches it.
  case memoryFull(ServiceRefusal)
  /// The queue was full, this action's module had the most actions in it, and another module's
  /// action took the place of this one.
  case displaced(max: Int)
  /// One action led to more than `max` others; `dropped` queued actions of the same module were
  /// removed.
  case tooManyFollowing(max: Int, dropped: Int)
  /// The actions that followed from one action ran longer than `max`; `dropped` queued actions of
  /// the same module were removed.
  case followingTooLong(max: Duration, dropped: Int)
  /// Module mappers made more than `max` actions from one; `chain` ends with the one too many.
  case tooManyMappings(chain: [String], max: Int)
  /// One action led to more than `max` navigations; `chain` is the end of the sequence.
  case tooManyNavigations(chain: [String], max: Int)
  /// Effects have answered each other's actions more than `max` times without a rest.
  case tooManyEffects(max: Int)
  /// A view tried to dispatch; views are read-only.
  case readOnlyView
  /// A reducer tried to dispatch; reducers only make a state.
  case withinReducer
  /// A URL couldn't be routed.
  case routing(RoutingError)
  /// The navigation can't be changed this way.
  case navigation(NavigationProblem)
  /// The module of the screen on top refused to go back.
  case keptBack(by: ModuleName, at: SourcePlace?, reason: String?)
  /// A person interrupted the host before the action ran.
  case interrupted
  /// The journal can't keep what happens.
  ///
  /// It is the only case in which the action may have been carried out: its outcome is withheld,
  /// and no effect starts. Later actions are refused until the journal has kept it.
  case notKept(JournalError)
  /// The session stands still, because an earlier state of it is shown.
  case paused(position: Int, count: Int)
  /// The session stands still, because its timeline is locked.
  case timelineLocked
  /// The timeline can't be changed, or a moment not shown.
  case timeline(TimelineError)
  /// The action was dropped, or an effect that the caller waits for was cancelled.
  ///
  /// In the second case the action was carried out.
  case notFinished(String)
  /// The session is closed.
  case noSession
}

extension DispatchError: CustomStringConvertible {
  /// One sentence: the problem, how it came about, and the remedy if one is known.
  public var description: String {
    switch self {
    case .invalidPayload(_, let problems, _):
      "\(headline): " + problems.map(\.description).joined(separator: "; ")
    case .tooManyMappings(let chain, _): "\(headline): " + chain.joined(separator: " → ")
    case .tooManyNavigations(let chain, _):
      "\(headline): … → " + chain.joined(separator: " → ")
    case .fault(let fault): fault.description
    case .routing(let error): error.description
    case .refused(let refusal): "\(headline): \(refusal.reason)"
    // Programs open sessions.
    case .noSession: "\(headline): open another one"
    default: advice.map { "\(headline); \($0)" } ?? headline
    }
  }

  /// The problem alone.
  package var headline: String {
    switch self {
    case .malformedType(let type): "'\(type)' can't be the type of an action"
    case .unknownType(let type, _): "no module knows the action \(type)"
    case .notInService(let module, let type, let absence):
      "\(type) wasn't taken: module \(module) isn't in service: \(absence)"
    case .reservedForHost(let type):
      "\(type) can't be dispatched: only the host makes host/… and nav/did_… actions"
    case .notGranted(let type, let refusal):
      "module \(refusal.module) may not dispatch \(type)"
    case .invalidPayload(let type, _, _): "the payload doesn't fit \(type)"
    case .unencodable(let type, let reason): "the payload of \(type) can't be kept: \(reason)"
    case .fault(let fault): fault.headline
    case .refused(let refusal): refusal.headline
    case .suspended(let module):
      "module \(module) is suspended: it failed too often, and takes no actions"
    case .batchTooLong(let count, let max):
      "\(count) actions can't be carried out as one: \(max) can"
    case .queueFull(let max): "\(max) actions are waiting already: this one wasn't taken"
    case .queueTooLarge(let max):
      "with this one the actions that wait would have more than \(Wording.size(max)): "
        + "it wasn't taken"
    case .memoryFull(let refusal): "this action wasn't taken: \(refusal)"
    case .displaced(let max):
      "\(max) actions waited, most of them of its module: another module's took its place"
    case .tooManyFollowing(let max, let dropped):
      "one action has led to more than \(max) others" + Self.droppedSuffix(dropped)
    case .followingTooLong(let max, let dropped):
      "what one action has led to has taken more than \(Wording.time(max))"
        + Self.droppedSuffix(dropped)
    case .tooManyMappings(_, let max):
      "module mappers made more than \(max) steps of one action: it wasn't carried out"
    case .tooManyNavigations(_, let max):
      "one action has led to more than \(max) navigations: this one wasn't carried out"
    case .tooManyEffects(let max):
      "more than \(max) effects have followed from one another without waiting for time: this "
        + "action wasn't taken"
    case .readOnlyView: "a view only shows: it can't dispatch"
    case .withinReducer: "a reducer only makes its state: it can't dispatch"
    case .routing(let error): error.headline
    case .navigation(.refused(let error)): "the navigation can't do that: \(error)"
    case .navigation(.malformed(let error)): "that is no navigation: \(error)"
    case .keptBack(let module, _, let reason):
      "module \(module) doesn't let it go back" + (reason.map { ": \($0)" } ?? "")
    case .interrupted: "stopped: the actions that still waited were dropped"
    case .notKept(let error): "this isn't kept: \(error)"
    case .paused(let position, let count):
      "the session is paused at \(position)/\(count): it takes no action there"
    case .timelineLocked: "the timeline is locked: the session takes no action"
    case .timeline(let error): error.description
    case .notFinished(let reason): reason
    case .noSession: "the session is closed"
    }
  }

  private static func droppedSuffix(_ count: Int) -> String {
    count == 0 ? "" : "; \(count) more of the same module that waited were dropped"
  }

  /// The remedy, if it doesn't depend on where the action came from.
  package var advice: String? {
    switch self {
    case .malformedType:
      "write a module's name, a slash and the action's name, as in counter/add"
    case .unknownType(_, let nearest): nearest.map { "did you mean \($0)?" }
    case .reservedForHost: "dispatch an action of the module's own"
    case .notGranted(_, let refusal): refusal.description
    case .tooManyEffects: "let one of them sleep, if they must answer each other without end"
    case .readOnlyView: "let a person's tap dispatch"
    case .withinReducer: "let an effect or an observer dispatch"
    case .paused:
      "cut the timeline to go on from there, or return to the latest state first"
    case .timelineLocked: "unlock it, or close its control, first"
    default: nil
    }
  }
}

extension DispatchError {
  /// Makes the error for a registration that failed, or refused.
  package init(_ fault: Fault) { self = fault.refusal.map { .refused($0) } ?? .fault(fault) }

  /// The refusal of a module, if that is the reason.
  public var refusal: Refusal? {
    switch self {
    case .refused(let refusal): refusal
    case .routing(let error):
      if case .refused(let refusal) = error.reason { refusal } else { nil }
    default: nil
    }
  }
}
