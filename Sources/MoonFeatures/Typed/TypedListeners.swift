public import MoonActions
public import MoonModules
public import MoonValues

// Registrations that take actions as Swift types. An action whose payload doesn't decode is a fault
// of the module; one that is none of the cases of an enumeration is passed over.

extension ActionForm {
  /// The actions, and whether they can be listened to.
  func parts(state: AnyObject? = nil) -> TypedParts {
    TypedParts(
      actions: actions, state: state,
      problem: pattern == nil ? TypedProblem.invalidType(type.string) : nil)
  }

  /// The actions to listen to.
  var listened: ActionPattern { pattern ?? .exact(type) }
}

extension Reducer {
  /// Makes a reducer of a feature's state for actions of a type.
  public init<State: FeatureState, A: TypedAction>(
    place: SourcePlace? = nil, _ body: @escaping (_ state: inout State, _ action: A) throws -> Void
  ) {
    self.init(place: place) { (state: inout State, action: A, _: Action.Meta) in
      try body(&state, action)
    }
  }

  /// Makes a reducer of a feature's state for actions of a type, which also gets the host's notes
  /// on the action, such as its time.
  public init<State: FeatureState, A: TypedAction>(
    place: SourcePlace? = nil,
    _ body: @escaping (_ state: inout State, _ action: A, _ meta: Action.Meta) throws -> Void
  ) {
    let (form, cell) = (ActionForm.of(A.self), StateCell<State>())
    self.init(form.listened, place: place) { slice, action in
      guard let typed = try form.value(A.self, of: action) else { return }
      var state = try cell.state(of: slice)
      try body(&state, typed, action.meta)
      slice = try cell.slice(of: state, since: slice)
    }
    typed = form.parts(state: cell)
  }

  /// Makes a reducer of a feature's state for actions whose payloads don't matter.
  public init<State: FeatureState>(
    _ pattern: ActionPattern, place: SourcePlace? = nil,
    _ body: @escaping (_ state: inout State) throws -> Void
  ) {
    let cell = StateCell<State>()
    self.init(pattern, place: place) { slice, _ in
      var state = try cell.state(of: slice)
      try body(&state)
      slice = try cell.slice(of: state, since: slice)
    }
    typed = TypedParts(state: cell)
  }
}

extension Effect {
  /// Makes an effect for actions of a type.
  ///
  /// It runs outside the host as other effects in Swift do.
  public init<A: TypedAction>(
    policy: EffectPolicy = .every, pace: Pace? = nil, place: SourcePlace? = nil,
    _ body: @escaping @Sendable (_ action: A, _ context: EffectContext) async throws -> Void
  ) {
    let form = ActionForm.of(A.self)
    self.init(form.listened, policy: policy, pace: pace, place: place) { action, context in
      guard let typed = try form.value(A.self, of: action) else { return }
      try await body(typed, context)
    }
    typed = form.parts()
  }
}

extension Middleware {
  /// Makes a middleware for actions of a type.
  public init<A: TypedAction>(
    priority: Priority = .medium, place: SourcePlace? = nil,
    _ body: @escaping (_ action: A, _ context: SessionContext) throws -> Verdict
  ) {
    let form = ActionForm.of(A.self)
    self.init(form.listened, priority: priority, place: place) { action, _, context in
      guard let typed = try form.value(A.self, of: action) else { return .pass }
      return try body(typed, context)
    }
    typed = form.parts()
  }
}

extension Middleware.Verdict {
  /// These actions continue in its place.
  ///
  /// - Throws: ``ValueCodingError`` if a payload can't be encoded.
  public static func replace(
    _ actions: [any TypedAction]
  ) throws(ValueCodingError) -> Middleware.Verdict {
    .replace(try actions.encoded())
  }
}

extension AfterReduce {
  /// Makes a middleware that is called after actions of a type are committed, and returns actions
  /// to dispatch.
  public init<A: TypedAction>(
    priority: Middleware.Priority = .medium, place: SourcePlace? = nil,
    _ body: @escaping (_ action: A, _ context: SessionContext) throws -> [Action]
  ) {
    let form = ActionForm.of(A.self)
    self.init(form.listened, priority: priority, place: place) { action, _, _, context in
      guard let typed = try form.value(A.self, of: action) else { return [] }
      return try body(typed, context)
    }
    typed = form.parts()
  }

  /// Makes a middleware that is called after actions of a type are committed, and returns typed
  /// actions to dispatch.
  public init<A: TypedAction>(
    priority: Middleware.Priority = .medium, place: SourcePlace? = nil,
    _ body: @escaping (_ action: A, _ context: SessionContext) throws -> [any TypedAction]
  ) {
    self.init(priority: priority, place: place) { (action: A, context) throws -> [Action] in
      try body(action, context).encoded()
    }
  }
}

extension ModuleMapper {
  /// Makes a mapper for actions of a type, which starts and stops modules, or replaces the action.
  public init<A: TypedAction>(
    place: SourcePlace? = nil,
    _ body: @escaping (_ action: A, _ context: SessionContext) throws -> [ModuleMapping]
  ) {
    let form = ActionForm.of(A.self)
    self.init(form.listened, place: place) { action, context in
      guard let typed = try form.value(A.self, of: action) else { return [] }
      return try body(typed, context)
    }
    typed = form.parts()
  }
}

extension NavigationMapper {
  /// Makes a mapper that navigates when an action of a type is reduced; nil stays where it is.
  public init<A: TypedAction>(
    place: SourcePlace? = nil, _ body: @escaping (_ action: A) throws -> Action?
  ) {
    let form = ActionForm.of(A.self)
    self.init(form.listened, place: place) { action, _ in
      guard let typed = try form.value(A.self, of: action) else { return [] }
      return [try body(typed)].compactMap(\.self)
    }
    typed = form.parts()
  }
}
