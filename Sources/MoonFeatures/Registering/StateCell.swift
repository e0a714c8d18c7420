import MoonValues

/// The slice of a feature as its Swift type.
///
/// It keeps the last states that it has decoded with their values, so that a slice that hasn't
/// changed is decoded only once. Confined to the host.
final class StateCell<State: FeatureState>: StateLink {
  /// The number of states that are kept: those before and after an action, of two sessions.
  private static var countMax: Int { 4 }

  private var kept: [(value: Value, state: State)] = []
  /// The cell of the same feature that keeps the states in place of this one.
  private var shared: StateCell?

  var stateType: Any.Type { State.self }

  func share(with other: any StateLink) {
    if let other = other as? StateCell, other !== self { shared = other }
  }

  /// Returns the state of a slice.
  ///
  /// - Throws: ``ValueCodingError``.
  func state(of slice: Value) throws(ValueCodingError) -> State {
    if let shared { return try shared.state(of: slice) }
    if let known = kept.first(where: { $0.value.isIdentical(to: slice) }) { return known.state }
    let state = try ValueDecoder().decode(State.self, from: slice)
    keep(state, slice)
    return state
  }

  /// Returns the slice of a state that was made of a former slice, and shares the unchanged fields.
  ///
  /// - Throws: ``ValueCodingError``.
  func slice(of state: State, since former: Value) throws(ValueCodingError) -> Value {
    if let shared { return try shared.slice(of: state, since: former) }
    // The state itself isn't kept: a reducer must see only what the slice holds, so that a replay,
    // which decodes it, gives the same bytes.
    return try ValueEncoder().encode(state).sharing(former)
  }

  private func keep(_ state: State, _ slice: Value) {
    if kept.count == Self.countMax { kept.removeLast() }
    kept.insert((slice, state), at: 0)
  }
}

/// The cells of one feature, whatever the type of their state.
protocol StateLink: AnyObject {
  /// The type that slices are decoded as.
  var stateType: Any.Type { get }
  /// Lets another cell keep the states.
  func share(with other: any StateLink)
}

extension Value {
  /// Returns the value with the parts of a former one that are equal.
  ///
  /// - Complexity: O(size).
  fileprivate func sharing(_ former: Value) -> Value {
    if self == former { return former }
    guard case .map(var map) = self, case .map(let old) = former else { return self }
    if map.count == old.count, map.keys == old.keys {
      // The keys are shared as well.
      var shared = old
      for (key, value) in map {
        guard let known = old[key], known != value else { continue }
        shared[key] = value.sharing(known)
      }
      return .map(shared)
    }
    for (key, value) in map {
      if let known = old[key], known == value { map[key] = known }
    }
    return .map(map)
  }
}
