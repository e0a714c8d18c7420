import MoonActions
import MoonModules
import MoonValues

/// Stage 1: middleware passes, drops or replaces actions.
struct MiddlewareStage {
  let session: Session

  /// Calls the middleware for an action; returns the actions that continue.
  ///
  /// - Throws: ``DispatchError`` if a middleware fails, or makes more actions than may follow.
  func pass(
    _ action: Action, _ listeners: Listeners, _ state: Map
  ) throws(DispatchError) -> [Action] {
    guard !listeners.middleware.isEmpty else { return [action] }
    var actions: [(action: Action, maker: Bound<Middleware>?)] = [(action, nil)]
    // Each middleware sees the actions that those before it made.
    for middleware in session.modules.registry.middleware {
      var next: [(action: Action, maker: Bound<Middleware>?)] = []
      for (action, maker) in actions {
        guard middleware.part.pattern.matches(action.type) else {
          next.append((action, maker))
          continue
        }
        switch try verdict(middleware, action, state) {
        case .pass: next.append((action, maker))
        case .drop, .replace([]): session.current.noteStop(of: action, by: middleware)
        case .replace(let others):
          let made = others.map { given($0, by: middleware, inPlaceOf: action) }
          next.append((made[0].inPlace(of: action), middleware))
          next += made.dropFirst().map { (session.pipeline.part($0, of: action), middleware) }
        }
        guard next.count <= Session.followingMax else {
          throw .tooManyFollowing(max: Session.followingMax, dropped: 0)
        }
      }
      actions = next
    }
    for (made, maker) in actions { if let maker { try check(made, of: maker, action) } }
    return actions.map(\.action)
  }

  /// Returns an action that a middleware puts in the place of another, which counts as its own if
  /// it asks for something else.
  private func given(
    _ made: Action, by middleware: Bound<Middleware>, inPlaceOf action: Action
  ) -> Action {
    if made.type == action.type, made.scriptPayload == action.scriptPayload { return made }
    session.current.noteHand(of: middleware.owner)
    return GivenScreens.owned(
      made, by: middleware.owner, in: session, receiving: GivenScreens.screens(of: action))
  }

  /// Throws a fault of the middleware if an action that it made can't be accepted.
  private func check(
    _ made: Action, of maker: Bound<Middleware>, _ action: Action
  ) throws(DispatchError) {
    do throws(DispatchError) {
      _ = try session.listeners(to: made)
      if made.type != action.type || made.scriptPayload != action.scriptPayload {
        try session.modules.checkControl(of: made, by: maker.owner)
      }
    } catch {
      throw .fault(session.caller.fault(error, maker, action))
    }
  }

  private func verdict(
    _ middleware: Bound<Middleware>, _ action: Action, _ state: Map
  ) throws(DispatchError) -> Middleware.Verdict {
    do throws(Fault) {
      return try session.caller.call(middleware, on: action) {
        try middleware.part.body(action, .map(state), $0)
      }
    } catch {
      throw DispatchError(error)
    }
  }
}

extension Action {
  /// Returns the action with the host's metadata of the action that it replaces.
  func inPlace(of other: Action) -> Action {
    var action = self
    action.meta = other.meta
    action.meta.extra = meta.extra.filled(from: other)
    return action
  }
}

extension Map {
  /// Returns an action's additions with those of the action that it was made of, except where it
  /// has its own.
  func filled(from other: Action) -> Map {
    var extra = other.meta.extra
    for (key, value) in self { extra[key] = value }
    return extra
  }
}
