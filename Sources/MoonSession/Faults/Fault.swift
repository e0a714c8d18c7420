public import MoonStore
public import MoonValues

/// What went wrong in a registration of a module: everything that a person needs to mend it.
public struct Fault: Error, Sendable, Equatable {
  /// What happened.
  public enum Reason: Sendable, Equatable {
    /// The code raised an error, or did what isn't allowed: Lua's or the host's words.
    case raised(String)
    /// The text isn't Lua; `isIncomplete` if it ends too early.
    case syntax(String, isIncomplete: Bool)
    /// It ran longer than it may.
    case timedOut(milliseconds: Int)
    /// A person stopped it.
    case interrupted
    /// It used more memory than it may.
    case outOfQuota(bytes: Int)
    /// There was no memory left for it.
    case outOfMemory
    /// The module's code was ended before and couldn't be started again.
    case notRunning
    /// Its module had used up the time of the action before, in other calls.
    case actionTimeSpent(milliseconds: Int)
    /// A task has lived longer than it may.
    case livedTooLong(milliseconds: Int)
  }

  /// One active function, innermost first.
  public struct Frame: Sendable, Equatable {
    /// Where it was.
    public let place: SourcePlace
    /// What it was called as; may be empty.
    public let function: String

    package init(place: SourcePlace, function: String) {
      self.place = place
      self.function = function
    }
  }

  /// The module, or `prompt`.
  public let module: String
  /// Which load of the module it was; 0 if none succeeded yet.
  public let generation: Int
  /// Which of its registrations.
  public let registration: Registration
  /// What happened.
  public let reason: Reason
  /// Where it happened, as well as is known.
  public let place: SourcePlace?
  /// How the code came there.
  public let frames: [Frame]
  /// A few lines around the place, as they were when the code was loaded.
  public var excerpt: Excerpt?
  /// The action that was being worked on.
  public var action: Action?
  /// What the task had waited for that failed: `2 s`, `auth/*`; nil if it hadn't, or was no task.
  public internal(set) var lastWait: String?

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
  /// One sentence: which registration of which module, and what happened.
  public var description: String { detail.map { "\(headline): \($0)" } ?? headline }

  /// What failed, and how: `reducer counter/add of module counter failed`.
  package var headline: String { "\(subject) \(reason.predicate)" }

  /// What Lua or the host said about it, if anything.
  package var detail: String? {
    switch reason {
    case .raised(let text), .syntax(let text, _): text
    case .timedOut, .interrupted, .outOfQuota, .outOfMemory, .notRunning, .actionTimeSpent,
      .livedTooLong:
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
    case .syntax: "isn't Lua"
    case .timedOut(let milliseconds):
      "ran longer than \(Wording.time(.milliseconds(milliseconds)))"
    case .interrupted: "was stopped"
    case .outOfQuota(let bytes): "used more than \(Wording.size(bytes)) of memory"
    case .outOfMemory: "has no memory left"
    case .notRunning: "isn't running"
    case .livedTooLong(let milliseconds):
      "has run for \(Wording.time(.milliseconds(milliseconds))), as long as it may"
    case .actionTimeSpent(let milliseconds):
      "wasn't called: its module has spent the \(Wording.time(.milliseconds(milliseconds))) "
        + "of the action"
    }
  }
}
