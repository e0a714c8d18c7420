extension Value {
  /// What one element takes in a tree, roughly.
  private static let elementBytes = 16

  /// How many bytes it takes, roughly, a part that is found in several places counted in each.
  ///
  /// - Complexity: O(elements), but no more than `max` bytes are counted.
  public func roughByteCount(upTo max: Int) -> Int {
    var left = max
    charge(to: &left)
    return max - Swift.max(left, 0)
  }

  private func charge(to left: inout Int) {
    left -= Self.elementBytes
    switch self {
    case .null, .bool, .int, .double: break
    case .string(let text): left -= text.largeByteCount
    case .list(let list):
      for element in list {
        guard left > 0 else { return }
        element.charge(to: &left)
      }
    case .map(let map):
      for (key, element) in map {
        guard left > 0 else { return }
        left -= Self.elementBytes
        if case .string(let name) = key { left -= name.largeByteCount }
        element.charge(to: &left)
      }
    }
  }
}

extension Text {
  /// The bytes that don't find room in place.
  fileprivate var largeByteCount: Int { utf8Count > Self.smallCountMax ? utf8Count : 0 }
}
