import MoonActions
package import MoonFiles
package import MoonModules
package import MoonRouting
public import MoonServiceKit
package import MoonSession
public import MoonValues

/// A problem with the files of a module.
public struct ModuleProblem: Error, Sendable, Equatable {
  /// The problem.
  package enum Reason: Sendable, Equatable {
    /// The file's name can't be the name of a module.
    case invalidName(String)
    /// The module declares an action that the host announces.
    case announcedAction(String)
    /// Several files have the same module name. If `others` is empty, a module in Swift has the
    /// name.
    case nameTaken(others: [String])
    /// The file couldn't be read.
    case unreadable(FilesError)
    /// The file's text is in an encoding of this name.
    case encoding(String)
    /// The file was left out of the listing.
    case skipped(ScriptDirectory.Problem.Reason)
    /// Running the file failed.
    case fault(Fault)
    /// The file returned something other than a table of registrations.
    case returned(String)
    /// The table has a key that was renamed to `to`.
    case renamedKey(String, to: String)
    /// The table has an unknown key; `nearest` is the most similar known one.
    case unknownKey(String, nearest: String?)
    /// A key holds `found` instead of `expected`.
    case wrongKind(key: String, expected: String, found: String)
    /// The text is neither an action's type nor a pattern of types.
    case invalidPattern(key: String, text: String)
    /// A field of a payload is declared with an unknown type.
    case invalidFieldType(key: String, text: String)
    /// The text isn't a path into the state.
    case invalidPath(key: String, text: String)
    /// The text isn't a path to a part of the module's slice.
    case invalidRedaction(String)
    /// The text doesn't name a slot of a module's screens.
    case invalidSlot(String)
    /// A key holds an invalid routing option.
    case invalidOption(key: String, RoutingOptionError)
    /// A pattern can't be the parent of its route.
    case invalidParent(key: String, text: String, ParentError)
    /// The text under a key names no screens.
    case invalidScreens(key: String, text: String)
    /// The text isn't a key, for a reason.
    case invalidKey(key: String, text: String, because: String)
    /// The text isn't a pattern of URLs.
    case invalidRoute(text: String, RoutePatternError)
    /// The text isn't a scope.
    case invalidScope(text: String, ScopeError)
    /// The module requests a permission that it isn't granted, with what it says that it is for.
    case notGranted(Scope, Grants.Answer, because: String? = nil)
    /// A setting is missing or wrong.
    case refusedSetting(SettingError)
    /// The key requires a permission of this kind, and the module requests none.
    case nothingNeeded(key: String, kind: Scope.Kind)
    /// Actions can't be derived from the state.
    case notDerived(Derivation.Kind, DerivationError)
    /// A key holds more than a module may register of its kind.
    case tooMany(key: String, count: Int, max: Int)
    /// The module has too many patterns, counting each combination of their optional groups.
    case tooManyRoutes
    /// The maximum number of the module's slices is already put aside.
    case tooManyKeptSlices
    /// The module's present slice doesn't have the shape that its new code declares.
    case misshapenSlice(SliceRefusal)
    /// The value at a path can't be kept in the state.
    case unstorable(path: String, what: String)
    /// The module's `state` can't be its slice.
    case refusedState(SliceRefusal)
    /// An observer of modules keeps the module out of service.
    case keptOut(ObserverRefusal)
  }

  /// The module; nil if the file's name can't be the name of one.
  public let module: ModuleName?
  /// The file, and the line if it is known.
  public let place: SourcePlace
  /// The problem.
  package let reason: Reason

  /// All that the files request, with the first problem of a module that isn't granted something;
  /// nil with others.
  package var requested: RequestedScopes?

  package init(module: ModuleName?, place: SourcePlace, reason: Reason) {
    self.module = module
    self.place = place
    self.reason = reason
  }
}

extension ModuleProblem: CustomStringConvertible {
  /// One sentence: the place, the problem, and the details.
  public var description: String {
    "\(place): " + [headline, detail].compactMap(\.self).joined(separator: ": ")
  }

  /// The problem, without its place and details.
  package var headline: String {
    switch reason {
    case .fault(let fault):
      if case .raised = fault.reason, fault.registration.kind == .load {
        "\(subject) can't be loaded"
      } else {
        fault.headline
      }
    case .invalidName(let name): "'\(name)' can't be a module's name"
    case .announcedAction(let type): "\(subject) can't have the action \(type)"
    case .nameTaken(let others):
      others.isEmpty
        ? "\(subject) is the name of a module in Swift" : "\(subject) is there more than once"
    case .unreadable: "\(subject) can't be read"
    case .encoding(let name): "the file of \(subject) is \(name), and must be UTF-8"
    case .skipped: "\(place.file) can't be used"
    case .returned(let found): "\(subject) returns \(found), not a table of registrations"
    case .renamedKey(let key, let current): "'\(key)' of \(subject) is called '\(current)' now"
    case .unknownKey(let key, _): "\(subject) has a key that nothing knows: \(key)"
    case .wrongKind(let key, let expected, let found):
      "\(key) of \(subject) is \(found), and must be \(expected)"
    case .invalidPattern(let key, let text):
      "'\(text)' in \(key) of \(subject) can't be an action"
    case .invalidFieldType(let key, let text):
      "'\(text)' at \(key) of \(subject) is no type of a field"
    case .invalidPath(let key, let text):
      "'\(text)' in \(key) of \(subject) is no path into the state"
    case .invalidRedaction(let text): "'\(text)' in redact of \(subject) names no part of its slice"
    case .invalidSlot(let text): "'\(text)' in extends of \(subject) names no slot"
    case .invalidScreens(let key, let text):
      "'\(text)' at \(key) of \(subject) names no screens"
    case .invalidOption(let key, let error): "\(key) of \(subject) can't be used: \(error)"
    case .invalidParent(let key, let text, let error):
      "'\(text)' at \(key) of \(subject) can't be a parent: \(error)"
    case .invalidKey(let key, let text, _): "'\(text)' in \(key) of \(subject) is no key"
    case .invalidRoute(let text, let error):
      "'\(text)' of \(subject) can't be a pattern for URLs: \(error)"
    case .invalidScope(let text, let error):
      "'\(text)' in needs of \(subject) is no scope: \(error)"
    case .notGranted(let scope, .denied(let rule), _):
      "\(subject) needs \(scope), which \(rule) denies"
    case .notGranted(let scope, _, let reason):
      "\(subject) needs \(scope)\(reason.map { " \($0)" } ?? ""), which isn't granted"
    case .refusedSetting(let error): "a setting of \(subject) can't be used: \(error)"
    case .nothingNeeded(let key, let kind):
      "\(key) of \(subject) takes scopes of the kind \(kind.rawValue), and its `needs` has none"
    case .notDerived(let kind, let error):
      "derive can't make \(kind.rawValue) actions of \(subject): \(error)"
    case .tooMany(let key, let count, _):
      "\(key) of \(subject) has \(Wording.counted(count, "entry"))"
    case .tooManyRoutes: "\(subject) has too many patterns for URLs, or too long ones"
    case .tooManyKeptSlices:
      "too many slices of \(subject) are put aside to put away another one"
    case .misshapenSlice(let refusal): "\(subject) can't go on with its state: \(refusal)"
    case .unstorable(let path, let what):
      "\(path) of \(subject): \(what) can't be kept in the state"
    case .refusedState(let refusal): "the state of \(subject) can't be used: \(refusal)"
    case .keptOut: "\(subject) is kept out of service"
    }
  }

  /// The details, if there are any.
  package var detail: String? {
    switch reason {
    case .fault(let fault): fault.detail
    case .nameTaken(let others): others.isEmpty ? nil : "also in \(Wording.list(others))"
    case .unreadable(let error): "\(error)"
    case .skipped(let reason): "\(reason)"
    case .unknownKey(_, let nearest): nearest.map { "did you mean \($0)?" }
    case .keptOut(let refusal): "\(refusal)"
    case .invalidKey(_, _, let reason): reason
    case .tooMany(_, _, let max): "a module may have \(max) there"
    case .invalidName, .announcedAction, .encoding, .returned, .renamedKey, .wrongKind,
      .invalidPattern,
      .invalidFieldType, .invalidPath, .invalidRedaction, .invalidSlot, .invalidScreens,
      .invalidOption,
      .invalidParent, .invalidRoute,
      .invalidScope, .notDerived, .notGranted, .refusedSetting, .nothingNeeded, .tooManyRoutes,
      .tooManyKeptSlices, .misshapenSlice, .unstorable,
      .refusedState:
      nil
    }
  }

  private var subject: String { module.map { "module \($0)" } ?? "the file" }
}

extension ModuleProblem {
  /// Whether the problem is with the names of files and not with their contents.
  package var isAboutListing: Bool {
    switch reason {
    case .invalidName, .nameTaken, .skipped: true
    default: false
    }
  }
}

extension ModuleProblem {
  /// Dispatches `host/failed` in a session.
  package static func announce(
    _ problems: [ModuleProblem], of module: ModuleName?, to session: Session
  ) {
    session.announce("host/failed", .map(payload(module, problems)))
  }

  private static func payload(_ module: ModuleName?, _ problems: [ModuleProblem]) -> Map {
    var payload = Map()
    payload["module"] = module.map { .string(Text($0.text)) }
    payload["file"] = problems.first.map { .string(Text($0.place.file)) }
    payload["line"] = problems.first.map { .int(Int64($0.place.line)) }
    return payload
  }
}

/// The problems of one load of a module; there is at least one.
package struct LoadFailure: Error {
  package let problems: [ModuleProblem]

  package init(problems: [ModuleProblem]) {
    self.problems = problems
  }
}
