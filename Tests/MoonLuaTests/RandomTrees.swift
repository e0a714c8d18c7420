import MoonTestSupport
import MoonValues

/// Random trees that a state can hold: the keys of a map are of one kind.
struct RandomTrees {
  static let scalars: [Value] = [
    .null, true, false, 0, 1, -1, .int(.min), .int(.max), .int(1 << 53), .int((1 << 53) + 1),
    .double(0.0), .double(-0.0), 0.1, .double(.infinity), .double(-.infinity), 1e300,
    .double(.leastNonzeroMagnitude), .double(9_007_199_254_740_994), .double(9.3e18), 2.0,
    "", "a", "\0", "a\0b", "exactly15bytes!", "exactly16 bytes!", "é", "\u{10FFFF}",
    "\u{FFFF}", "👩‍👩‍👧", "1", "true", .string(Text(String(repeating: "long", count: 500))),
  ]
  static let names = [
    "a", "b", "c", "", "\0", "key with space", "1", "a key that is longer than fifteen bytes",
    "exactly15bytes!", "é", "_x9",
  ]

  var random: SplitMix64

  init(seed: UInt64) {
    random = SplitMix64(seed: seed)
  }

  mutating func integer() -> Int64 {
    switch random.below(4) {
    case 0: random.pick([.min, .max, 0, -1, .max - 1])
    case 1: Int64(bitPattern: random.next())
    default: Int64(random.below(9))
    }
  }

  mutating func scalar() -> Value {
    switch random.below(5) {
    case 0: .int(Int64(bitPattern: random.next()))
    case 1: .double(Double(random.below(2000) - 1000) / 8)
    default: random.pick(Self.scalars)
    }
  }

  /// Returns a list or map whose parts are nested at most `depth` deep.
  mutating func tree(depth: Int = 4) -> Value {
    let count = random.below(5)
    var parts: [Value] = []
    for _ in 0..<count {
      parts.append(depth > 1 && random.below(2) == 0 ? tree(depth: depth - 1) : scalar())
    }
    switch random.below(3) {
    case 0: return .list(List(parts))
    case 1: return .map(Map(parts.map { (.string(Text(random.pick(Self.names))), $0) }))
    default: return .map(Map(parts.map { (.int(integer()), $0) }))
    }
  }
}

extension Value {
  /// The value as Lua represents it: integer keys from 1 on are a list, in whatever order they were
  /// added.
  var asLuaHasIt: Value {
    switch self {
    case .list(let list): return .list(List(list.map(\.asLuaHasIt)))
    case .map(let map):
      let isList =
        !map.isEmpty
        && map.enumerated().allSatisfy { place, entry in entry.key == .int(Int64(place + 1)) }
      if isList { return .list(List(map.map(\.value.asLuaHasIt))) }
      return .map(Map(map.map { ($0.key, $0.value.asLuaHasIt) }))
    default: return self
    }
  }

  /// The value with empty lists as empty maps.
  var withoutEmptyLists: Value {
    switch self {
    case .list(let list) where list.isEmpty: .map(Map())
    case .list(let list): .list(List(list.map(\.withoutEmptyLists)))
    case .map(let map): .map(Map(map.map { ($0.key, $0.value.withoutEmptyLists) }))
    default: self
    }
  }
}
