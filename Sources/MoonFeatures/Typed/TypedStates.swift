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
    self.init(kind, place: place) { (state: State, _: Screen) in try body(state) }
  }

  /// Makes a view of the feature's screens from its state and the screen.
  public init<State: FeatureState>(
    _ kind: Text? = nil, place: SourcePlace? = nil,
    @ElementsBuilder _ body: @escaping (_ state: State, _ screen: Screen) throws -> ElementList
  ) {
    let cell = StateCell<State>()
    self.init(kind ?? "", place: place) { screen, context in
      try body(try cell.state(of: context.slice), screen).list()
    }
    typed = TypedParts(state: cell, isRelative: kind == nil)
  }
}

extension Route {
  /// Makes a route to a screen, from the feature's state.
  ///
  /// A pattern that can't be read is an error of the feature.
  public init<State: FeatureState>(
    _ pattern: Text, name: Text? = nil, priority: Int = 0, option: RoutingOption? = nil,
    kind: Text? = nil, place: SourcePlace? = nil,
    screen: @escaping (_ route: RouteResult, _ state: State) throws -> Screen?
  ) {
    let cell = StateCell<State>()
    self.init(pattern, state: cell) { pattern in
      Route(
        pattern, name: name, priority: priority, option: option, kind: kind, place: place
      ) { route, context in
        try screen(route, try cell.state(of: context.slice))
      }
    }
  }

  /// Makes a route to a screen.
  public init(
    _ pattern: Text, name: Text? = nil, priority: Int = 0, option: RoutingOption? = nil,
    kind: Text? = nil, place: SourcePlace? = nil,
    screen: @escaping (_ route: RouteResult) throws -> Screen?
  ) {
    self.init(pattern, state: nil) { pattern in
      Route(
        pattern, name: name, priority: priority, option: option, kind: kind, place: place
      ) { route, _ in try screen(route) }
    }
  }

  /// Makes a route to a handler.
  public init(
    _ pattern: Text, priority: Int = 0, place: SourcePlace? = nil,
    handler: @escaping Handler
  ) {
    self.init(pattern, state: nil) { pattern in
      Route(pattern, priority: priority, place: place, handler: handler)
    }
  }

  private init(_ text: Text, state: AnyObject?, _ make: (RoutePattern) -> Route) {
    do throws(RoutePatternError) {
      self = make(try RoutePattern(parsing: text))
      typed = TypedParts(state: state)
    } catch {
      self = make(.root)
      typed = TypedParts(
        state: state, problem: TypedProblem.invalidPattern(text.string, error))
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
