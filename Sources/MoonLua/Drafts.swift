import MoonValues

/// The parts of the state that one call into Lua has looked at: what a reducer's `state` is.
///
/// A draft stands for a list or map of the tree. Reading makes drafts for the containers met on
/// the way and copies nothing; writing changes the draft's own value, which shares all else with
/// the old tree. Folding puts changed children back into their parents, which gives the new tree.
/// An index names a draft until ``clear()``.
///
/// The drafts lie in memory of their own, which a machine keeps from call to call: reading a field
/// takes no reference counts and no allocation.
struct Drafts: ~Copyable {
  /// One list or map that Lua holds a handle on.
  struct Draft {
    /// A list or map.
    ///
    /// What lies at the place of a changed child is stale until folding.
    var branch: Branch
    /// Those that are held, by the key under which they are found here.
    var children = Children()
    /// Those in whose children this one is.
    var parents = Parents()
    /// How many containers lie above.
    var level: Int32
    let isReadOnly: Bool
    /// Whether this or one below was changed since ``Drafts/folded(_:)`` last ran.
    var isChanged = false
    /// Whether this or one below was changed at all.
    var isTouched = false

    var value: Value {
      get { branch.value }
      _modify { yield &branch.value }
      set { branch.value = newValue }
    }
  }

  /// Drafts that one call may make, so that a script can't exhaust the host.
  static let countMax = 4_000_000
  /// Room for drafts that is kept between calls.
  private static let keptMax = 1024

  /// `count` drafts, each of which owns its branch.
  private(set) var drafts: UnsafeMutablePointer<Draft>
  private(set) var count = 0
  private var capacity: Int
  /// What a reducer's state is called in errors: `counter`.
  private let sliceName: String
  /// What a draft that was made first and isn't a slice's is called.
  private var viewName: String?
  /// A subtree was moved to a deeper place, where it might exceed the depth that's allowed.
  var mustCheckDepth = false
  /// By how many entries the drafts have grown since the last ``clear()``.
  var growth = 0
  /// What was removed last: C reads the bytes of its text after the tree has let go of it.
  var removed = Value.null

  init(sliceName: String) {
    self.sliceName = sliceName
    capacity = 16
    drafts = .allocate(capacity: capacity)
  }

  deinit {
    for index in 0..<count { drafts[index].branch.release() }
    drafts.deinitialize(count: count)
    drafts.deallocate()
  }

  var isEmpty: Bool { count == 0 }

  /// What the first draft is called in errors.
  var rootName: String { viewName ?? sliceName }

  /// Makes the draft that a reducer changes; index 0 is the first.
  mutating func addSlice(_ value: Value) -> UInt32 {
    append(Draft(branch: Branch(value), level: 0, isReadOnly: false))
  }

  /// Makes a draft that is changed and isn't a slice; index 0 is the first.
  mutating func addDraft(_ value: Value, name: String) -> UInt32 {
    viewName = name
    return addSlice(value)
  }

  /// Makes a draft that is only read and belongs to no other; index 0 is the first.
  mutating func addView(_ value: Value, name: String) -> UInt32 {
    if count == 0 { viewName = name }
    return append(Draft(branch: Branch(value), level: 0, isReadOnly: true))
  }

  @inline(__always)
  private mutating func append(_ draft: consuming Draft) -> UInt32 {
    if count == capacity { resize(to: capacity * 2) }
    (drafts + count).initialize(to: draft)
    count &+= 1
    return UInt32(truncatingIfNeeded: count &- 1)
  }

  private mutating func resize(to larger: Int) {
    let room = UnsafeMutablePointer<Draft>.allocate(capacity: larger)
    room.moveInitialize(from: drafts, count: count)
    drafts.deallocate()
    drafts = room
    capacity = larger
  }

  /// Forgets all drafts, so that nothing keeps the trees alive.
  mutating func clear() {
    for index in 0..<count {
      drafts[index].branch.release()
      (drafts + index).deinitialize(count: 1)
    }
    count = 0
    viewName = nil
    mustCheckDepth = false
    growth = 0
    removed = .null
    if capacity > Self.keptMax { resize(to: 16) }
  }

  // MARK: Reading

  /// What is under a key: a scalar, nil, or the draft of a container.
  mutating func value(_ index: UInt32, _ key: Key) throws(Refusal) -> DraftValue {
    guard let slot = drafts[Int(index)].branch.slot(key) else { return .absent }
    switch slot.pointee {
    case .list, .map: return .draft(try child(index, key, slot))
    default: return .scalar(slot.pointee)
    }
  }

  /// The draft of the list or map that lies in `slot` of another.
  mutating func child(
    _ index: UInt32, _ key: Key, _ slot: UnsafePointer<Value>
  ) throws(Refusal) -> UInt32 {
    if let known = drafts[Int(index)].children[key] { return known }
    return try adopt(slot.pointee, index, key)
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
    guard count < Self.countMax else {
      throw .refused("a call can't look at more than \(Self.countMax) parts of the state")
    }
    let owner = drafts + Int(parent)
    let child = append(
      Draft(
        branch: Branch(value), parents: Parents(parent), level: owner.pointee.level &+ 1,
        isReadOnly: owner.pointee.isReadOnly))
    drafts[Int(parent)].children[key] = child
    return child
  }

  /// Lua's `#`: a list's count; for integer keys the last of those that begin at 1 without a gap.
  func length(_ index: UInt32) -> Int {
    let branch = drafts[Int(index)].branch
    if branch.kind == .list { return branch.count }
    return branch.value.mapValue?.border ?? 0
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
