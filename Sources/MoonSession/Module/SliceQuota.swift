public import MoonValues

/// How large the slice of a module may become.
///
/// Values keep their sizes, so a check costs the same however large a slice is. Parts that a slice
/// holds several times count each time, because that is how they are written and copied.
package struct SliceQuota: Sendable {
  /// The most that a slice may count, see `Value.storageCost`; 0 for no limit.
  package let bytesMax: Int

  /// Makes a quota of bytes, 0 for no limit.
  package init(bytesMax: Int) {
    self.bytesMax = bytesMax
  }

  /// Why a value can't be a slice; nil if it can.
  ///
  /// - Complexity: O(1).
  @inline(__always)
  package func refusal(of slice: Value) -> SliceRefusal? {
    let costMax = bytesMax > 0 ? bytesMax : .max
    if slice.isWithin(depthMax: Value.depthMax, costMax: costMax) { return nil }
    return slice.depth > Value.depthMax
      ? .tooDeep(max: Value.depthMax) : .tooLarge(max: bytesMax)
  }

  /// Why a value that Swift code has made of another one can't be a slice; nil if it can.
  ///
  /// - Complexity: O(size of what the values don't share).
  func refusal(of slice: Value, madeOf old: Value) -> SliceRefusal? {
    if let refusal = refusal(of: slice) { return refusal }
    for change in Diff.changes(from: old, to: slice, limit: .max).changes {
      if let path = change.after?.pathToNaN(change.path) { return .notANumber(path) }
    }
    return nil
  }

  /// Why a value of an unknown origin can't be a slice; nil if it can.
  ///
  /// - Complexity: O(size of the value).
  package func refusal(ofWhole slice: Value) -> SliceRefusal? {
    refusal(of: slice) ?? slice.pathToNaN(Path()).map { .notANumber($0) }
  }
}

/// Why a value can't be the slice of a module.
public enum SliceRefusal: Error, Sendable, Equatable, CustomStringConvertible {
  /// It would take more bytes than the module's quota; see ``HostOptions/stateQuota``.
  case tooLarge(max: Int)
  /// Lists and maps are nested in one another too often.
  case tooDeep(max: Int)
  /// There is a NaN at this path within the slice.
  case notANumber(Path)

  /// One sentence without a full stop.
  public var description: String {
    switch self {
    case .tooLarge(let max):
      "the module's state would take more than \(Wording.size(max))"
    case .tooDeep(let max): "nesting deeper than \(max) can't be kept in the state"
    case .notANumber(let path):
      "\(path): a number that is not a number (0/0) can't be kept in the state"
    }
  }
}

extension Value {
  /// The path to the first NaN in the value, which itself is at `path`; nil if there is none.
  fileprivate func pathToNaN(_ path: Path) -> Path? {
    switch self {
    case .double(let double): return double.isNaN ? path : nil
    case .list(let list):
      for (index, element) in list.enumerated() {
        if let found = element.pathToNaN(path.appending(.index(Int64(index) + 1))) { return found }
      }
    case .map(let map):
      for (key, element) in map {
        if let found = element.pathToNaN(path.appending(Path.Component(key))) { return found }
      }
    case .null, .bool, .int, .string: break
    }
    return nil
  }
}

extension Module {
  /// The module with each function that makes slices held to the quotas.
  ///
  /// For modules in Swift. Those in Lua check what their reducers make themselves.
  package func held(to quota: @escaping @Sendable (ModuleName) -> SliceQuota) -> Module {
    var module = self
    let own = quota(name)
    module.reducers = reducers.map { reducer in
      Reducer(like: reducer) { slice, action in
        let old = slice
        try reducer.body(&slice, action)
        if let refusal = own.refusal(of: slice, madeOf: old) { throw refusal }
      }
    }
    module.wholeStateReducers = wholeStateReducers.map { reducer in
      Reducer(like: reducer) { state, action in
        let old = state
        try reducer.body(&state, action)
        try check(state, madeOf: old, quota)
      }
    }
    module.migrate = migrate.map { migration in
      Migration(place: migration.registration.place) { old, version in
        let slice = try migration.body(old, version)
        if let refusal = own.refusal(of: slice, madeOf: old) { throw refusal }
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
