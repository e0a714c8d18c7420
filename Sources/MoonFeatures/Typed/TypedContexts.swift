import MoonActions
public import MoonModules
package import MoonValues

extension SessionContext {
  /// Appends an action to the session's queue.
  ///
  /// - Throws: ``DispatchError`` if the action can't be accepted, and ``ValueCodingError`` if its
  ///   payload can't be encoded.
  public func dispatch(_ action: some TypedAction) throws { try dispatch(try Action(action)) }

  /// Returns the part of the state at a path, such as `counter.count`, as a type.
  ///
  /// - Throws: ``PathError``, and ``ValueCodingError`` if there is nothing or something else.
  public func value<T: Decodable>(at path: String, as type: T.Type = T.self) throws -> T {
    let path = try Path(parsing: path)
    return try ValueDecoder().decode(type, from: value(of: StateSelection(path)), at: path)
  }
}

extension EffectContext {
  /// Appends an action to the session's queue, with the effect as its cause.
  ///
  /// - Throws: ``DispatchError`` if the action can't be accepted, and ``ValueCodingError`` if its
  ///   payload can't be encoded.
  public func dispatch(_ action: some TypedAction) async throws {
    try await dispatch(try Action(action))
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
