public import MoonStore
public import MoonValues

/// What an action starts once it is committed: code that may wait, and dispatch.
public struct Effect: Registrable {
  /// Makes a run of the code for an action.
  package typealias Body = (_ action: Action, _ context: SessionContext) throws -> any EffectRun

  /// The actions that start it.
  public let pattern: ActionPattern
  /// What names it.
  public let registration: Registration
  package let body: Body

  /// Makes an effect of runs in any language.
  package init(
    _ pattern: ActionPattern, place: SourcePlace? = nil, runs body: @escaping Body
  ) {
    self.pattern = pattern
    registration = Registration(.effect, pattern.description, place: place)
    self.body = body
  }

  /// Makes an effect.
  ///
  /// The function runs beside the host, so nothing waits for it. It learns that it was cancelled as
  /// any function in Swift does; from then on all that the context offers throws
  /// `CancellationError`. An error that it throws is a fault of the module.
  public init(
    _ pattern: ActionPattern, place: SourcePlace? = nil,
    _ body: @escaping @Sendable (_ action: Action, _ context: EffectContext) async throws -> Void
  ) {
    self.init(pattern, place: place) { action, context in
      SwiftRun { try await body(action, $0) }
    }
  }
}
