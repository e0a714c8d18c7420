public import MoonStore
public import MoonValues

/// What an effect in Swift can do in the session that runs it; good until the effect ends.
///
/// Everything throws `CancellationError` once the task is cancelled: by its module's leaving, by a
/// person, or with its session.
public struct EffectContext: Sendable {
  private let place: TaskPlace
  /// The task that runs the effect.
  public var task: TaskID { place.task }

  init(_ place: TaskPlace) { self.place = place }

  /// The whole state as it is now.
  public var state: Value {
    get async throws { try await perform { $0.stateValue } }
  }

  /// The module's own slice as it is now, an empty map if it has none.
  public var slice: Value {
    get async throws {
      try await perform { [module = place.module] in $0.slice(of: module) ?? .map(Map()) }
    }
  }

  /// Puts an action at the end of the session's queue; its cause is the effect.
  ///
  /// - Throws: ``DispatchError`` if it can't be taken.
  public func dispatch(_ action: Action) async throws {
    try await perform { [task] in try $0.dispatch(action, for: task) }
  }

  /// Has a URL routed.
  ///
  /// - Throws: ``DispatchError`` if it can't be queued.
  public func route(
    _ url: Text, passing parameters: Map = Map(), option: RoutingOption? = nil
  ) async throws {
    try await dispatch(.route(url, passing: parameters, option: option))
  }

  /// Waits for a time.
  public func sleep(for time: Duration) async throws {
    _ = try await wait(for: .sleep(max(time, .zero)))
  }

  /// Waits for the next action of a type or a family, and returns it as
  /// `{type, payload, meta = {…}}`.
  public func take(_ pattern: ActionPattern) async throws -> Value {
    try await wait(for: .action(pattern)) ?? .null
  }

  /// Waits until a part of the state is as it should be, and returns it; nil if it isn't there.
  ///
  /// The function is called for the part as it is, then after each change of it.
  public func when(
    _ path: Path, _ isRight: @escaping @Sendable (Value?) -> Bool
  ) async throws -> Value? {
    while true {
      let part = try await state.value(at: path)
      if isRight(part) { return part }
      _ = try await wait(for: .change(path), unlessChangedFrom: part)
    }
  }

  // MARK: The way to the host

  /// Does something on the host.
  private func perform<Result: Sendable>(
    _ body: @escaping @Sendable (any EffectHost) throws -> Result
  ) async throws -> Result {
    try await withCheckedThrowingContinuation { continuation in
      place.door.enter(place.session) { [task] host in
        guard let host, host.runs(task) else {
          return continuation.resume(throwing: CancellationError())
        }
        continuation.resume(with: Swift.Result { try body(host) })
      }
    }
  }

  private func wait(
    for wait: Wait, unlessChangedFrom part: Value?? = .none
  ) async throws -> Value? {
    let ticket = SwiftWait.Ticket()
    return try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        place.door.enter(place.session) { [task] host in
          guard let host, host.runs(task), !ticket.isCancelled else {
            return continuation.resume(throwing: CancellationError())
          }
          if case .change(let path) = wait, case .some(let part) = part,
            host.stateValue.value(at: path) != part
          {
            return continuation.resume(returning: nil)
          }
          host.wait(SwiftWait(wait, ticket, continuation), for: task)
        }
      }
    } onCancel: {
      ticket.cancel()
      place.door.enter(place.session) { $0?.cancel(ticket) }
    }
  }

  /// Notes that the code has ended, with an error or without.
  func finish(_ error: (any Error)?) {
    place.door.enter(place.session) { [task] in $0?.finish(task, error) }
  }
}
