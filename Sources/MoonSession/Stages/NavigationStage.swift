import MoonActions
import MoonModules
import MoonNavigation
import MoonValues

/// The host's own part of stage 3: `nav/…` actions change the navigation tree.
struct NavigationStage {
  /// The maximum depth of routings within one action.
  ///
  /// They nest when middleware replaces an action of one routing with another routing.
  static let nestingMax = 8

  let session: Session

  /// Carries out a `nav/…` action; returns it with screens in place of URLs, or nil if it waits for
  /// a routing guard.
  ///
  /// The actions of a routing also go through the stages before this one, within the same
  /// transaction.
  ///
  /// - Throws: ``DispatchError``.
  func carryOut(
    _ action: Action, _ transaction: inout Transaction
  ) throws(DispatchError) -> Action? {
    // Actions that a routing makes are part of that routing.
    if let work = transaction.navigation, work.nesting > 0 {
      return try perform(action, work, &transaction)
    }
    try session.current.follow(with: action)
    let mark = transaction.mark
    let work = try begun(&transaction)
    work.begin(action)
    do throws(DispatchError) {
      let done = try perform(action, work, &transaction)
      if action.type == NavigationActions.route { noteRouted(action, &transaction) }
      return done
    } catch {
      try wait(action, after: error, work, mark, &transaction)
      return nil
    }
  }

  /// Goes back to a mark and lets an action wait, if it failed because it must wait for a guard.
  ///
  /// - Throws: The error if it failed otherwise.
  private func wait(
    _ action: Action, after error: DispatchError, _ failed: PendingNavigation,
    _ mark: Transaction.Mark, _ transaction: inout Transaction
  ) throws(DispatchError) {
    guard case .routing(let problem) = error, problem.isWaiting, let guards = failed.guards,
      let pending = guards.pending
    else { throw error }
    transaction.goBack(to: mark)
    let work = try begun(&transaction)
    work.begin(nil)
    let waits = GuardWaits(session: session)
    let routed = RoutedAction(action: action, keyWindowID: work.tree.keyWindowID)
    work.waiting.append(waits.wait(guards, for: pending, in: routed.windowID))
    noteRouted(action, &transaction)
  }

  /// Returns the changes of the navigation so far, or new ones.
  private func begun(_ transaction: inout Transaction) throws(DispatchError) -> PendingNavigation {
    if let work = transaction.navigation { return work }
    let work = PendingNavigation(tree: try session.navigation.read(transaction.state))
    transaction.navigation = work
    return work
  }

  /// Records that an action has routed in its window, unless it had waited and comes back.
  private func noteRouted(_ action: Action, _ transaction: inout Transaction) {
    guard action.guards == nil, let work = transaction.navigation else { return }
    work.routed.append(RoutedAction(action: action, keyWindowID: work.tree.keyWindowID))
  }

  private func perform(
    _ action: Action, _ work: PendingNavigation, _ transaction: inout Transaction
  ) throws(DispatchError) -> Action {
    let isRouting = action.type == NavigationActions.route
    var instead: [Action]?
    if !isRouting, work.nesting == 0 {
      instead = try BackStage(session: session).replacement(of: action, in: work.tree)
    }
    guard isRouting || instead != nil else { return try apply(action, work, &transaction) }
    guard work.nesting < Self.nestingMax else {
      throw .tooManyNavigations(chain: [action.type.string], max: Self.nestingMax)
    }
    work.nesting += 1
    session.current.chain.isWithinAction = true
    defer {
      work.nesting -= 1
      session.current.chain.isWithinAction = work.nesting > 0
    }
    if let instead {
      try carryOut(instead, inPlaceOf: action, &transaction)
    } else {
      try route(action, work, &transaction)
    }
    return action
  }

  /// Carries out the actions that an action leads to, as part of it.
  private func carryOut(
    _ made: consuming [Action], inPlaceOf action: Action, _ transaction: inout Transaction
  ) throws(DispatchError) {
    for index in made.indices {
      // In the list, so that an action that no one else holds isn't copied.
      session.pipeline.note(&made[index], asPartOf: action)
      let child = made[index]
      try session.pipeline.carryOut(
        child, try session.listeners(to: child), isMapped: false, &transaction)
    }
  }

  private func route(
    _ action: Action, _ work: PendingNavigation, _ transaction: inout Transaction
  ) throws(DispatchError) {
    do throws(DispatchError) {
      var routed = try RoutingStage(session: session).route(action, work)
      do throws(DispatchError) {
        try carryOut(routed.takeActions(), inPlaceOf: action, &transaction)
      } catch {
        throw routed.explained(error)
      }
      work.routings.append(contentsOf: routed.finished)
    } catch {
      if case .routing(let failure) = error {
        let url = action.payload["url"]?.textValue ?? failure.url
        CompletionStage(session: session).tell(failure, of: url)
      }
      throw error
    }
  }

  /// Applies an action; returns it with screens in place of URLs.
  private func apply(
    _ action: Action, _ work: PendingNavigation, _ transaction: inout Transaction
  ) throws(DispatchError) -> Action {
    if let navigation = action.navigation, navigation.operation.hasOnlyOwnedScreens {
      try apply(navigation, work, &transaction)
      return action
    }
    var resolved = action
    let payload = try ScreenResolution.payload(of: action, work, in: session)
    if !payload.isIdentical(to: action.payload) { resolved.payload = payload }
    try apply(try Self.read(resolved), work, &transaction)
    return resolved
  }

  private func apply(
    _ navigation: NavigationAction, _ work: PendingNavigation, _ transaction: inout Transaction
  ) throws(DispatchError) {
    let transition: Transition
    do throws(NavigationError) {
      transition = try work.tree.applying(navigation)
      try PresentedLimit.check(transition.tree, since: work.tree)
      try ModuleShare.check(transition.tree, since: work.tree)
    } catch {
      throw .navigation(.refused(error))
    }
    take(transition, work, &transaction)
  }

  /// Notes a transition of the navigation, and changes the state by it.
  private func take(
    _ transition: consuming Transition, _ work: PendingNavigation, _ transaction: inout Transaction
  ) {
    let new = transition.tree
    // Where screens come and go, the trees differ.
    let isChanged = transition.hasEvents || new != work.tree
    work.transitions.append(transition)
    let former = exchange(&work.tree, with: new)
    guard isChanged else { return }
    if session.current.formerTree == nil { session.current.formerTree = former }
    let value = new.value
    session.navigation.note(new, for: value)
    transaction.state[NavigationState.key] = value
  }

  private static func read(_ action: Action) throws(DispatchError) -> NavigationAction {
    do throws(NavigationValueError) {
      var read = try NavigationAction(type: action.type, payload: action.payload)
      if action.payload.field(.origin) == nil, action.cause.isFromPerson {
        read.origin = .user
      }
      return read
    } catch {
      throw .navigation(.malformed(error))
    }
  }

  /// Updates the tree of the transaction if a reducer of the whole state has changed it.
  ///
  /// - Throws: ``DispatchError/navigation(_:)`` if the result isn't a navigation tree.
  func checkState(of transaction: inout Transaction) throws(DispatchError) {
    let tree = try session.navigation.read(transaction.state)
    let former: NavigationTree
    if let known = transaction.navigation?.tree {
      former = known
    } else {
      former = try session.navigation.read(transaction.before)
    }
    guard tree != former else { return }
    if session.current.formerTree == nil { session.current.formerTree = former }
    let work = transaction.navigation ?? PendingNavigation(tree: former)
    work.transitions.append(Transition(from: former, to: tree))
    work.tree = tree
    transaction.navigation = work
  }
}

extension NavigationAction.Operation {
  /// Whether all screens that it brings have an owner, as those of routings do, so that nothing is
  /// left to complete.
  fileprivate var hasOnlyOwnedScreens: Bool { screens.allSatisfy { $0.owner != nil } }
}
