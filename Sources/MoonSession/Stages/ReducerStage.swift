import MoonStore
import MoonValues

/// Stage 3: navigation is carried out, and reducers make the new slices.
struct ReducerStage {
  let session: Session

  /// Reduces an action that has passed middleware and mappers.
  ///
  /// - Throws: ``DispatchError``; the transaction is void then.
  func reduce(
    _ action: Action, _ listeners: Listeners, _ transaction: inout Transaction
  ) throws(DispatchError) {
    if listeners.isNavigation {
      let stage = NavigationStage(session: session)
      let action = try stage.carryOut(action, &transaction)
      try reduceSlices(action, listeners, &transaction.state)
      transaction.note(action, listeners)
    } else {
      try reduceSlices(action, listeners, &transaction.state)
      transaction.note(action, listeners)
    }
  }

  private func reduceSlices(
    _ action: Action, _ listeners: Listeners, _ state: inout Map
  ) throws(DispatchError) {
    for reducer in listeners.reducers {
      let old = state[reducer.slice] ?? reducer.firstSlice
      var slice = old
      do throws(Fault) {
        try session.caller.call(reducer, on: action) { () in
          try reducer.part.body(&slice, action)
        }
      } catch {
        throw .fault(error)
      }
      if !slice.isIdentical(to: old) { state[reducer.slice] = slice }
    }
    if !listeners.wholeStateReducers.isEmpty {
      state = try reducedWhole(state, action, listeners)
    }
  }

  private func reducedWhole(
    _ state: Map, _ action: Action, _ listeners: Listeners
  ) throws(DispatchError) -> Map {
    var state = state
    for reducer in listeners.wholeStateReducers {
      do throws(Fault) {
        state = try session.caller.call(reducer, on: action) { () in
          var whole = Value.map(state)
          try reducer.part.body(&whole, action)
          guard let map = whole.mapValue else { throw NotAState(made: whole.kind) }
          return map
        }
      } catch {
        throw .fault(error)
      }
    }
    return state
  }
}

/// A reducer of the whole state has left something that has no slices.
private struct NotAState: Error, CustomStringConvertible {
  let made: String

  var description: String { "a reducer of the whole state leaves a map, not \(made)" }
}
