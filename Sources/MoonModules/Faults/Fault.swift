public import MoonActions
public import MoonValues

/// A failure in a registration of a module, with everything that a person needs to fix it.
public struct Fault: Error, Sendable, Equatable {
  /// The reason for a fault.
  public enum Reason: Sendable, Equatable {
    /// The code raised an error or broke a rule; the text is Lua's message or the host's.
    case raised(String)
    /// The text has a syntax error; `isIncomplete` means that it ends too early.
    case syntax(String, isIncomplete: Bool)
    /// The call exceeded its time budget.
    case timedOut(milliseconds: Int)
    /// A person interrupted the call.
    case interrupted
    /// The module exceeded its memory quota.
    case outOfQuota(bytes: Int)
    /// The system had no memory left.
    case outOfMemory
    /// The module's code was ended earlier and couldn't be restarted.
    case notRunning
    /// Earlier calls of the module had used up the time that one action allows.
    case actionTimeSpent(milliseconds: Int)
    /// A task exceeded the maximum life of a task.
    case lifetimeExceeded(milliseconds: Int)
  }

  /// One call on the stack.
  package struct Frame: Sendable, Equatable {
    /// The place that the call had reached.
    package let place: SourcePlace
    /// The name that the function was called by; may be empty.
    package let function: String

    package init(place: SourcePlace, function: String) {
      self.place = place
      self.function = function
    }
  }

  /// Names that exist where a fault was.
  package struct KnownNames: Equatable, Sendable {
    /// The fields of the module's slice, at most `countMax`.
    package let fields: [String]
    /// The names of the modules in service, at most `countMax`.
    package let modules: [String]

    package init(fields: [String], modules: [String]) {
      self.fields = fields
      self.modules = modules
    }

    /// The maximum number of names of each kind.
    package static let countMax = 200
  }

  /// The module's name, or `prompt`.
  public let module: String
  /// The generation of the module; 0 if none has loaded yet.
  package let generation: Int
  /// The registration that failed.
  public let registration: Registration
  /// The reason for the fault.
  public let reason: Reason
  /// The place where the code failed; nil if it isn't known.
  public let place: SourcePlace?
  /// The calls that were active, innermost first.
  package let frames: [Frame]
  /// The lines around the place, as they were when the code was loaded.
  package var excerpt: Excerpt?
  /// The action that was being carried out.
  public var action: Action?
  /// The names that could have been meant, where Lua's message names a field; nil for other faults.
  package var knownNames: KnownNames?
  /// The last wait of the task that failed: `2 s`, `auth/*`; nil if the fault isn't a task's, or
  /// the task hadn't waited.
  package var lastWait: String?
  /// The refusal, without its origin, if the code refused and hasn't failed.
  package var refused: Refusal?
  /// The table that a command raised, if it is plain data; its caller gets a copy.
  package var value: Value?

  package init(
    module: String, generation: Int, registration: Registration, reason: Reason,
    place: SourcePlace? = nil, frames: [Frame] = [], excerpt: Excerpt? = nil,
    action: Action? = nil
  ) {
    self.module = module
    self.generation = generation
    self.registration = registration
    self.reason = reason
    self.place = place ?? registration.place
    self.frames = frames
    self.excerpt = excerpt
    self.action = action
  }
}

extension Fault: CustomStringConvertible {
  /// One sentence: the place, the registration, its module and the reason.
  public var description: String { place.map { "\($0): \(sentence)" } ?? sentence }

  /// The same without the place.
  package var sentence: String { detail.map { "\(headline): \($0)" } ?? headline }

  /// The registration and the kind of failure: `reducer counter/add of module counter failed`.
  package var headline: String {
    if case .outOfQuota = reason, isRecursive {
      return "\(subject) called itself without end, and \(reason.predicate)"
    }
    return "\(subject) \(reason.predicate)"
  }

  /// The number of calls that are taken for a recursion if they come from few places.
  private static let recursionDepth = 20
  /// The maximum number of functions that are taken to call each other in a circle.
  private static let recursionPlaceCountMax = 3

  /// Whether functions that call each other were deep in their calls.
  package var isRecursive: Bool {
    let calls = frames.prefix(Self.recursionDepth)
    return calls.count == Self.recursionDepth
      && Set(calls.map(\.place)).count <= Self.recursionPlaceCountMax
  }

  /// The message from Lua or the host, if there is one.
  package var detail: String? {
    switch reason {
    case .raised(let text), .syntax(let text, _): text
    case .timedOut, .interrupted, .outOfQuota, .outOfMemory, .notRunning, .actionTimeSpent,
      .lifetimeExceeded:
      nil
    }
  }

  private var subject: String {
    if module == "prompt" { return "what was typed" }
    if registration.kind == .load { return "module \(module)" }
    let load = generation > 1 ? " (generation \(generation))" : ""
    return "\(registration) of module \(module)\(load)"
  }
}

extension Fault.Reason {
  fileprivate var predicate: String {
    switch self {
    case .raised: "failed"
    case .syntax: "has a syntax error"
    case .timedOut(let milliseconds):
      "ran longer than \(Wording.time(.milliseconds(milliseconds)))"
    case .interrupted: "was stopped"
    case .outOfQuota(let bytes): "used more than \(Wording.size(bytes)) of memory"
    case .outOfMemory: "has no memory left"
    case .notRunning: "isn't running"
    case .lifetimeExceeded(let milliseconds):
      "has run for \(Wording.time(.milliseconds(milliseconds))), as long as it may"
    case .actionTimeSpent(let milliseconds):
      "wasn't called: its module has spent the \(Wording.time(.milliseconds(milliseconds))) "
        + "of one action, drawing or reload"
    }
  }
}
