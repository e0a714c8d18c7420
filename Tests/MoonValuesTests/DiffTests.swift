import MoonTestSupport
import MoonValues
import Testing

struct DiffTests {
  @Test(arguments: [.min, -1, 0] as [Int])
  func `a limit below one leaves no room for a change`(limit: Int) {
    let diff = Diff.changes(from: [1, 2], to: [3, 4], limit: limit)
    #expect(diff.changes.isEmpty)
    #expect(diff.isTruncated)
  }

  @Test(
    arguments: [
      (1, 2, [Change(path: Path(), before: 1, after: 2)]),
      (["a": 1], ["a": 1], []),
      (
        ["a": 1, "b": 2], ["a": 1, "c": 3],
        [
          Change(path: Path([.key("b")]), before: 2, after: .none),
          Change(path: Path([.key("c")]), before: .none, after: 3),
        ]
      ),
      (
        ["a": ["b": [1, 2, 3]]], ["a": ["b": [1, 5, 3]]],
        [Change(path: Path([.key("a"), .key("b"), .index(2)]), before: 2, after: 5)]
      ),
      (
        ["a": [1]], ["a": ["x": 1]],
        [Change(path: Path([.key("a")]), before: [1], after: ["x": 1])]
      ),
      ([:], ["a": ["b": 1]], [Change(path: Path([.key("a")]), before: .none, after: ["b": 1])]),
      ([1, 2, 3], [1, 3], [Change(path: Path([.index(2)]), before: 2, after: .none)]),
      ([1, 3], [1, 2, 3], [Change(path: Path([.index(2)]), before: .none, after: 2)]),
      (
        [1, 2, 3, 9], [1, 7, 9],
        [
          Change(path: Path([.index(2)]), before: 2, after: 7),
          Change(path: Path([.index(3)]), before: 3, after: .none),
        ]
      ),
      ([1, 1], [1], [Change(path: Path([.index(2)]), before: 1, after: .none)]),
      (
        [], [1, 2],
        [
          Change(path: Path([.index(1)]), before: .none, after: 1),
          Change(path: Path([.index(2)]), before: .none, after: 2),
        ]
      ),
      ([1: nil], [:], [Change(path: Path([.index(1)]), before: .null, after: .none)]),
    ] as [(Value, Value, [Change])])
  func `two values differ in these places`(old: Value, new: Value, changes: [Change]) {
    let diff = Diff.changes(from: old, to: new)
    #expect(diff.changes == changes)
    #expect(!diff.isTruncated)
  }

  @Test(arguments: 1...30 as ClosedRange<UInt64>)
  func `applying the changes to the old value gives the new one`(seed: UInt64) {
    var values = RandomValues(seed: seed)
    for _ in 0..<20 {
      let old = values.value()
      var new = old
      for _ in 0..<values.random.below(5) { edit(&new, &values) }
      for (from, to) in [(old, new), (new, old), (old, values.value())] {
        let changes = Diff.changes(from: from, to: to, limit: .max).changes
        #expect(changes.isEmpty == (from == to), "seed \(seed)")
        #expect(apply(changes, to: from) == to, "seed \(seed): \(from) to \(to)")
        #expect(changes.allSatisfy { $0.before == from.value(at: $0.path) || $0.before == .none })
        #expect(changes.allSatisfy { $0.after == to.value(at: $0.path) || $0.after == .none })
      }
    }
  }

  @Test(arguments: 1...4 as ClosedRange<UInt64>)
  func `changes of large trees are found by looking into few nodes`(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    let old = Map((0..<100_000).map { (.int(Int64($0) * 2), .int(Int64($0))) })
    var new = old
    var changed: Set<Int64> = []
    while changed.count < 3 {
      let key = Int64(random.below(200_000))
      guard changed.insert(key).inserted else { continue }
      if key.isMultiple(of: 2), random.below(2) == 0 {
        new[.int(key)] = Value?.none
      } else {
        new[.int(key)] = "changed"
      }
    }
    let diff = Diff.changes(from: .map(old), to: .map(new))
    #expect(diff.changes.map(\.path) == changed.sorted().map { Path([.index($0)]) })
    #expect(diff.visitCount < 200, "seed \(seed)")
  }

  @Test func `a map grown by many keys costs what it grew`() {
    let old = Map((0..<20_000).map { (.int(Int64($0) * 10), .int(Int64($0))) })
    var new = old
    for key in 100_000..<100_500 { new[.int(Int64(key))] = "new" }
    let diff = Diff.changes(from: .map(old), to: .map(new))
    #expect(diff.changes.count == 500)
    #expect(diff.visitCount < 500)
  }

  @Test(arguments: [0, 2, 500, 998, 999])
  func `removing one of a thousand list values is one change`(position: Int) {
    let old = List((0..<1000).map { .list([.int($0)]) })
    var new = old
    let removed = new.remove(at: position)
    let path = Path([.index(Int64(position) + 1)])
    let gone = Diff.changes(from: .list(old), to: .list(new))
    #expect(gone.changes == [Change(path: path, before: removed, after: .none)])
    #expect(gone.visitCount < 50)
    let back = Diff.changes(from: .list(new), to: .list(old))
    #expect(back.changes == [Change(path: path, before: .none, after: removed)])
  }

  @Test func `a changed item of a long list is found by looking into few nodes`() {
    let old = List((0..<100_000).map { .map(["n": .int($0)]) })
    var new = old
    new[77_777] = ["n": 1]
    let diff = Diff.changes(from: .list(old), to: .list(new))
    #expect(diff.changes.map(\.path.description) == ["[77778].n"])
    #expect(diff.visitCount < 50)
  }

  @Test func `changes beyond the limit are left out and said to be`() {
    let old: Value = [1, 2, 3]
    let new: Value = [4, 5, 6]
    let cut = Diff.changes(from: old, to: new, limit: 2)
    #expect(cut.changes.map(\.path.description) == ["[1]", "[2]"])
    #expect(cut.isTruncated)
    #expect(!Diff.changes(from: old, to: new, limit: 3).isTruncated)
  }
}

/// Makes a random change in a value.
private func edit(_ value: inout Value, _ values: inout RandomValues) {
  switch value {
  case .list(var list) where !list.isEmpty:
    let position = values.random.below(list.count)
    switch values.random.below(4) {
    case 0: list.remove(at: position)
    case 1: list.insert(values.value(depth: 1), at: position)
    default: edit(&list[position], &values)
    }
    value = .list(list)
  case .map(var map) where !map.isEmpty:
    let position = values.random.below(map.count)
    switch values.random.below(4) {
    case 0: map[map.entry(at: position).key] = Value?.none
    case 1: map[values.key()] = values.value(depth: 1)
    default:
      var value = map.entry(at: position).value
      edit(&value, &values)
      map[map.entry(at: position).key] = value
    }
    value = .map(map)
  default:
    value = values.value(depth: 1)
  }
}

/// Applies the changes in the order for which `Diff` promises that they work.
private func apply(_ changes: [Change], to value: Value) -> Value {
  var value = value
  for change in changes where change.after != .none {
    put(change, change.path.components[...], &value)
  }
  for change in changes.reversed() where change.after == .none {
    put(change, change.path.components[...], &value)
  }
  return value
}

private func put(_ change: Change, _ path: ArraySlice<Path.Component>, _ value: inout Value) {
  guard let component = path.first else {
    if let after = change.after { value = after }
    return
  }
  let rest = path.dropFirst()
  switch value {
  case .map(var map):
    if rest.isEmpty {
      map[component.mapKey] = change.after
    } else if var value = map[component.mapKey] {
      put(change, rest, &value)
      map[component.mapKey] = value
    }
    value = .map(map)
  case .list(var list):
    guard case .index(let index) = component else { return }
    let position = Int(index) - 1
    switch (rest.isEmpty, change.before, change.after) {
    case (true, .none, let after?): list.insert(after, at: position)
    case (true, .some, .none): list.remove(at: position)
    case (true, _, let after?): list[position] = after
    default: put(change, rest, &list[position])
    }
    value = .list(list)
  default: break
  }
}
