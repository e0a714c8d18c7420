import DequeModule

/// A queue of actions that wait for those before them, in whatever form their session holds them.
///
/// The owner of an action is the module that dispatched it, or nil if no module did. Actions leave
/// in the order in which they came, but in rounds, each with at most ``turnsMax`` of one owner. So
/// an owner that floods the queue delays only its own actions. Where actions take long, they can
/// leave by the time that their owners have used instead, as a ``TimeAccount`` says. When the queue
/// is full, the owner with the most actions makes room.
package struct ActionQueue<Owner: Hashable, Waiting> {
  /// The maximum number of queued actions.
  ///
  /// Without it, a module that answers each action with two would fill all memory.
  package static var countMax: Int { 10_000 }
  /// The maximum size of all queued actions in bytes.
  ///
  /// It is small compared to the memory of modules, and large compared to actions that describe
  /// events.
  package static var bytesMax: Int { 64 << 20 }
  /// The milliseconds of others' work for which an action keeps its place before later ones.
  ///
  /// So they run in the order in which they were dispatched, unless many wait.
  package static var placeMillisecondsMax: Int { 100 }
  /// The number of actions that one owner may take in a round.
  package static var turnsMax: Int { 100 }

  /// A queued action.
  package struct Entry {
    /// The owner; nil if no module dispatched the action.
    package let owner: Owner?
    package let action: Waiting
    /// The size in bytes.
    package let bytes: Int
    /// The place in the order in which actions came.
    fileprivate var number = 0
    /// The time that had been used when the action came, in nanoseconds.
    fileprivate let time: Int64
  }

  private var shares: [Owner?: Share] = [:]
  private var rounds = Rounds()
  /// The number of the next action.
  private var nextNumber = 0
  /// The number of queued actions.
  package private(set) var count = 0
  /// The size of all queued actions in bytes.
  package private(set) var bytes = 0

  /// Makes an empty queue.
  package init() {}

  /// Whether the queue is empty.
  package var isEmpty: Bool { count == 0 }

  /// Appends an action; returns the actions that were removed to make room, newest first.
  ///
  /// They belong to owners that have more in the queue than this one would have with the new
  /// action. `time` is the ``TimeAccount/total`` so far.
  ///
  /// - Throws: ``ActionQueueFull`` if the queue is full and no owner has more. The action isn't
  ///   added.
  /// - Complexity: O(1) while there is room, else O(owners) for each action removed.
  package mutating func append(
    _ action: Waiting, of owner: Owner?, bytes: Int = 0, at time: Int64 = 0
  ) throws(ActionQueueFull) -> [Entry] {
    var removed: [Entry] = []
    guard bytes <= Self.bytesMax else { throw .bytes }
    if bytes > Self.bytesMax - self.bytes {
      guard removeNewest(until: Self.bytesMax - bytes, \.bytes, for: owner, bytes, &removed)
      else { throw .bytes }
    }
    if count >= Self.countMax {
      guard removeNewest(until: Self.countMax - 1, \.waiting.count, for: owner, 1, &removed)
      else { throw .count }
    }
    insert(Entry(owner: owner, action: action, bytes: bytes, time: time))
    return removed
  }

  /// Removes and returns the next action.
  package mutating func popFirst() -> Entry? {
    while count > 0, let owner = rounds.nextOwner() {
      // Nil if the action for this turn was removed.
      guard let entry = shares[owner]?.takeTurn() else { continue }
      forget(entry)
      return entry
    }
    return nil
  }

  /// Returns the owner of the action that is next; nil if there is none.
  ///
  /// That is the oldest action. Once it has waited for long, it is the oldest one of the owner that
  /// has used the least time.
  ///
  /// - Complexity: O(owners).
  package func next(by account: TimeAccount<Owner?>) -> Owner?? {
    let waiting = shares.lazy.compactMap { owner, share in
      share.waiting.first.map { (owner: owner, first: $0) }
    }
    guard let oldest = waiting.min(by: { $0.first.number < $1.first.number }) else { return nil }
    let waited = account.total - oldest.first.time
    if waited < Int64(Self.placeMillisecondsMax) * 1_000_000 { return oldest.owner }
    return waiting.min {
      (account.excess(of: $0.owner), $0.first.number)
        < (account.excess(of: $1.owner), $1.first.number)
    }?.owner
  }

  /// Removes and returns the oldest action of an owner, which leaves its turn to a later one.
  package mutating func popFirst(of owner: Owner?) -> Entry? {
    guard let entry = shares[owner]?.removeOldest() else { return nil }
    forget(entry)
    return entry
  }

  /// Returns the number of actions that an owner can append for certain.
  ///
  /// - Complexity: O(owners).
  package func room(for owner: Owner?) -> Int {
    let own = shares[owner]?.waiting.count ?? 0
    let most = shares.values.lazy.map(\.waiting.count).max() ?? 0
    // Half the difference, since each place that one owner loses the other gains.
    return Self.countMax - count + max(0, most - own) / 2
  }

  /// Removes the actions of an owner; returns their number.
  package mutating func removeAll(of owner: Owner?) -> Int {
    var removed = 0
    while let entry = shares[owner]?.removeNewest() {
      removed += 1
      forget(entry)
    }
    return removed
  }

  /// Passes each action to a function, in no particular order.
  ///
  /// - Complexity: O(actions).
  package func forEach(_ body: (Waiting) -> Void) {
    for share in shares.values { for entry in share.waiting { body(entry.action) } }
  }

  /// Passes the first action of each owner to a function.
  ///
  /// - Complexity: O(owners).
  package func forEachFirst(_ body: (Waiting) -> Void) {
    for share in shares.values { if let entry = share.waiting.first { body(entry.action) } }
  }

  /// Removes the actions for which `isRemoved` returns true.
  ///
  /// - Complexity: O(actions).
  package mutating func removeAll(where isRemoved: (Waiting) -> Bool) {
    var rest: [Entry] = []
    while let entry = popFirst() { if !isRemoved(entry.action) { rest.append(entry) } }
    for entry in rest { insert(entry) }
  }

  /// Adds the actions of another queue, whose limits held for them.
  package mutating func append(contentsOf other: consuming Self) {
    while let entry = other.popFirst() { insert(entry) }
  }

  /// Removes all actions; returns their number.
  @discardableResult
  package mutating func removeAll() -> Int {
    let removed = count
    self = Self()
    return removed
  }

  private mutating func insert(_ entry: Entry) {
    count += 1
    bytes += entry.bytes
    let first = Share(order: shares.count, round: rounds.firstNumber)
    var entry = entry
    entry.number = nextNumber
    nextNumber += 1
    if shares[entry.owner, default: first].add(entry) {
      rounds.giveTurn(to: entry.owner, &shares[entry.owner, default: first])
    }
  }

  /// Stops counting an action; starts new rounds if the queue is empty.
  private mutating func forget(_ entry: Entry) {
    count -= 1
    bytes -= entry.bytes
    if count == 0 { self = Self() }
  }

  /// Removes the newest actions of the owner with the most until the total is at most `rest`.
  ///
  /// `size` selects the measure of a share that is at its limit, and `needed` is the amount that
  /// the owner needs. Returns false and removes nothing if the owner would then have more than
  /// those it takes from.
  private mutating func removeNewest(
    until rest: Int, _ size: KeyPath<Share, Int>, for owner: Owner?, _ needed: Int,
    _ removed: inout [Entry]
  ) -> Bool {
    let own = (shares[owner]?[keyPath: size] ?? 0) + needed
    let others = shares.filter { $0.key != owner }.mapValues { $0[keyPath: size] }
    let surplus = others.values.reduce(0) { $0 + max(0, $1 - own) }
    var excess = shares.values.reduce(0) { $0 + $1[keyPath: size] } - rest
    guard surplus >= excess else { return false }
    while excess > 0, let heaviest = heaviest(size, besides: owner),
      let entry = shares[heaviest]?.removeNewest()
    {
      excess -= size == \Share.bytes ? entry.bytes : 1
      removed.append(entry)
      forget(entry)
    }
    return true
  }

  /// Returns the owner with the most; among equals, the one that came first.
  private func heaviest(_ size: KeyPath<Share, Int>, besides owner: Owner?) -> Owner?? {
    shares.filter { $0.key != owner && !$0.value.waiting.isEmpty }.max {
      let (left, right) = ($0.value[keyPath: size], $1.value[keyPath: size])
      return left == right ? $0.value.order > $1.value.order : left < right
    }?.key
  }

  /// One owner's actions in the queue.
  private struct Share {
    /// The place in the order in which owners came.
    let order: Int
    /// The latest round in which the owner has turns.
    var round: Int
    /// The number of turns it was given in that round.
    var roundTurns = 0
    /// The number of turns in all: one for each action, and those of removed actions until other
    /// actions take them.
    var turns = 0
    /// The actions, oldest first.
    var waiting: Deque<Entry> = []
    /// The size of the actions in bytes.
    var bytes = 0

    init(order: Int, round: Int) {
      self.order = order
      self.round = round
    }

    /// Adds an action; returns whether it needs a new turn.
    mutating func add(_ entry: Entry) -> Bool {
      waiting.append(entry)
      bytes += entry.bytes
      return turns < waiting.count
    }

    /// Uses one turn; returns the oldest action, if there is one.
    mutating func takeTurn() -> Entry? {
      turns -= 1
      return removeOldest()
    }

    /// Removes the oldest action, which leaves its turn to a later one.
    mutating func removeOldest() -> Entry? {
      let entry = waiting.popFirst()
      bytes -= entry?.bytes ?? 0
      return entry
    }

    mutating func removeNewest() -> Entry? {
      let entry = waiting.popLast()
      bytes -= entry?.bytes ?? 0
      return entry
    }
  }

  /// The order of the owners' turns.
  private struct Rounds {
    private var turns: Deque<Deque<Owner?>> = []
    /// The number of the current round.
    private(set) var firstNumber = 0

    /// Gives an owner a turn in the first round that has one left for it.
    mutating func giveTurn(to owner: Owner?, _ share: inout Share) {
      if share.round < firstNumber {
        share.round = firstNumber
        share.roundTurns = 0
      } else if share.roundTurns == ActionQueue.turnsMax {
        share.round += 1
        share.roundTurns = 0
      }
      share.turns += 1
      share.roundTurns += 1
      while turns.count <= share.round - firstNumber { turns.append([]) }
      turns[share.round - firstNumber].append(owner)
    }

    /// Returns the owner of the next turn; nil if there is none.
    mutating func nextOwner() -> Owner?? {
      while !turns.isEmpty {
        if let owner = turns[0].popFirst() { return .some(owner) }
        turns.removeFirst()
        firstNumber += 1
      }
      return nil
    }
  }
}

/// The limit that a full queue has reached.
package enum ActionQueueFull: Error, Equatable {
  /// The number of actions.
  case count
  /// The size in bytes.
  case bytes
}
