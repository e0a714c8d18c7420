import MoonTestSupport
import MoonValues
import Testing

/// A map as sorted entries, slow and simple.
private struct MapModel: Equatable {
  var keys: [Key] = []
  var values: [Value] = []

  func index(_ key: Key) -> Int { keys.firstIndex { $0 >= key } ?? keys.count }

  subscript(key: Key) -> Value? {
    get {
      let index = index(key)
      guard index < keys.count, keys[index] == key else { return nil }
      return values[index]
    }
    set {
      let index = index(key)
      let isThere = index < keys.count && keys[index] == key
      switch (newValue, isThere) {
      case (let value?, true): values[index] = value
      case (let value?, false):
        keys.insert(key, at: index)
        values.insert(value, at: index)
      case (nil, true):
        keys.remove(at: index)
        values.remove(at: index)
      case (nil, false): break
      }
    }
  }

  func isEqual(to map: Map) -> Bool {
    map.count == keys.count && map.keys == keys && map.map(\.value) == values
  }
}

struct MapTests {
  @Test(arguments: [1, 2, 3, 4, 5, 6, 7, 8] as [UInt64])
  func `random edits of a map and of its copies agree with sorted entries`(seed: UInt64) {
    var values = RandomValues(seed: seed)
    var map = Map()
    var model = MapModel()
    var kept: [(map: Map, model: MapModel)] = []
    for step in 0..<2500 {
      let key = randomKey(seed: seed, &values)
      // The first half grows the map, the second shrinks it.
      let isSetting = values.random.below(10) < (step < 1500 ? 8 : 3)
      let value: Value? = isSetting ? .int(Int64(step)) : Value?.none
      map[key] = value
      model[key] = value
      if !isSetting, let key = model.keys.randomElement(using: &values.random) {
        map[key] = nil
        model[key] = nil
      }
      #expect(map.count == model.keys.count, "seed \(seed), step \(step)")
      let asked = randomKey(seed: seed, &values)
      #expect(map[asked] == model[asked], "seed \(seed), step \(step)")
      let index = model.index(asked)
      let isThere = model[asked] != nil
      #expect(map.position(of: asked) == (isThere ? index : nil), "seed \(seed), step \(step)")
      #expect(
        map.firstPosition(after: asked) == index + (isThere ? 1 : 0), "seed \(seed), step \(step)")
      if index < model.keys.count {
        let entry = map.entry(at: index)
        #expect(entry.key == model.keys[index], "seed \(seed), step \(step)")
        #expect(entry.value == model.values[index], "seed \(seed), step \(step)")
        if values.random.below(5) == 0 {
          map[entry.key] = .double(Double(step))
          model.values[index] = .double(Double(step))
        }
      }
      if step % 100 == 0 {
        #expect(model.isEqual(to: map), "seed \(seed), step \(step)")
        #expect(map == Map(zip(model.keys, model.values).map { ($0, $1) }))
        kept.append((map, model))
      }
    }
    for old in kept { #expect(old.model.isEqual(to: old.map), "seed \(seed)") }
    for key in model.keys.shuffled(using: &values.random) { map[key] = nil }
    #expect(map.isIdentical(to: Map()))
  }

  private func randomKey(seed: UInt64, _ values: inout RandomValues) -> Key {
    switch seed % 4 {
    case 0: .int(Int64(values.random.below(1000)))
    case 1: .string(Text("key \(values.random.below(1000))"))
    // Long keys that differ only after the first fifteen bytes.
    case 2: .string(Text("a common beginning \(values.random.below(1000))"))
    default: values.key()
    }
  }

  @Test(arguments: [0, 1, 16, 17, 300, 5000])
  func `a map made of sorted entries equals one made key by key`(count: Int) {
    let entries = (0..<count).map { (key: Key.int(Int64($0)), value: Value.int(Int64($0 * 2))) }
    let map = Map(uniqueSorted: entries)
    var grown = Map()
    for entry in entries { grown[entry.key] = entry.value }
    #expect(map == grown)
    #expect(map.keys == entries.map(\.key))
    #expect((0..<count).allSatisfy { map.value(int: Int64($0)) == .int(Int64($0 * 2)) })
  }

  @Test func `of equal keys the last one wins`() {
    #expect(Map([("b", 1), ("a", 2), ("b", 3), (1, 4)]) == [1: 4, "a": 2, "b": 3])
    let literal: Map = ["a": 1, "a": 2]
    #expect(literal["a"] == 2)
  }

  @Test func `removing an absent key changes nothing`() {
    let old: Map = ["a": 1]
    var new = old
    new["b"] = nil
    #expect(new.isIdentical(to: old))
  }

  @Test func `integers come before texts`() {
    let map: Map = ["": 1, "1": 2, 10: 3, -1: 4, 9: 5]
    #expect(map.keys == [-1, 9, 10, "", "1"])
  }

  @Test func `canonically equivalent keys stay distinct`() {
    let map: Map = ["\u{e9}": 1, "e\u{301}": 2]
    #expect(map.count == 2)
    #expect(map["\u{e9}"] == 1)
    #expect(map["e\u{301}"] == 2)
  }

  @Test func `small and integer keys are found without making a key`() throws {
    let map: Map = [7: 1, "seven": 2]
    let packed = try #require(Text("seven").packed)
    #expect(map.value(packed: packed) == 2)
    #expect(map.value(int: 7) == 1)
    #expect(map.value(int: 8) == nil)
    #expect(Map().value(packed: packed) == nil)
  }

  @Test func `replacing a value leaves the copy as it was`() {
    let old: Map = ["a": ["x": 1]]
    var new = old
    new["a"] = .map(Map(key: "y", value: new.entry(at: 0).value))
    #expect(old == ["a": ["x": 1]])
    #expect(new == ["a": ["y": ["x": 1]]])
  }

  @Test func `replacing one value among many shares all other nodes`() {
    let old = Map((0..<10_000).map { (.int($0), ["n": .int($0)]) })
    var new = old
    new[5000] = .null
    let changed = zip(old, new).filter { !$0.value.isIdentical(to: $1.value) }
    #expect(changed.map(\.0.key) == [5000])
    #expect(old[5000] == ["n": 5000])
  }
}
