public import MoonRouting
public import MoonStore
public import MoonValues

/// Where a registration came from.
public struct Registration: Sendable, Hashable {
  /// What it is.
  public let kind: RegistrationKind
  /// What tells it from others of its kind: the pattern of a reducer, the path of an observer.
  public let name: String
  /// Where it was written; nil for Swift.
  public let place: SourcePlace?

  /// Names a registration.
  public init(_ kind: RegistrationKind, _ name: String, place: SourcePlace? = nil) {
    self.kind = kind
    self.name = name
    self.place = place
  }
}

/// An action that a module has of its own.
public struct ActionDeclaration: Sendable, Equatable {
  /// Its type without the module's name: `add`.
  public let name: String
  /// What it does, in a sentence.
  public let description: String?
  /// What its payload must look like; nil for anything.
  public let schema: PayloadSchema?

  /// Declares an action.
  public init(_ name: String, description: String? = nil, schema: PayloadSchema? = nil) {
    self.name = name
    self.description = description
    self.schema = schema
  }
}

/// A function of state and action that changes the state.
public struct Reducer {
  /// Changes the slice where it lies; what it throws leaves the whole state as it was.
  public typealias Body = (_ state: inout Value, _ action: Action) throws -> Void

  /// The actions it listens to.
  public let pattern: ActionPattern
  let registration: Registration
  let body: Body

  /// Makes a reducer.
  ///
  /// It must be pure: the same state and action give the same, on any machine.
  public init(_ pattern: ActionPattern, _ body: @escaping Body) {
    self.init(pattern, place: nil, body)
  }

  init(_ pattern: ActionPattern, place: SourcePlace?, _ body: @escaping Body) {
    self.pattern = pattern
    registration = Registration(.reducer, pattern.description, place: place)
    self.body = body
  }
}

/// A function that sees each action before it is reduced and decides what becomes of it.
public struct Middleware {
  /// Who comes first.
  public enum Priority: String, Sendable, CaseIterable, Comparable {
    case high, medium, low

    /// High before medium before low.
    public static func < (left: Self, right: Self) -> Bool { left.rank < right.rank }

    private var rank: Int {
      switch self {
      case .high: 0
      case .medium: 1
      case .low: 2
      }
    }
  }

  /// What becomes of an action.
  public enum Verdict: Sendable, Equatable {
    /// It goes on as it is.
    case pass
    /// It goes no further.
    case drop
    /// These go on in its place, to the middleware behind this one.
    case replace([Action])
  }

  /// Gets the action and the whole state before it.
  public typealias Body = (_ action: Action, _ state: Value) throws -> Verdict

  /// Its place in the row.
  public let priority: Priority
  /// The actions it sees.
  public let pattern: ActionPattern
  let registration: Registration
  let body: Body

  /// Makes a middleware.
  public init(
    _ pattern: ActionPattern = .all, priority: Priority = .medium, _ body: @escaping Body
  ) {
    self.init(pattern, priority: priority, place: nil, body)
  }

  init(
    _ pattern: ActionPattern, priority: Priority, place: SourcePlace?, _ body: @escaping Body
  ) {
    self.pattern = pattern
    self.priority = priority
    registration = Registration(.middleware, pattern.description, place: place)
    self.body = body
  }
}

/// A function that is told when a part of the state has changed.
public struct Observer {
  /// Gets the part as it is and as it was, nil where it isn't there, and the session.
  public typealias Body = (_ new: Value?, _ old: Value?, _ context: SessionContext) throws -> Void

  /// The part: a path from the root of the state, such as `counter.count`; empty for all of it.
  public let path: Path
  let registration: Registration
  let body: Body

  /// Makes an observer.
  public init(_ path: Path, _ body: @escaping Body) {
    self.init(path, place: nil, body)
  }

  init(_ path: Path, place: SourcePlace?, _ body: @escaping Body) {
    self.path = path
    registration = Registration(.observer, path.description, place: place)
    self.body = body
  }

  /// The slice that the path leads into; nil if it is the whole state.
  var slice: Text? {
    if case .key(let name) = path.components.first { name } else { nil }
  }
}

/// A function that runs when a module starts or stops in a session.
public struct Hook {
  /// Gets the session.
  public typealias Body = (_ context: SessionContext) throws -> Void

  private let place: SourcePlace?
  let body: Body

  /// Makes a hook.
  public init(_ body: @escaping Body) {
    self.init(place: nil, body)
  }

  init(place: SourcePlace?, _ body: @escaping Body) {
    self.place = place
    self.body = body
  }

  func registration(as kind: RegistrationKind) -> Registration {
    Registration(kind, kind.rawValue, place: place)
  }
}

/// What a registration can do in the session that runs it; good during the call that got it.
///
/// The same as `self` in Lua.
public struct SessionContext {
  let session: Session
  let module: ModuleName
  let kind: RegistrationKind

  /// The whole state as it is.
  public var state: Value { session.stateValue }

  /// The module's own slice, an empty map if it has none.
  public var slice: Value {
    session.state[.string(Text(module.text))] ?? .map(Map())
  }

  /// Puts an action at the end of the session's queue.
  ///
  /// - Throws: ``DispatchError`` if it can't be taken.
  public func dispatch(_ action: Action) throws(DispatchError) {
    guard kind != .view else { throw .fromView }
    try session.enqueue(action, cause: .module(module.text, kind))
  }

  /// Has a URL routed when what is under way is done.
  ///
  /// That fails later, if it does, and is in the outcome of what is under way.
  ///
  /// - Throws: ``DispatchError`` if it can't be queued.
  public func route(
    _ url: Text, passing parameters: Map = Map(), option: RoutingOption? = nil
  ) throws(DispatchError) {
    try dispatch(.route(url, passing: parameters, option: option))
  }

  /// Whether a pattern takes a URL; what it leads to may decline all the same.
  ///
  /// False for what isn't a URL, too.
  public func canRoute(_ url: Text) -> Bool {
    session.modules.registry.router.firstRoute(taking: url) != nil
  }

  /// The URL of the route with a name.
  ///
  /// - Throws: ``RouteURLError``.
  public func url(for name: Text, _ parameters: Map = Map()) throws(RouteURLError) -> Text {
    try session.modules.registry.router.url(for: name, parameters)
  }
}
