public import MoonActions
public import MoonValues

/// Requests whose stages become actions.
extension Effect {
  /// Makes an effect that makes a request, with an action for each of its stages.
  ///
  /// It is the counterpart of the key `api` in Lua; see
  /// ``EffectContext/handle(loading:success:failure:request:)`` for the actions.
  public init<Answer: Sendable>(
    requesting pattern: ActionPattern, policy: EffectPolicy = .every, pace: Pace? = nil,
    place: SourcePlace? = nil, loading: Action? = nil,
    success: @escaping @Sendable (Answer) throws -> Action,
    failure: @escaping @Sendable (any Error) -> Action,
    request: @escaping @Sendable (_ action: Action, _ context: EffectContext) async throws -> Answer
  ) {
    self.init(
      pattern, kind: .apiRequest, policy: policy, pace: pace, place: place
    ) { action, _ in
      SwiftRun { context in
        try await context.handle(loading: loading, success: success, failure: failure) {
          try await request(action, context)
        }
        return nil
      }
    }
  }
}

extension EffectContext {
  /// Makes a request: dispatches `loading`, then exactly one of what `success` makes of the answer
  /// and what `failure` makes of the error.
  ///
  /// An error of `success` counts as one of the request. While the action `api/disable` has
  /// switched requests off, the request isn't made, and the error says so.
  /// Nothing is dispatched once the task is cancelled.
  ///
  /// - Returns: Whether the request has succeeded.
  /// - Throws: ``DispatchError`` if an action can't be accepted.
  @discardableResult
  public func handle<Answer>(
    loading: Action? = nil, success: (Answer) throws -> Action,
    failure: (any Error) -> Action, request: () async throws -> Answer
  ) async throws -> Bool {
    let action: Action
    let refusal = try await requestRefusal
    do {
      if let refusal { throw refusal }
      if let loading { try await dispatch(loading) }
      action = try success(try await request())
    } catch let error as CancellationError {
      throw error
    } catch {
      try await dispatch(failure(error))
      return false
    }
    try await dispatch(action)
    return true
  }
}
