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
  }

  /// One active function, innermost first.
  public struct Frame: Sendable, Equatable {
    /// Where it was.
    public let place: SourcePlace
    /// What it was called as; may be empty.
    public let function: String
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
}

/// Lines of a source file around one that matters.
public struct Excerpt: Sendable, Equatable {
  /// The number of the first line.
  public let firstLine: Int
  /// The lines without their ends.
  public let lines: [String]
  /// The number of the line that matters.
  public let line: Int

  /// How many lines before and after are shown.
  public static let contextMax = 2

  /// Takes the lines around `line` of a text; nil if there is no such line.
  public init?(of source: [UInt8], line: Int) {
    let all = source.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    guard line >= 1, line <= all.count else { return nil }
    let first = max(1, line - Self.contextMax)
    let last = min(all.count, line + Self.contextMax)
    firstLine = first
    self.line = line
    lines = all[(first - 1)..<last].map { String(decoding: $0, as: UTF8.self) }
  }
}

/// Why an action wasn't carried out.
///
/// Nothing has changed then.
public enum DispatchError: Error, Sendable, Equatable {
  /// The type isn't one.
  case malformedType(String)
  /// Nobody knows the type; `nearest` may be meant.
  case unknownType(String, nearest: String?)
  /// The payload isn't what the action's module declared.
  case invalidPayload(type: String, problems: [PayloadProblem], declared: PayloadSchema)
  /// A reducer or middleware failed.
  case fault(Fault)
  /// The module had too many faults in a row; a reload or ``Host/resume(_:)`` lets it work again.
  case suspended(ModuleName)
  /// More actions wait than may.
  case queueFull(max: Int)
  /// Those that wait and this one have more bytes together than may be.
  case queueTooLarge(maxBytes: Int)
  /// One action has led to more others than may be.
  case tooManyFollowing(max: Int)
  /// What one action has led to has taken longer than it may.
  case followingTooLong(max: Duration)
  /// Module mappers have made too many actions of one: the chain, which ends with one more.
  case mappedTooOften(chain: [String], max: Int)
  /// One action has led to too much navigation: the end of the chain.
  case navigatedTooOften(chain: [String], max: Int)
  /// A view wanted it, which only shows.
  case fromView
  /// A URL couldn't be routed.
  case routing(RoutingError)
  /// The navigation can't be changed so.
  case navigation(NavigationProblem)
  /// A person stopped it before it ran.
  case interrupted
  /// The session is closed.
  case noSession
}
