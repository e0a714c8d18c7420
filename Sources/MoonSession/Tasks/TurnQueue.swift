import DequeModule

/// A queue of what waits for a turn, in which every owner has its share of the time.
///
/// Turns are taken in the order in which items came, as long as their owners use little time. An
/// owner that has used more than ``lightMillisecondsMax`` since the queue was last empty is heavy:
/// it waits behind the others, and of heavy owners the one that has used the least has the next
/// turn. So each of n busy owners has an n-th of the time, but for the length of a turn, however
/// many items it has and however long its turns are.
package struct TurnQueue<Owner: Hashable, Item> {
  /// The time that an owner may use before it waits behind those that have used less.
  package static var lightMillisecondsMax: Int { 10 }

  /// The time that an owner may have used less than all others, after it rested.
  private static var savedMillisecondsMax: Int64 { 1_000 }

  private struct Share {
    let owner: Owner
    var waiting: Deque<Item> = []
    /// The time used since the queue was last empty, in nanoseconds.
    var used: Int64 = 0
    var isHeavy = false

    init(_ owner: Owner) { self.owner = owner }
  }

  private var shares: [Share] = []
  private var places: [Owner: Int] = [:]
  /// The place of the owner that was looked up last, which is usually the next one, too.
  private var latest: Int?
  /// The places of the owners of items in the order in which these came.
  ///
  /// Those of heavy owners are passed over.
  private var order: Deque<Int> = []
  private var heavy: [Int] = []
  /// The place of the owner whose turn it is.
  private var running: Int?
  /// The number of items.
  package private(set) var count = 0

  /// Makes an empty queue.
  package init() {}

  package var isEmpty: Bool { count == 0 }

  /// Whether turns must be measured: there are several owners.
  package var hasRivals: Bool { shares.count > 1 }

  /// Adds an item.
  package mutating func append(_ item: Item, of owner: Owner) {
    let place = place(of: owner)
    count += 1
    if !shares[place].isHeavy {
      order.append(place)
    } else if shares[place].waiting.isEmpty {
      // Little of the time in which it didn't want a turn is saved up.
      shares[place].used = max(shares[place].used, leastUsedSoon)
    }
    shares[place].waiting.append(item)
  }

  /// Removes and returns the item whose turn it is; nil if there is none.
  package mutating func popFirst() -> Item? {
    guard let place = nextPlace(), let item = shares[place].waiting.popFirst() else { return nil }
    count -= 1
    running = place
    return item
  }

  /// Notes that the turn of the latest item has ended, after so many nanoseconds.
  package mutating func endTurn(after time: Int64) {
    guard let place = running.take() else { return }
    if count == 0 { return startOver() }
    shares[place].used += max(0, time)
    guard !shares[place].isHeavy, shares[place].used > Int64(Self.lightMillisecondsMax) * 1_000_000
    else {
      return
    }
    shares[place].used = max(shares[place].used, leastUsedSoon)
    shares[place].isHeavy = true
    heavy.append(place)
  }

  private mutating func nextPlace() -> Int? {
    while let place = order.popFirst() { if !shares[place].isHeavy { return place } }
    return heavy.filter { !shares[$0].waiting.isEmpty }.min { shares[$0].used < shares[$1].used }
  }

  /// The least time that an owner counts with which becomes heavy or comes back.
  private var leastUsedSoon: Int64 {
    let waiting = heavy.lazy.map { [shares] in shares[$0] }.filter { !$0.waiting.isEmpty }
    return max(0, (waiting.map(\.used).min() ?? 0) - Self.savedMillisecondsMax * 1_000_000)
  }

  private mutating func place(of owner: Owner) -> Int {
    if let latest, shares[latest].owner == owner { return latest }
    let place = places[owner] ?? shares.count
    if place == shares.count {
      shares.append(Share(owner))
      places[owner] = place
    }
    latest = place
    return place
  }

  /// Forgets what owners have used.
  private mutating func startOver() {
    guard shares.count > 1 || !heavy.isEmpty else { return }
    self = Self()
  }
}
