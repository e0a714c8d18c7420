import MoonActions
public import MoonModules
public import MoonNavigation
import MoonRouting
public import MoonValues

// Registrations that take the feature's state as its Swift type.

extension Observer {
  /// Makes an observer of a part of the feature's state: `Observer(\State.celsius) { new, old,
  /// context in … }`.
  ///
  /// Its function gets the part after and before a change.
  public init<State: FeatureState, Part: Equatable>(
    _ part: KeyPath<State, Part>, pace: Pace? = nil, place: SourcePlace? = nil,
    _ body: @escaping (_ new: Part, _ old: Part, _ context: SessionContext) throws -> Void
  ) {
    let cell = StateCell<State>()
    let read = { (slice: Value?) throws -> Part? in
      try slice.map { try cell.state(of: $0)[keyPath: part] }
    }
    self.init(
      of: StateSelection(Path()), unless: { try read($0) == read($1) }, pace: pace, place: place
    ) { new, old, context in
      guard let new = try read(new), let old = try read(old) else { return }
      try body(new, old, context)
    }
    typed = TypedParts(state: cell, isRelative: true)
  }
}

extension View {
  /// Makes a view of the feature's screens from its state.
  ///
  /// Without a kind, it draws the screens of routes that have none either.
  public init<State: FeatureState>(
    _ kind: Text? = nil, place: SourcePlace? = nil,
    @ElementsBuilder _ body: @escaping (_ state: State) throws -> ElementList
  ) {
    self.init(kind, place: place) { (_: Screen, state: State) in try body(state) }
  }

  /// Makes a view of the feature's screens from the screen and the feature's state.
  public init<State: FeatureState>(
    _ kind: Text? = nil, place: SourcePlace? = nil,
    @ElementsBuilder _ body: @escaping (_ screen: Screen, _ state: State) throws -> ElementList
  ) {
    let cell = StateCell<State>()
    self.init(kind ?? "", place: place) { screen, context in
      try body(screen, try cell.state(of: context.slice)).list()
    }
    typed = TypedParts(state: cell, isRelative: kind == nil)
  }
}

extension Route {
  /// Makes a route to a screen, from the feature's state.
  ///
  /// A pattern that can't be read is an error of the feature, and so is a parent that doesn't fit.
  public init<State: FeatureState>(
    _ pattern: Text, name: Text? = nil, priority: Int = 0, option: RoutingOption? = nil,
    kind: Text? = nil, parent: Text? = nil, place: SourcePlace? = nil,
    when condition: Condition? = nil,
    screen: @escaping (_ route: RouteResult, _ state: State) throws -> Screen?
  ) {
    let cell = StateCell<State>()
    self.init(
      pattern, name: name, priority: priority, option: option, kind: kind, parent: parent,
      place: place, when: condition
    ) { (route: RouteResult, context: SessionContext) in
      try screen(route, try cell.state(of: context.slice))
    }
    typed = TypedParts(state: cell, problem: typed?.problem)
  }

  /// Makes a route to a screen.
  public init(
    _ pattern: Text, name: Text? = nil, priority: Int = 0, option: RoutingOption? = nil,
    kind: Text? = nil, parent: Text? = nil, place: SourcePlace? = nil,
    when condition: Condition? = nil, screen: @escaping (_ route: RouteResult) throws -> Screen?
  ) {
    self.init(
      pattern, name: name, priority: priority, option: option, kind: kind, parent: parent,
      place: place, when: condition
    ) { (route: RouteResult, _: SessionContext) in try screen(route) }
  }

  /// Makes a route to a screen, whose provider may read the session and dispatch.
  public init(
    _ pattern: Text, name: Text? = nil, priority: Int = 0, option: RoutingOption? = nil,
    kind: Text? = nil, parent: Text? = nil, place: SourcePlace? = nil,
    when condition: Condition? = nil, screen: @escaping ScreenProvider
  ) {
    let read = ReadPattern(pattern, parent: parent)
    self.init(
      read.pattern, name: name, priority: priority, option: option, kind: kind,
      parent: read.parent, place: place, when: condition, screen: screen)
    typed = TypedParts(state: nil, problem: read.problem)
  }

  /// Makes a route to a handler.
  public init(
    _ pattern: Text, name: Text? = nil, priority: Int = 0, place: SourcePlace? = nil,
    when condition: Condition? = nil, handler: @escaping Handler
  ) {
    let read = ReadPattern(pattern, parent: nil)
    self.init(
      read.pattern, name: name, priority: priority, place: place, when: condition,
      handler: handler)
    typed = TypedParts(state: nil, problem: read.problem)
  }
}

/// The pattern of a route and of its parent; that of the root if it can't be read.
private struct ReadPattern {
  var pattern = RoutePattern.root
  var parent: ParentRoute?
  var problem: TypedProblem?

  init(_ text: Text, parent parentText: Text?) {
    do throws(RoutePatternError) {
      pattern = try RoutePattern(parsing: text)
    } catch {
      problem = .invalidPattern(text.string, reason: error.description)
      return
    }
    guard let parentText else { return }
    do throws(ParentError) {
      parent = try ParentRoute(parsing: parentText, of: pattern)
    } catch {
      problem = .invalidPattern(parentText.string, reason: error.description)
    }
  }
}

extension Presenter {
  /// Makes a presenter that enriches screens with the feature's state.
  public init<State: FeatureState>(
    pattern: Text? = nil, of screens: ScreenPattern? = nil, priority: Int = 0,
    place: SourcePlace? = nil,
    _ body: @escaping (_ screen: inout Screen, _ state: State) throws -> Void
  ) {
    let cell = StateCell<State>()
    self.init(pattern: pattern, of: screens, priority: priority, place: place) {
      screen, _, context in
      try body(&screen, try cell.state(of: context.slice))
    }
    typed = TypedParts(state: cell)
  }
}

extension Command {
  /// Makes a command whose payload and answer are Swift types.
  ///
  /// It runs outside the host as an effect does.
  public init<Payload: Decodable & Sendable, Answer: Encodable & Sendable>(
    _ name: String, description: String? = nil, place: SourcePlace? = nil,
    _ body:
      @escaping @Sendable (_ payload: Payload, _ context: EffectContext) async throws
      -> Answer
  ) {
    self.init(
      name, description: description, schema: PayloadSchema(of: Payload.self), place: place
    ) { (payload: Value, context: EffectContext) async throws -> Value in
      let given: Value = payload == .null ? .map(Map()) : payload
      let decoded = try ValueDecoder().decode(Payload.self, from: given)
      return try ValueEncoder().encode(try await body(decoded, context))
    }
  }
}
