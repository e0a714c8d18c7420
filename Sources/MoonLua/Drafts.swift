import CMoonLua
import MoonValues

/// The parts of the state that a call into Lua has accessed, such as a reducer's `state`.
///
/// A draft represents a list or map of the tree. Reading creates drafts for containers on the way
/// and copies nothing. Writing changes the draft's own value, which shares everything else with the
/// old tree. Folding stores changed children in their parents, which gives the new tree. An index
/// identifies a draft until ``clear()``.
///
/// Drafts are stored in a buffer that a machine keeps from call to call: reading a field needs no
/// reference counting and no allocation.
struct Drafts: ~Copyable {
  /// The most drafts of a call, so that a script can't exhaust the host.
  static let countMax = Int(MOON_DRAFTS_MAX)
  /// The memory of a draft, as a number of entries.
  private static let growthOfDraft = 2
  /// The capacity that is kept between calls.
  private static let keptMax = 1024

  /// A buffer of `count` drafts.
  private(set) var drafts: UnsafeMutablePointer<Draft>
  private(set) var count = 0
  private var capacity: Int
  /// The name of a reducer's state in error messages: `counter`.
  private let sliceName: String
  /// The name of the first draft, if that isn't a slice.
  private var viewName: String?
  /// The name of the arguments in error messages.
  private var argumentName: StaticString = "payload"
  /// Whether a subtree was moved to a deeper place, where it might exceed the depth limit.
  var mustCheckDepth = false
  /// The number of entries that the drafts have gained since the last ``clear()``, and the memory
  /// of those that were made for parts of others.
  var growth = 0
  /// Whether a part of an argument was stored elsewhere or returned since the last ``clear()``.
  var sharesArguments = false
  /// The way back to the lent value of the first draft.
  var change = LentValue.Change()
  /// The element removed last.
  ///
  /// C reads the bytes of its text when the tree no longer holds it.
  var removed = Value.null

  init(sliceName: String) {
    self.sliceName = sliceName
    capacity = 16
    drafts = .allocate(capacity: capacity)
  }

  deinit {
    drafts.deinitialize(count: count)
    drafts.deallocate()
  }

  var isEmpty: Bool { count == 0 }

  /// Whether a draft is an argument or a part of one.
  func isArgument(_ index: UInt32) -> Bool { drafts[Int(index)].origin == .argument }

  /// The name of the first draft in error messages.
  var rootName: String { viewName ?? sliceName }

  /// Adds the first draft, whose value it takes.
  ///
  /// `name` is its name in error messages; nil stands for the slice's. `isLent` is whether someone
  /// may want the value back as it was.
  mutating func lend(_ value: inout Value, name: String?, isLent: Bool = true) -> UInt32 {
    if name != nil { viewName = name }
    return append(
      Draft(branch: Branch(moving: &value), level: 0, origin: .subject, isLent: isLent))
  }

  /// Adds the draft of a payload, if it is a list or a map, or null, which is an empty map here.
  mutating func addPayload(_ value: Value) -> UInt32? {
    switch value {
    case .list, .map: addArgument(value, name: "payload")
    case .null: addArgument(.map(Map()), name: "payload")
    default: nil
    }
  }

  /// Adds the draft of an argument that is a list or a map.
  ///
  /// `name` is the name of the call's arguments in error messages.
  mutating func addArgument(_ value: Value, name: StaticString) -> UInt32 {
    argumentName = name
    return append(Draft(branch: Branch(value), level: 0, origin: .argument))
  }

  /// Adds a read-only draft.
  mutating func addView(_ value: Value, name: String) -> UInt32 {
    if count == 0 { viewName = name }
    growth &+= Self.growthOfDraft
    return append(Draft(branch: Branch(value), level: 0, origin: .view))
  }

  /// Throws if the call has as many drafts as it may.
  func requireRoom() throws(HostRefusal) {
    guard count < Self.countMax else {
      throw .refused("a call can't look at more than \(Self.countMax) parts of the state")
    }
  }

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

  /// Removes all drafts, and with them the references to their trees.
  mutating func clear() {
    drafts.deinitialize(count: count)
    count = 0
    if viewName != nil { viewName = nil }
    mustCheckDepth = false
    growth = 0
    sharesArguments = false
    removed = .null
    if !change.isNone { change.clear() }
    if capacity > Self.keptMax { resize(to: 16) }
  }

  // MARK: Reading

  /// The element under a key: a scalar, or the draft of a container.
  mutating func value(_ index: UInt32, _ key: Key) throws(HostRefusal) -> DraftValue {
    guard let slot = drafts[Int(index)].branch.slot(key) else { return .absent }
    switch slot.pointee {
    case .list, .map: return .draft(try child(index, key, slot))
    default: return .scalar(slot.pointee)
    }
  }

  /// The draft of the list or map in `slot` of another draft.
  mutating func child(
    _ index: UInt32, _ key: Key, _ slot: UnsafePointer<Value>
  ) throws(HostRefusal) -> UInt32 {
    if let known = drafts[Int(index)].children[key] { return known }
    return try adopt(slot.pointee, index, key)
  }

  private mutating func draftValue(
    _ found: Value, _ index: UInt32, _ key: Key
  ) throws(HostRefusal) -> DraftValue {
    switch found {
    case .list, .map:
      if let child = drafts[Int(index)].children[key] { return .draft(child) }
      return .draft(try adopt(found, index, key))
    default: return .scalar(found)
    }
  }

  private mutating func adopt(
    _ value: Value, _ parent: UInt32, _ key: Key
  ) throws(HostRefusal) -> UInt32 {
    try requireRoom()
    let owner = drafts + Int(parent)
    let child = append(
      Draft(
        branch: Branch(value), parents: Parents(parent), level: owner.pointee.level &+ 1,
        origin: owner.pointee.origin))
    growth &+= Self.growthOfDraft
    drafts[Int(parent)].children[key] = child
    return child
  }

  /// The length in Lua: the count of a list, a border of a map.
  func length(_ index: UInt32) -> Int {
    let branch = drafts[Int(index)].branch
    if branch.kind == .list { return branch.count }
    return branch.value.mapValue?.border ?? 0
  }

  /// The entry after `key` in key order, or the first entry; nil at the end.
  mutating func next(
    _ index: UInt32, after key: Key?
  ) throws(HostRefusal) -> (key: Key, value: DraftValue)? {
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

  /// The path of a draft, or of a key in it, for error messages: `counter.log[3]`.
  func path(_ index: UInt32, _ key: Key?) -> String {
    var components: [Key] = key.map { [$0] } ?? []
    var current = index
    while let parent = drafts[Int(current)].parents.first, components.count < Value.depthMax {
      guard let name = drafts[Int(parent)].children.key(of: current) else { break }
      components.append(name)
      current = parent
    }
    let name = isArgument(current) ? "\(argumentName)" : current == 0 ? rootName : ""
    var path = Path(name.isEmpty ? [] : [.key(Text(name))])
    for component in components.reversed() {
      switch component {
      case .int(let integer): path = path.appending(.index(integer))
      case .string(let name): path = path.appending(.key(name))
      }
    }
    return path.description
  }
}
