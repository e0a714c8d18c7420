import DequeModule

/// A queue of what waits for a turn, in which every owner has its share of the time.
///
/// Turns are taken in the order in which items came, but those of heavy owners are behind, as a
/// ``TimeAccount`` says.
package struct TurnQueue<Owner: Hashable, Item> {
  private struct Share {
    let owner: Owner
    var waiting: Deque<Item> = []
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
  /// The number of items.
  package private(set) var count = 0

  /// Makes an empty queue.
  package init() {}

  package var isEmpty: Bool { count == 0 }

  /// Whether turns must be measured: there are several owners.
  package var hasRivals: Bool { shares.count > 1 }

  /// Adds an item.
  package mutating func append(_ item: Item, of owner: Owner) {
    if count == 0, shares.count > 1 || !heavy.isEmpty { self = Self() }
    let place = place(of: owner)
    count += 1
    if !shares[place].isHeavy { order.append(place) }
    shares[place].waiting.append(item)
  }

  /// Returns the owner of the item whose turn it is; nil if there is none.
  ///
  /// - Complexity: O(heavy owners), if all that have items are heavy.
  package mutating func next(by account: TimeAccount<Owner>) -> Owner? {
    nextPlace(by: account).map { shares[$0].owner }
  }

  /// Removes and returns the item whose turn it is; nil if there is none.
  package mutating func popFirst(by account: TimeAccount<Owner>) -> Item? {
    guard let place = nextPlace(by: account), let item = shares[place].waiting.popFirst() else {
      return nil
    }
    if !shares[place].isHeavy { order.removeFirst() }
    count -= 1
    return item
  }

  /// Removes and returns the items, in the order in which they would have their turns if no owner
  /// were heavy.
  package consuming func items() -> [Item] {
    var items: [Item] = []
    while let item = popFirst(by: TimeAccount()) { items.append(item) }
    return items
  }

  private mutating func nextPlace(by account: TimeAccount<Owner>) -> Int? {
    while let place = order.first {
      if !shares[place].isHeavy {
        guard account.hasHeavy, account.isHeavy(shares[place].owner) else { return place }
        shares[place].isHeavy = true
        heavy.append(place)
      }
      order.removeFirst()
    }
    return heavy.lazy.filter { [shares] in !shares[$0].waiting.isEmpty }
      .min { [shares] in
        account.excess(of: shares[$0].owner) < account.excess(of: shares[$1].owner)
      }
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
}
