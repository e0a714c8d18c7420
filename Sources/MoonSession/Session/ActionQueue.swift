import DequeModule

/// Actions, in whatever form their session has them, that wait until those before them are done.
///
/// Whoever dispatches an action owns it: a module, or nil for all who aren't modules. Actions leave
/// in the order in which they came, but in rounds, each with at most ``turnsMax`` of one owner: the
/// actions of an owner that floods the queue wait for each other, and the others don't wait for
/// them. In a full queue, whoever has the most makes room.
package struct ActionQueue<Owner: Hashable, Waiting> {
  /// How many actions may wait: a module that answers each action with two would never stop.
  package static var countMax: Int { 10_000 }
  /// How many bytes all that wait may have: so much fits beside the modules, and is far more than
  /// actions need that only say what happened.
  package static var bytesMax: Int { 64 << 20 }
  /// How many actions of one owner leave before those of the others that wait.
  package static var turnsMax: Int { 100 }

  /// An action that waits.
  package struct Entry {
    /// Whose it is.
    package let owner: Owner?
    package let action: Waiting
    /// How many bytes it has.
    package let bytes: Int
  }

  private var shares: [Owner?: Share] = [:]
  private var rounds = Rounds()
  /// How many wait.
  package private(set) var count = 0
  /// How many bytes they have.
  package private(set) var bytes = 0

  /// Makes an empty queue.
  package init() {}

  /// Whether none wait.
  package var isEmpty: Bool { count == 0 }

  /// Puts an action at the end; returns those that made room for it, newest first.
  ///
  /// They belong to owners that have more than this one would have with it.
  ///
  /// - Throws: ``ActionQueueFull`` if nobody has more in a full queue; the action isn't taken.
  /// - Complexity: O(1) while there is room, else O(owners) for each that makes room.
  package mutating func append(
    _ action: Waiting, of owner: Owner?, bytes: Int = 0
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
    insert(Entry(owner: owner, action: action, bytes: bytes))
    return removed
  }

  /// Takes the next action.
  package mutating func popFirst() -> Entry? {
    while count > 0, let owner = rounds.nextOwner() {
      // Nil if the one that this turn was for was removed.
      guard let entry = shares[owner]?.takeTurn() else { continue }
      forget(entry)
      return entry
    }
    return nil
  }

  /// How many places an owner finds at least.
  ///
  /// - Complexity: O(owners).
  package func room(for owner: Owner?) -> Int {
    let own = shares[owner]?.waiting.count ?? 0
    let most = shares.values.lazy.map(\.waiting.count).max() ?? 0
    // Half the difference: what one owner gives, the other has.
    return Self.countMax - count + max(0, most - own) / 2
  }

  /// Forgets what waits of an owner; returns how many there were.
  package mutating func removeAll(of owner: Owner?) -> Int {
    var removed = 0
    while let entry = shares[owner]?.removeNewest() {
      removed += 1
      forget(entry)
    }
    return removed
  }

  /// Forgets all that wait; returns how many there were.
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
    if shares[entry.owner, default: first].add(entry) {
      rounds.giveTurn(to: entry.owner, &shares[entry.owner, default: first])
    }
  }

  /// Counts an action no more; begins anew when none wait.
  private mutating func forget(_ entry: Entry) {
    count -= 1
    bytes -= entry.bytes
    if count == 0 { self = Self() }
  }

  /// Removes the newest actions of whoever has the most until all have no more than `rest`.
  ///
  /// `size` is what a share has of what is scarce, `needed` what the owner wants of it. False, with
  /// nothing removed, if the owner would have more than those that it is taken from.
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

  /// Who has the most; of several that have, the one that came first.
  private func heaviest(_ size: KeyPath<Share, Int>, besides owner: Owner?) -> Owner?? {
    shares.filter { $0.key != owner && !$0.value.waiting.isEmpty }.max {
      let (left, right) = ($0.value[keyPath: size], $1.value[keyPath: size])
      return left == right ? $0.value.order > $1.value.order : left < right
    }?.key
  }

  /// What an owner has in the queue.
  private struct Share {
    /// Counted in the order in which owners came.
    let order: Int
    /// The latest round in which it has turns.
    var round: Int
    /// How many turns it got in that round.
    var roundTurns = 0
    /// How many turns it has in all: one for each action, and those of removed actions until
    /// others take them.
    var turns = 0
    /// Its actions, oldest first.
    var waiting: Deque<Entry> = []
    /// How many bytes they have.
    var bytes = 0

    init(order: Int, round: Int) {
      self.order = order
      self.round = round
    }

    /// Adds an action; whether it needs a turn.
    mutating func add(_ entry: Entry) -> Bool {
      waiting.append(entry)
      bytes += entry.bytes
      return turns < waiting.count
    }

    /// Uses a turn up, with the oldest action if there is one.
    mutating func takeTurn() -> Entry? {
      turns -= 1
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

  /// Whose turn comes when.
  private struct Rounds {
    private var turns: Deque<Deque<Owner?>> = []
    /// The number of the present round.
    private(set) var firstNumber = 0

    /// Gives an owner a turn, in the first round in which it may have one more.
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

    /// Takes the next turn; nil if there is none.
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

/// A queue holds as much as it may.
package enum ActionQueueFull: Error, Equatable {
  /// So many actions.
  case count
  /// So many bytes.
  case bytes
}
