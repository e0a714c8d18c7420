public import MoonFiles
public import MoonRouting
public import MoonSession
public import MoonValues

/// One thing that is wrong with a module's files.
public struct ModuleProblem: Error, Sendable, Equatable {
  /// What is wrong.
  public enum Reason: Sendable, Equatable {
    /// A name that can't be a module's.
    case invalidName(String)
    /// Several files claim the same name; with no others, a module in Swift has it.
    case nameTaken(others: [String])
    /// The file couldn't be read.
    case unreadable(FilesError)
    /// The file was left out of the listing.
    case skipped(ScriptDirectory.Problem.Reason)
    /// Running the file failed.
    case fault(Fault)
    /// The file returned something else than a table of registrations.
    case returned(String)
    /// A key that had this name in earlier versions; `to` is what it is called now.
    case renamedKey(String, to: String)
    /// A key that no module has; `nearest` may be meant.
    case unknownKey(String, nearest: String?)
    /// A key holds something else than it should; `found` says what.
    case wrongKind(key: String, expected: String, found: String)
    /// A name that can't be the type of an action, or a pattern.
    case invalidPattern(key: String, text: String)
    /// A type of a payload's field that doesn't exist.
    case invalidFieldType(key: String, text: String)
    /// A selector that isn't a path.
    case invalidPath(key: String, text: String)
    /// A pattern that no URL can be found by.
    case invalidRoute(text: String, RoutePatternError)
    /// A key holds more than a module may register of its kind.
    case tooMany(key: String, count: Int, max: Int)
    /// The patterns of its routes stand for more than one module may have, groups counted out.
    case tooManyRoutes
    /// What can't be kept in the state.
    case unstorable(path: String, what: String)
  }

  /// The module; nil if the file has no name that one could have.
  public let module: ModuleName?
  /// The file, and the line if one is known.
  public let place: SourcePlace
  /// What is wrong.
  public let reason: Reason
}

extension ModuleProblem {
  /// Whether it is about the names of files and not about what is in them.
  var isAboutListing: Bool {
    switch reason {
    case .invalidName, .nameTaken, .skipped: true
    default: false
    }
  }
}

/// All that is wrong with one load of a module, at least one thing.
struct LoadFailure: Error {
  let problems: [ModuleProblem]
}
