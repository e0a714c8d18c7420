import MoonNavigation
import MoonStore
import MoonValues

/// What becomes of an action that more than reducers and observers have a part in.
extension Session {
  /// What is done for one action, until it is committed as one.
  struct Work {
    /// The slices as they will be.
    var next: Map
    /// What the reducers got: middleware, mappers and routing may have made it of the original.
    var reduced: [Action] = []
    var observers: [Registry.BoundObserver] = []
    /// What module mappers have made, to be queued.
    var mapped: [(action: Action, cause: Cause)] = []
    var tree: NavigationTree
    var transitions: [Transition] = []
    /// The routings that are done but for telling.
    var routings: [FinishedRouting] = []
    /// The ids that screens got which aren't in the tree yet.
    var takenIDs: Set<Text> = []
    /// The original, with screens where it named URLs, then what else was done to the navigation
    /// for it: what it takes to do the same again.
    var noted: [Action]
    /// Whether the original is noted as it was done.
    var isOriginalNoted = false
  }

  /// Carries out an action through all stages but effects.
  ///
  /// - Throws: ``DispatchError``; nothing has changed then.
  func carryOut(_ original: Action, isMapped: Bool) throws(DispatchError) {
    var work = Work(next: state, tree: try navigationTree(), noted: [original])
    for action in try passed(original) {
      let going = isMapped ? [action] : try mapped(action, &work)
      for action in going { try reduce(action, &work) }
    }
    try checkNavigation(&work)
    // All or none: what is queued stays there even if this action fails.
    try checkRoom(for: work.mapped.map(\.action))
    for one in work.mapped { try enqueue(one.action, cause: one.cause, isMapped: true) }
    if work.reduced.count > 1 {
      var seen: Set<Int> = []
      work.observers = work.observers.filter { seen.insert($0.order).inserted }
      work.observers.sort { $0.order < $1.order }
    }
    let hasChanged = commit(work.next, original, work.observers)
    for action in work.noted {
      let bytes = action.roughByteCount(upTo: History.bytesMax)
      history.append(action, bytes: bytes, hasChanged: hasChanged)
    }
    finishNavigation(work)
    for action in work.reduced { mapNavigation(action) }
  }

  // MARK: Middleware

  /// What the middleware makes of an action.
  private func passed(_ original: Action) throws(DispatchError) -> [Action] {
    var actions = [original]
    // Each stage sees what the stages before it have made.
    for one in modules.registry.middleware {
      var next: [Action] = []
      for action in actions {
        guard one.middleware.pattern.matches(action.type) else {
          next.append(action)
          continue
        }
        switch try verdict(one, on: action) {
        case .pass: next.append(action)
        case .drop: break
        case .replace(let others): next += others.map { $0.inPlace(of: action) }
        }
        guard next.count <= Self.followingMax else {
          throw .tooManyFollowing(max: Self.followingMax)
        }
      }
      actions = next
    }
    return actions
  }

  private func verdict(
    _ one: Registry.BoundMiddleware, on action: Action
  ) throws(DispatchError) -> Middleware.Verdict {
    do throws(Fault) {
      return try call(one.middleware.registration, of: one.owner, on: action) { _ in
        try one.middleware.body(action, stateValue)
      }
    } catch {
      throw .fault(error)
    }
  }

  // MARK: Reducing

  private func reduce(_ action: Action, _ work: inout Work) throws(DispatchError) {
    let route = try checkedRoute(of: action)
    switch action.type {
    case NavigationActions.route:
      try pursuit.follow(with: action)
      let routed = try routed(action, &work)
      for made in routed.actions {
        var child = stamped(made, cause: action.meta.cause)
        child.meta.parent = action.meta.id
        do throws(DispatchError) {
          try navigate(child, &work)
        } catch {
          throw routed.explained(error)
        }
      }
    case let type where NavigationActions.include(type):
      try pursuit.follow(with: action)
      try navigate(action, &work)
      return
    default: break
    }
    try reduce(action, route, into: &work.next)
    work.observers += route.observers
    work.reduced.append(action)
  }

  /// Does an action of the host's to the navigation, then lets reducers see it.
  private func navigate(_ action: Action, _ work: inout Work) throws(DispatchError) {
    let route = try checkedRoute(of: action)
    var action = action
    action.payload = try resolved(action, &work)
    if !work.isOriginalNoted, let first = work.noted.first, first.meta.id == action.meta.id,
      first.type == action.type
    {
      work.noted[0] = action
      work.isOriginalNoted = true
    } else {
      work.noted.append(action)
    }
    do throws(NavigationProblem) {
      try apply(action, &work)
    } catch {
      throw .navigation(error)
    }
    try reduce(action, route, into: &work.next)
    work.observers += route.observers
    work.reduced.append(action)
  }
}

extension Action {
  /// The same, with what the host has noted about the action that it stands for.
  func inPlace(of other: Action) -> Action {
    var action = self
    action.meta = other.meta
    action.meta.extra = meta.extra
    return action
  }
}
