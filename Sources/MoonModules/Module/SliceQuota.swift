public import MoonActions
package import MoonServiceKit
public import MoonValues

/// The maximum size of a module's slice.
///
/// Values store their sizes, so a check costs the same for any slice. A part that a slice holds
/// several times counts each time, since it is written and copied each time.
package struct SliceQuota: Sendable {
  /// The maximum `Value.storageCost` of a slice, in bytes; 0 means no limit.
  package let bytesMax: Int

  /// Makes a quota of bytes; 0 means no limit.
  package init(bytesMax: Int) {
    self.bytesMax = bytesMax
  }

  /// Returns why a value can't be a slice; nil if it can.
  ///
  /// - Complexity: O(1).
  @inlinable @inline(__always)
  package func refusal(of slice: Value) -> SliceRefusal? {
    let costMax = bytesMax > 0 ? bytesMax : .max
    if slice.isWithin(depthMax: Value.depthMax, costMax: costMax) { return nil }
    return refusal(ofExcess: slice)
  }

  @usableFromInline @inline(never)
  func refusal(ofExcess slice: Value) -> SliceRefusal? {
    slice.depth > Value.depthMax
      ? .tooDeep(max: Value.depthMax) : .tooLarge(max: bytesMax)
  }

  /// Returns why a value that Swift code made from `old` can't be a slice; nil if it can.
  ///
  /// - Complexity: O(size of what the values don't share).
  func refusal(of slice: Value, madeOf old: Value) -> SliceRefusal? {
    if let refusal = refusal(of: slice) { return refusal }
    for change in Diff.changes(from: old, to: slice, limit: .max).changes {
      if let path = change.after?.pathToNaN(change.path) { return .notANumber(path) }
    }
    return nil
  }

  /// Returns why a value of unknown origin can't be a slice; nil if it can.
  ///
  /// - Complexity: O(size of the value).
  package func refusal(ofWhole slice: Value) -> SliceRefusal? {
    refusal(of: slice) ?? slice.pathToNaN(Path()).map { .notANumber($0) }
  }
}

/// The reason that a value can't be the slice of a module.
public enum SliceRefusal: Error, Sendable, Equatable, CustomStringConvertible {
  /// The value exceeds the module's quota in bytes; see ``HostOptions/stateQuota``.
  case tooLarge(max: Int)
  /// Lists and maps are nested more than `max` deep.
  case tooDeep(max: Int)
  /// The value at this path within the slice is a NaN.
  case notANumber(Path)
  /// The value doesn't have the shape that the module declares.
  case misshapen([PayloadProblem])

  /// One sentence without a full stop.
  public var description: String {
    switch self {
    case .tooLarge(let max):
      "the module's state would take more than \(Wording.size(max))"
    case .tooDeep(let max): "nesting deeper than \(max) can't be kept in the state"
    case .notANumber(let path):
      "\(path): a number that is not a number (0/0) can't be kept in the state"
    case .misshapen(let problems):
      "the state doesn't fit its shape: "
        + problems.map(\.description).joined(separator: "; ")
    }
  }
}

extension Module {
  /// Returns why the module's `state` can't be its slice; nil if it can.
  ///
  /// - Complexity: O(size of the state).
  package func refusalOfState(within quota: SliceQuota) -> SliceRefusal? {
    state.flatMap { quota.refusal(ofWhole: $0) }
      ?? sliceShape?.refusal(of: state ?? .map(Map()))
  }

  /// Returns the module with each function that makes slices wrapped in a check of the quotas and
  /// of the module's shape.
  ///
  /// Reducers and migrations in Lua check their own slice as they decode it. What reducers of the
  /// whole state make of slices with a shape is checked by the session, which knows the modules.
  package func held(to quota: @escaping @Sendable (ModuleName) -> SliceQuota) -> Module {
    var module = self
    let (own, shape) = (quota(name), sliceShape)
    module.reducers = reducers.map { reducer in
      if reducer.isHeld { return reducer }
      return Reducer(holding: reducer) { slice, action in
        try reducer.body(&slice, action)
        let former = slice.former
        if let refusal = own.refusal(of: slice.value, madeOf: former)
          ?? shape?.refusal(of: slice.value, since: former)
        {
          slice.restore()
          throw refusal
        }
      }
    }
    module.wholeStateReducers = wholeStateReducers.map { reducer in
      if reducer.isHeld { return reducer }
      return Reducer(holding: reducer) { state, action in
        try reducer.body(&state, action)
        do throws(SliceRefusal) {
          try check(state.value, madeOf: state.former, quota)
        } catch {
          state.restore()
          throw error
        }
      }
    }
    module.hooks.migrate = hooks.migrate.map { migration in
      if migration.isHeld { return migration }
      return Migration(isHeld: true, place: migration.registration.place) { old, version in
        let slice = try migration.body(old, version)
        if let refusal = own.refusal(of: slice, madeOf: old) ?? shape?.refusal(of: slice) {
          throw refusal
        }
        return slice
      }
    }
    return module
  }

  /// Checks the slices that a reducer of the whole state has changed.
  private func check(
    _ state: Value, madeOf old: Value, _ quota: (ModuleName) -> SliceQuota
  ) throws(SliceRefusal) {
    for (key, slice) in state.mapValue ?? Map() {
      let former = old.mapValue?[key] ?? .null
      guard !slice.isIdentical(to: former), case .string(let name) = key else { continue }
      let limits = ModuleName(name.string).map(quota) ?? SliceQuota(bytesMax: 0)
      if let refusal = limits.refusal(of: slice, madeOf: former) { throw refusal }
    }
  }
}
