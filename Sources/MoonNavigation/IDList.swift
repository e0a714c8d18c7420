import MoonValues

/// A sorted set of ids, in the form of the state.
struct IDList: Equatable, Sendable {
  /// The ids as texts, in order.
  private(set) var list = List()

  init(_ ids: some Sequence<Text> = []) {
    list = List(Set(ids).sorted().map { .string($0) })
  }

  /// - Complexity: O(n).
  var ids: [Text] { list.compactMap(\.textValue) }

  /// - Complexity: O(log n), like a change.
  func contains(_ id: Text) -> Bool {
    let place = place(of: id)
    return place < list.count && list[place] == .string(id)
  }

  mutating func insert(_ id: Text) {
    let place = place(of: id)
    if place == list.count || list[place] != .string(id) { list.insert(.string(id), at: place) }
  }

  /// Removes an id; returns false if it isn't there.
  @discardableResult
  mutating func remove(_ id: Text) -> Bool {
    let place = place(of: id)
    guard place < list.count, list[place] == .string(id) else { return false }
    list.remove(at: place)
    return true
  }

  /// The ids that the other list lacks.
  ///
  /// - Complexity: O(n).
  func subtracting(_ other: IDList) -> [Text] {
    guard self != other else { return [] }
    var rest: [Text] = []
    var others = other.ids[...]
    for id in ids {
      while let first = others.first, first < id { others.removeFirst() }
      if others.first != id { rest.append(id) }
    }
    return rest
  }

  /// The position of the id, or where it would be inserted.
  private func place(of id: Text) -> Int {
    list.firstPosition { known in
      if case .string(let known) = known { known >= id } else { true }
    }
  }
}
