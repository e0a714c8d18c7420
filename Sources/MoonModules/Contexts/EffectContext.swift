public import MoonActions
public import MoonValues

/// The interface of a session to an effect in Swift, valid until the effect ends.
///
/// All members throw `CancellationError` once the task is cancelled. A task is cancelled when its
/// module leaves, when a person cancels it, or when its session closes.
public struct EffectContext: Sendable {
  private let place: TaskPlace
  /// The task that runs the effect.
  public var task: TaskID { place.task }

  init(_ place: TaskPlace) { self.place = place }

  /// The current state.
  public var state: Value {
    get async throws { try await perform { $0.stateValue } }
  }

  /// The module's current slice; an empty map if it has none.
  public var slice: Value {
    get async throws {
      try await perform { [module = place.module] in $0.slice(of: module) ?? .map(Map()) }
    }
  }

  /// Appends an action to the session's queue, with the effect as its cause.
  ///
  /// - Throws: ``DispatchError`` if the action can't be accepted.
  public func dispatch(_ action: Action) async throws {
    try await dispatch([action])
  }

  /// Appends several actions to the session's queue, to be carried out as one, with the effect as
  /// their cause.
  ///
  /// Either all are committed together, and observers are called once, or none is carried out. An
  /// empty list has no effect.
  ///
  /// - Throws: ``DispatchError`` if the actions can't be accepted.
  public func dispatch(_ actions: [Action]) async throws {
    try await perform { [task] in try $0.dispatch(actions, for: task) }
  }

  /// Queues the routing of a URL.
  ///
  /// - Throws: ``DispatchError`` if the routing can't be queued.
  public func route(
    _ url: Text, passing parameters: Map = Map(), option: RoutingOption? = nil
  ) async throws {
    try await dispatch(.route(url, passing: parameters, option: option))
  }

  /// Waits for a duration.
  public func sleep(for time: Duration) async throws {
    _ = try await wait(for: .sleep(max(time, .zero)))
  }

  /// Waits for the next action that matches a pattern, and returns it as
  /// `{type, payload, meta = {…}}`.
  public func take(_ pattern: ActionPattern) async throws -> Value {
    try await wait(for: .action(pattern)) ?? .null
  }

  /// Waits until a part of the state satisfies a condition, and returns the part; nil if the path
  /// doesn't exist.
  ///
  /// The condition is checked once for the current part, then after each change of it.
  public func when(
    _ path: Path, _ isRight: @escaping @Sendable (Value?) -> Bool
  ) async throws -> Value? {
    while true {
      let part = try await state.value(at: path)
      if isRight(part) { return part }
      _ = try await wait(for: .change(path), unlessChangedFrom: part)
    }
  }

  /// Calls a command of a module, and returns its answer.
  ///
  /// - Throws: ``CommandError``.
  public func call(_ command: Text, _ payload: Value = .null) async throws -> Value {
    try await withCheckedThrowingContinuation { continuation in
      place.access.enter(place.session) { [task] host in
        guard let host, host.runs(task) else {
          return continuation.resume(throwing: CancellationError())
        }
        host.call(command, payload, for: task) {
          continuation.resume(with: $0.mapError { $0 as any Error })
        }
      }
    }
  }

  /// The reason that the module may make no requests now; nil if it may.
  var requestRefusal: RequestsSwitchedOff? {
    get async throws {
      try await perform { [module = place.module] in $0.requestSwitch.refusal(of: module)
      }
    }
  }

  // MARK: The way to the host

  /// Runs a closure on the host with the session.
  private func perform<Result: Sendable>(
    _ body: @escaping @Sendable (any EffectSession) throws -> Result
  ) async throws -> Result {
    try await withCheckedThrowingContinuation { continuation in
      place.access.enter(place.session) { [task] host in
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
        place.access.enter(place.session) { [task] host in
          guard let host, host.runs(task), !ticket.isCancelled else {
            return continuation.resume(throwing: CancellationError())
          }
          if case .change(let path) = wait, case .some(let part) = part,
            host.stateValue.value(at: path) != part
          {
            return continuation.resume(returning: nil)
          }
          ticket.task = host.wait(SwiftWait(wait, continuation), for: task)
        }
      }
    } onCancel: {
      ticket.cancel()
      place.access.enter(place.session) { host in ticket.task.map { host?.cancel(waiting: $0) } }
    }
  }

  /// Records what the function has returned, or the error that it threw.
  func finish(_ result: Result<Value?, any Error>) {
    place.access.enter(place.session) { [task] in $0?.finish(task, result) }
  }
}
