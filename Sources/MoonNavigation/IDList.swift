import MoonValues

/// A sorted set of ids, in the form of the state.
struct IDList: Equatable, Sendable {
  private(set) var ids: [Text] = []

  init(_ ids: some Sequence<Text> = []) {
    self.ids = Set(ids).sorted()
  }

  /// O(log n).
  func contains(_ id: Text) -> Bool {
    let place = place(of: id)
    return place < ids.count && ids[place] == id
  }

  mutating func insert(_ id: Text) {
    let place = place(of: id)
    if place == ids.count || ids[place] != id { ids.insert(id, at: place) }
  }

  mutating func remove(_ id: Text) {
    let place = place(of: id)
    if place < ids.count, ids[place] == id { ids.remove(at: place) }
  }

  /// Those that the other hasn't.
  ///
  /// O(n).
  func subtracting(_ other: IDList) -> IDList {
    guard self != other else { return IDList() }
    var rest = IDList()
    var others = other.ids[...]
    for id in ids {
      while let first = others.first, first < id { others.removeFirst() }
      if others.first != id { rest.ids.append(id) }
    }
    return rest
  }

  /// The position of the id, or where it would be inserted.
  private func place(of id: Text) -> Int {
    var (low, high) = (0, ids.count)
    while low < high {
      let middle = (low + high) / 2
      if ids[middle] < id { low = middle + 1 } else { high = middle }
    }
    return low
  }
}
