import MoonActions
import MoonModules
import MoonServiceKit
import MoonValues

/// Stage 3: carries out navigation, and calls reducers to make the new slices.
struct ReducerStage {
  let session: Session

  /// Reduces an action that has passed middleware and mappers.
  ///
  /// - Throws: ``DispatchError``; the transaction is then void.
  func reduce(
    _ action: Action, _ listeners: Listeners, _ transaction: inout Transaction
  ) throws(DispatchError) {
    if listeners.isNavigation {
      let stage = NavigationStage(session: session)
      guard let action = try stage.carryOut(action, &transaction) else { return }
      try reduceSlices(action, listeners, &transaction)
      transaction.note(action, listeners)
    } else {
      try reduceSlices(action, listeners, &transaction)
      transaction.note(action, listeners)
    }
  }

  private func reduceSlices(
    _ action: Action, _ listeners: Listeners, _ transaction: inout Transaction
  ) throws(DispatchError) {
    if listeners.reducers.isEmpty, listeners.wholeStateReducers.isEmpty { return }
    // Others that were made in place of an action may fail after this one.
    if let reducer = listeners.soleReducer, transaction.isUntouched,
      action.isIdentical(to: transaction.taken),
      try reduceInPlace(action, reducer, &transaction)
    {
      return
    }
    try reduceCopy(action, listeners, &transaction.state)
  }

  /// Lends the session's own slice to a reducer after which nothing can fail the action.
  ///
  /// Returns false and does nothing if there is no slice yet, or if something else holds the state,
  /// such as a timeline.
  ///
  /// - Throws: ``DispatchError`` if the reducer fails. Nothing has changed then.
  private func reduceInPlace(
    _ action: Action, _ reducer: Bound<Reducer>, _ transaction: inout Transaction
  ) throws(DispatchError) -> Bool {
    guard reducer.part.canBorrow, session.slices.lend(reducer.slice, to: &transaction.lent)
    else { return false }
    var failure: (any Error)?
    do {
      try session.caller.run(reducer, on: action, &transaction.lent)
    } catch {
      failure = error
    }
    session.slices.giveBack(&transaction.lent)
    // Made after the slice is back, since making a fault reads it.
    if let failure { throw DispatchError(session.caller.fault(failure, reducer, action)) }
    transaction.noteChangeInPlace()
    return true
  }

  private func reduceCopy(
    _ action: Action, _ listeners: Listeners, _ state: inout Map
  ) throws(DispatchError) {
    // The state to go back to if a listener fails. Not needed if all reducers are the owner's,
    // since a failure then fails the action.
    let before = listeners.hasOnlyOwnReducers ? nil : state
    var failed: ModuleName?
    for reducer in listeners.reducers {
      if failed != nil, reducer.owner == failed { continue }
      do throws(Fault) {
        if let index = state.index(forKey: reducer.slice) {
          var slice = LentValue(state[index])
          try session.caller.reduce(&slice, with: reducer, on: action)
          if !slice.change.isNone { state[index] = slice.value }
        } else {
          var slice = LentValue(reducer.firstSlice)
          try session.caller.reduce(&slice, with: reducer, on: action)
          if !slice.change.isNone { state[reducer.slice] = slice.value }
        }
      } catch {
        if listeners.belongsToOwner(reducer) { throw DispatchError(error) }
        session.caller.note(error)
        failed = reducer.owner
        state[reducer.slice] = before?[reducer.slice]
      }
    }
    if !listeners.wholeStateReducers.isEmpty { try reduceWhole(&state, action, listeners) }
  }

  private func reduceWhole(
    _ state: inout Map, _ action: Action, _ listeners: Listeners
  ) throws(DispatchError) {
    for reducer in listeners.wholeStateReducers {
      do throws(DispatchError) {
        state = try reducedWhole(state, action, reducer)
      } catch {
        if listeners.belongsToOwner(reducer) { throw error }
        session.caller.note(session.caller.fault(error, reducer, action))
      }
    }
  }

  private func reducedWhole(
    _ state: Map, _ action: Action, _ reducer: Bound<Reducer>
  ) throws(DispatchError) -> Map {
    let reduced: Map
    do throws(Fault) {
      reduced = try session.caller.call(reducer, on: action) { () in
        var whole = LentValue(.map(state))
        try reducer.part.body(&whole, action)
        guard let map = whole.value.mapValue else {
          let made = whole.value.kind
          throw CodeFailure(.raised("a reducer of the whole state leaves a map, not \(made)"))
        }
        try check(map, since: state)
        try checkShapes(map, since: state)
        return map
      }
    } catch {
      throw DispatchError(error)
    }
    // Checked here, so that an invalid tree undoes only the changes of this reducer.
    _ = try session.navigation.read(reduced)
    return reduced
  }
}

extension ReducerStage {
  /// Checks that each new slice of a state belongs to a module.
  private func check(_ state: Map, since old: Map) throws(CodeFailure) {
    for key in state.keys where old[key] == nil && key != NavigationState.key {
      let module = ModuleName(key.description)
      guard module.flatMap({ session.modules[$0] }) == nil else { continue }
      throw CodeFailure(.raised("there is no module '\(key)' that could have a slice"))
    }
  }

  /// Checks that the slices of a state that have changed have the shapes of their modules.
  private func checkShapes(_ state: Map, since old: Map) throws(SliceRefusal) {
    for (key, slice) in state where key != NavigationState.key {
      let former = old[key]
      if let former, former.isIdentical(to: slice) { continue }
      guard let module = ModuleName(key.description).flatMap({ session.modules[$0]?.module }),
        let refusal = module.sliceShape?.refusal(of: slice, since: former)
      else { continue }
      throw refusal
    }
  }
}
