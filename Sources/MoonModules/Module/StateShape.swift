package import MoonValues

/// The keys of a module's `state`, at any depth of maps, without what they hold.
///
/// A slice keeps the shape of the `state` that it was last filled from. The next generation adds
/// only what its own `state` has besides, so what actions removed stays removed.
package struct StateShape: Sendable, Equatable {
  /// The shape of a module without `state`.
  static let empty = StateShape(value: .map(Map()))

  /// The shape as plain data: a map holds the shapes of its entries, and all else is true.
  package let value: Value

  /// Makes the shape of a module's `state`; nil is that of a module without.
  ///
  /// - Complexity: O(keys).
  init(of state: Value?) {
    self.init(value: state.map(Self.keys) ?? Self.empty.value)
  }

  private init(value: Value) { self.value = value }

  /// Reads plain data; nil if it isn't a shape.
  ///
  /// - Complexity: O(keys).
  package init?(_ value: Value) {
    guard Self.isShape(value) else { return nil }
    self.value = value
  }

  private static func keys(of state: Value) -> Value {
    guard case .map(let map) = state else { return true }
    return .map(Map(map.map { ($0.key, keys(of: $0.value)) }))
  }

  private static func isShape(_ value: Value) -> Bool {
    guard case .map(let map) = value else { return value == true }
    return map.allSatisfy { isShape($0.value) }
  }
}

extension Value {
  /// Returns the slice with the entries that are new in a module's `state`, at any depth of maps.
  ///
  /// An entry is new if the shape of the former `state` doesn't have it. If that isn't known, only
  /// entries at the top are, since deeper maps may be data. Lists and existing entries stay
  /// unchanged, even if their kinds differ. Integers aren't added to keys that are strings, nor the
  /// other way round, since scripts can't keep such a table.
  package func filled(with state: Value, since former: StateShape?) -> Value {
    guard let former else { return filled(with: state, since: Value?.none, isDeep: false) }
    return filled(with: state, since: former.value, isDeep: true)
  }

  private func filled(with state: Value, since former: Value?, isDeep: Bool) -> Value {
    guard case .map(var map) = self, case .map(let fresh) = state else { return self }
    let formerKeys = former?.mapValue ?? Map()
    let kind = map.keys.first { _ in true }
    for (key, value) in fresh where kind.map({ $0.isInteger == key.isInteger }) ?? true {
      if let known = map[key] {
        guard isDeep else { continue }
        let filled = known.filled(with: value, since: formerKeys[key], isDeep: true)
        if !filled.isIdentical(to: known) { map[key] = filled }
      } else if formerKeys[key] == nil {
        map[key] = value
      }
    }
    return .map(map)
  }
}

extension Key {
  fileprivate var isInteger: Bool { if case .int = self { true } else { false } }
}
