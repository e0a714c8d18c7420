import MoonValues

/// The result of reading a field of a draft.
enum DraftValue {
  case absent
  case scalar(Value)
  case draft(UInt32)
}

/// The reason why the host refuses a script's request.
///
/// The script gets it as an error.
package enum HostRefusal: Error, Sendable {
  case refused(String)

  package var text: String {
    switch self {
    case .refused(let text): text
    }
  }
}

/// The drafts of a draft's entries, by key.
///
/// Most drafts have one or two.
///
/// The first is stored inline if its key fits into two words, which makes reads cheap.
struct Children {
  private var firstKey = PackedDraftKey.none
  private var firstDraft: UInt32 = 0
  private var others: [Key: UInt32]?

  init() {}

  var isEmpty: Bool { firstKey.isNone && others == nil }

  var entries: [(key: Key, draft: UInt32)] {
    (first.map { [$0] } ?? []) + (others ?? [:]).map { (key: $0.key, draft: $0.value) }
  }

  /// The only child, if there is exactly one and it is stored inline.
  var only: (key: Key, draft: UInt32)? { others == nil ? first : nil }

  private var first: (key: Key, draft: UInt32)? { firstKey.key.map { ($0, firstDraft) } }

  subscript(key: Key) -> UInt32? {
    get {
      let packed = PackedDraftKey(key)
      if packed == firstKey, !packed.isNone { return firstDraft }
      return others?[key]
    }
    set {
      let packed = PackedDraftKey(key)
      if !packed.isNone, packed == firstKey {
        if let newValue { firstDraft = newValue } else { firstKey = .none }
      } else if !packed.isNone, firstKey.isNone, let newValue, others?[key] == nil {
        firstKey = packed
        firstDraft = newValue
      } else if newValue != nil || others != nil {
        others = others ?? [:]
        others?[key] = newValue
        if others?.isEmpty == true { others = nil }
      }
    }
  }

  /// The smallest key of a draft among these children.
  ///
  /// - Complexity: O(children).
  func key(of draft: UInt32) -> Key? {
    entries.lazy.filter { $0.draft == draft }.map(\.key).min()
  }

  /// Moves the children at integer keys from `position` on by `distance`.
  ///
  /// - Complexity: O(children).
  mutating func shift(from position: Int64, by distance: Int64) {
    func moved(_ key: Key) -> Key {
      if case .int(let integer) = key, integer >= position { .int(integer + distance) } else { key }
    }
    if let old = first { firstKey = PackedDraftKey(moved(old.key)) }
    guard let old = others else { return }
    others = Dictionary(uniqueKeysWithValues: old.map { (moved($0.key), $0.value) })
  }
}

/// An integer or a small text in two words; `none` for other keys.
struct PackedDraftKey: Equatable {
  // A small text has its length in the lowest byte of `low`, which leaves room for two marks.
  private static let noneMark: UInt64 = 0xFF
  private static let intMark: UInt64 = 0xFE

  static let none = PackedDraftKey(high: 0, low: noneMark)

  private let high: UInt64
  private let low: UInt64

  var isNone: Bool { low == Self.noneMark }

  private init(high: UInt64, low: UInt64) {
    self.high = high
    self.low = low
  }

  init(_ key: Key) {
    switch key {
    case .int(let integer): self.init(high: UInt64(bitPattern: integer), low: Self.intMark)
    case .string(let text):
      if let packed = text.packed {
        self.init(high: packed.0, low: packed.1)
      } else {
        self = .none
      }
    }
  }

  var key: Key? {
    switch low {
    case Self.noneMark: nil
    case Self.intMark: .int(Int64(bitPattern: high))
    default: .string(Text(packed: (high, low)))
    }
  }
}

/// The parents of a draft: usually one, several after `state.b = state.a`.
struct Parents {
  private static let none = UInt32.max

  /// The earliest parent.
  private var firstDraft = none
  private var others: [UInt32]?

  init() {}

  init(_ draft: UInt32) { firstDraft = draft }

  var first: UInt32? { firstDraft == Self.none ? nil : firstDraft }

  var areMany: Bool { others != nil }

  var all: [UInt32] { (first.map { [$0] } ?? []) + (others ?? []) }

  mutating func append(_ draft: UInt32) {
    if first == nil { firstDraft = draft } else { others = (others ?? []) + [draft] }
  }

  /// Removes one occurrence.
  mutating func remove(_ draft: UInt32) {
    var left = all
    guard let place = left.firstIndex(of: draft) else { return }
    left.remove(at: place)
    firstDraft = left.first ?? Self.none
    others = left.count > 1 ? Array(left.dropFirst()) : nil
  }
}

extension Value {
  /// Whether it is a table in Lua.
  var isContainer: Bool {
    switch self {
    case .list, .map: true
    default: false
    }
  }

  /// The element that Lua finds under a key; lists begin at 1.
  func element(_ key: Key) -> Value? {
    switch (self, key) {
    case (.map(let map), _): map[key]
    case (.list(let list), .int(let position)):
      position >= 1 && position <= Int64(list.count) ? list[Int(position) - 1] : nil
    default: nil
    }
  }

  /// Stores an element as a Lua table does; returns false if the keys would be of two kinds.
  ///
  /// Integer keys 1...n always form a list. An empty map becomes a list or a map with its first
  /// key.
  mutating func setElement(_ key: Key, _ value: Value) -> Bool {
    if case .string = key, isNamed {
      withMap { $0[key] = value }
      return true
    }
    switch (self, key) {
    case (.list(let list), .int(let position)) where position >= 1 && position <= list.count + 1:
      return withList {
        if position == list.count + 1 { $0.append(value) } else { $0[Int(position) - 1] = value }
      }
    case (.list(let list), .int):
      self = .map(Map(list.enumerated().map { (.int(Int64($0 + 1)), $1) } + [(key, value)]))
    case (.list(let list), .string):
      guard list.isEmpty else { return false }
      self = .map([key: value])
    case (.map(let map), .int(let position)):
      guard !map.isEmpty else {
        self = position == 1 ? .list([value]) : .map([key: value])
        return true
      }
      guard case .int = map.entry(at: 0).key else { return false }
      withMap { $0[key] = value }
      becomeListIfComplete()
    default: return false
    }
    return true
  }

  // A property of its own, so that nothing holds the map while it is changed; else it is copied.
  /// Whether it is a map without integer keys.
  private var isNamed: Bool {
    guard case .map(let map) = self else { return false }
    if !map.isEmpty, case .int = map.entry(at: 0).key { return false }
    return true
  }

  mutating func removeElement(_ key: Key) {
    switch (self, key) {
    case (.list(let list), .int(let position)) where position >= 1 && position <= list.count:
      if position == list.count {
        withList { $0.removeLast() }
      } else {
        var map = Map(list.enumerated().map { (.int(Int64($0 + 1)), $1) })
        map[key] = nil
        self = .map(map)
      }
    case (.map, _):
      withMap { $0[key] = nil }
      becomeListIfComplete()
    default: break
    }
  }

  /// Changes a list in place: while `body` runs, nothing else holds a reference.
  ///
  /// Returns false for other values.
  @discardableResult
  mutating func withList<R>(_ body: (inout List) -> R) -> Bool {
    guard case .list(var list) = self else {
      guard case .map(let map) = self, map.isEmpty else { return false }
      var list = List()
      _ = body(&list)
      self = .list(list)
      return true
    }
    self = .null
    _ = body(&list)
    self = .list(list)
    return true
  }

  private mutating func withMap(_ body: (inout Map) -> Void) {
    guard case .map(var map) = self else { return }
    self = .null
    body(&map)
    self = .map(map)
  }

  private mutating func becomeListIfComplete() {
    guard case .map(let map) = self, !map.isEmpty, case .int(1) = map.entry(at: 0).key,
      case .int(Int64(map.count)) = map.entry(at: map.count - 1).key
    else { return }
    self = .list(List(map.map(\.value)))
  }
}

extension Map {
  /// A border up to this one is the smallest.
  ///
  /// Equal to `SMALLEST_BORDER_MAX` in C.
  private static let smallestBorderMax = 64

  /// The length of the table in Lua: an n such that n is 0 or a key, and n + 1 is no key.
  ///
  /// A small border is the smallest; a larger one is found by doubling and bisection, as in plain
  /// tables, where linear search would be too slow.
  ///
  /// - Complexity: O(log² n).
  var border: Int {
    let smallest = smallestBorder
    if smallest <= Self.smallestBorderMax { return smallest }
    func isPresent(_ key: Int64) -> Bool { position(of: .int(key)) != nil }
    var present = Int64(Self.smallestBorderMax)
    var absent = present + 1
    while isPresent(absent) {
      present = absent
      if absent >= .max / 2 { return Int(clamping: present) }
      absent *= 2
    }
    while absent - present > 1 {
      let middle = present + (absent - present) / 2
      if isPresent(middle) { present = middle } else { absent = middle }
    }
    return Int(clamping: present)
  }

  /// The largest n such that 1...n are all keys.
  private var smallestBorder: Int {
    guard let start = position(of: .int(1)) else { return 0 }
    // Keys are distinct and ascending, so after one that is too large all others are, too.
    var low = 0
    var high = count - start - 1
    while low < high {
      let middle = (low + high + 1) / 2
      if case .int(Int64(middle + 1)) = entry(at: start + middle).key {
        low = middle
      } else {
        high = middle - 1
      }
    }
    return low + 1
  }
}
