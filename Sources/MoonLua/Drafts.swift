import MoonValues

/// The parts of the state that one call into Lua has looked at: what a reducer's `state` is.
///
/// A draft stands for a list or map of the tree. Reading makes drafts for the containers met on
/// the way and copies nothing; writing changes the draft's own value, which shares all else with
/// the old tree. Folding puts changed children back into their parents, which gives the new tree.
/// An index names a draft until ``clear()``.
struct Drafts {
  /// One list or map that Lua holds a handle on.
  struct Draft {
    /// A list or map. What lies at the place of a changed child is stale until folding.
    var value: Value
    /// Those that are held, by the key under which they are found here.
    var children = Children()
    /// Those in whose children this one is; several after `state.b = state.a`.
    var parents: [UInt32] = []
    /// Whether this or one below was changed since ``Drafts/folded(_:)`` last ran.
    var isChanged = false
    /// Whether this or one below was changed at all.
    var isTouched = false
    /// How many containers lie above.
    var level: Int
    let isReadOnly: Bool
  }

  /// Drafts that one call may make, so that a script can't exhaust the host.
  static let countMax = 4_000_000

  var drafts: ContiguousArray<Draft> = []
  /// What the first draft is called in errors: `counter`.
  private(set) var rootName = ""
  /// A subtree was moved to a deeper place, where it might exceed the depth that's allowed.
  var mustCheckDepth = false
  /// What was removed last: C reads the bytes of its text after the tree has let go of it.
  var removed = Value.null

  var isEmpty: Bool { drafts.isEmpty }

  /// Makes a draft that belongs to no other; index 0 is the first.
  mutating func addRoot(_ value: Value, name: String, isReadOnly: Bool) -> UInt32 {
    if drafts.isEmpty { rootName = name }
    drafts.append(Draft(value: value, level: 0, isReadOnly: isReadOnly))
    return UInt32(drafts.count - 1)
  }

  /// Forgets all drafts, so that nothing keeps the trees alive.
  mutating func clear() {
    drafts.removeAll(keepingCapacity: drafts.capacity <= 1024)
    mustCheckDepth = false
    removed = .null
  }

  // MARK: Reading

  /// What is under a key: a scalar, nil, or the draft of a container.
  mutating func value(_ index: UInt32, _ key: Key) throws(Refusal) -> DraftValue {
    guard let found = drafts[Int(index)].value.element(key) else { return .absent }
    return try draftValue(found, index, key)
  }

  /// As ``value(_:_:)`` for a small text key given by its packed words, without making a key.
  mutating func value(
    _ index: UInt32, packed: (UInt64, UInt64)
  ) throws(Refusal) -> DraftValue {
    guard case .map(let map) = drafts[Int(index)].value, let found = map.value(packed: packed)
    else { return .absent }
    switch found {
    case .list, .map: return try draftValue(found, index, .string(Text(packed: packed)))
    default: return .scalar(found)
    }
  }

  private mutating func draftValue(
    _ found: Value, _ index: UInt32, _ key: Key
  ) throws(Refusal) -> DraftValue {
    switch found {
    case .list, .map:
      if let child = drafts[Int(index)].children[key] { return .draft(child) }
      return .draft(try adopt(found, index, key))
    default: return .scalar(found)
    }
  }

  private mutating func adopt(
    _ value: Value, _ parent: UInt32, _ key: Key
  ) throws(Refusal) -> UInt32 {
    guard drafts.count < Self.countMax else {
      throw .refused("a call can't look at more than \(Self.countMax) parts of the state")
    }
    let owner = drafts[Int(parent)]
    let child = UInt32(drafts.count)
    drafts.append(
      Draft(value: value, parents: [parent], level: owner.level + 1, isReadOnly: owner.isReadOnly))
    drafts[Int(parent)].children[key] = child
    return child
  }

  /// Lua's `#`: a list's count; for integer keys the last of those that begin at 1 without a gap.
  func length(_ index: UInt32) -> Int {
    switch drafts[Int(index)].value {
    case .list(let list): list.count
    case .map(let map): map.border
    default: 0
    }
  }

  /// The entry after `key` in key order, or the first; nil at the end.
  mutating func next(
    _ index: UInt32, after key: Key?
  ) throws(Refusal) -> (key: Key, value: DraftValue)? {
    switch drafts[Int(index)].value {
    case .list(let list):
      let position: Int
      switch key {
      case nil: position = 0
      case .int(let integer): position = integer < 1 ? 0 : Int(clamping: integer)
      case .string: return nil
      }
      guard position < list.count else { return nil }
      let next = Key.int(Int64(position + 1))
      return (next, try draftValue(list[position], index, next))
    case .map(let map):
      let position = key.map(map.firstPosition(after:)) ?? 0
      guard position < map.count else { return nil }
      let entry = map.entry(at: position)
      return (entry.key, try draftValue(entry.value, index, entry.key))
    default: return nil
    }
  }

  /// `counter.log[3]`, for errors.
  func path(_ index: UInt32, _ key: Key?) -> String {
    var components: [Key] = key.map { [$0] } ?? []
    var current = index
    while let parent = drafts[Int(current)].parents.first, components.count < Value.depthMax {
      guard let name = drafts[Int(parent)].children.key(of: current) else { break }
      components.append(name)
      current = parent
    }
    var path = Path(current == 0 && !rootName.isEmpty ? [.key(Text(rootName))] : [])
    for component in components.reversed() {
      switch component {
      case .int(let integer): path = path.appending(.index(integer))
      case .string(let name): path = path.appending(.key(name))
      }
    }
    return path.description
  }
}
