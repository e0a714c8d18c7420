package import MoonActions
public import MoonModules
package import MoonValues

extension SessionContext {
  /// Appends a typed action to the session's queue.
  ///
  /// - Throws: ``DispatchError`` if the action can't be encoded or accepted.
  public func dispatch(_ action: some TypedAction) throws(DispatchError) {
    try dispatch(try action.dispatched())
  }

  /// Appends several typed actions to the session's queue, to be carried out as one.
  ///
  /// Either all are committed together, and observers are called once, or none is carried out. An
  /// empty list has no effect.
  ///
  /// - Throws: ``DispatchError`` if an action can't be encoded or accepted. None is queued then.
  public func dispatch(_ actions: [any TypedAction]) throws(DispatchError) {
    try dispatch(try actions.dispatched())
  }

  /// Returns the part of the state at a path, such as `counter.count`, as a type.
  ///
  /// - Throws: ``PathError``, and ``ValueCodingError`` if there is nothing or something else.
  public func value<T: Decodable>(at path: String, as type: T.Type = T.self) throws -> T {
    let path = try Path(parsing: path)
    return try ValueDecoder().decode(type, from: value(of: StateSelection(path)), at: path)
  }
}

extension EffectContext {
  /// Appends a typed action to the session's queue, with the effect as its cause.
  ///
  /// - Throws: ``DispatchError`` if the action can't be encoded or accepted.
  public func dispatch(_ action: some TypedAction) async throws {
    try await dispatch(try action.dispatched())
  }

  /// Appends several typed actions to the session's queue, to be carried out as one, with the
  /// effect as their cause.
  ///
  /// - Throws: ``DispatchError`` if an action can't be encoded or accepted. None is queued then.
  public func dispatch(_ actions: [any TypedAction]) async throws {
    try await dispatch(try actions.dispatched())
  }

  /// Returns the feature's state.
  ///
  /// - Throws: ``ValueCodingError`` if the slice isn't one.
  public func state<State: FeatureState>(as type: State.Type = State.self) async throws -> State {
    try ValueDecoder().decode(type, from: try await slice)
  }

  /// Returns the part of the state at a path, such as `counter.count`, as a type.
  ///
  /// - Throws: ``PathError``, and ``ValueCodingError`` if there is nothing or something else.
  public func value<T: Decodable>(
    at path: String, as type: T.Type = T.self
  ) async throws -> T {
    let path = try Path(parsing: path)
    return try ValueDecoder().decode(type, from: try await state.value(at: path), at: path)
  }
}

extension TypedAction {
  /// Returns the action that is dispatched.
  ///
  /// - Throws: ``DispatchError/unencodable(type:reason:)``.
  package func dispatched() throws(DispatchError) -> Action {
    do throws(ValueCodingError) {
      return try Action(self)
    } catch {
      throw .unencodable(type: Self.type.string, reason: error.description)
    }
  }
}

extension [any TypedAction] {
  /// Returns the actions.
  ///
  /// - Throws: ``ValueCodingError``.
  func encoded() throws(ValueCodingError) -> [Action] {
    try map { action throws(ValueCodingError) in try Action(action) }
  }

  /// Returns the actions that are dispatched.
  ///
  /// - Throws: ``DispatchError/unencodable(type:reason:)``.
  package func dispatched() throws(DispatchError) -> [Action] {
    try map { action throws(DispatchError) in try action.dispatched() }
  }
}

extension ValueDecoder {
  /// Decodes the value at a path, which is a part of the error.
  ///
  /// - Throws: ``ValueCodingError``.
  package func decode<T: Decodable>(
    _ type: T.Type, from value: Value?, at path: Path
  ) throws(ValueCodingError) -> T {
    if let optional = type as? any OptionalCoding.Type, value == nil,
      let nothing = optional.nothing as? T
    {
      return nothing
    }
    guard let value else { throw .missing(path, expected: PlainCoding.phrase(of: type)) }
    do {
      return try decode(type, from: value)
    } catch {
      throw error.below(path)
    }
  }
}
