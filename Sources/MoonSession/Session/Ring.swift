/// A queue of a limited length, whose elements are replaced in place when it is full.
///
/// A deque takes 100 instructions more for each action: it moves its elements by functions that
/// count references once more.
struct Ring<Element> {
  /// The maximum number of elements.
  let countMax: Int
  /// The number of elements.
  private(set) var count = 0
  /// The places; those that are free hold nil.
  private var places: [Element?] = []
  /// The place of the first element.
  private var first = 0

  /// Makes an empty ring of at most `countMax` elements, which is at least one.
  init(countMax: Int) { self.countMax = countMax }

  /// The first element, while the ring is full; nil before.
  var firstOfFull: Element? {
    @inline(__always) get { count == countMax ? places[first] : nil }
  }

  /// Appends an element, in place of the first one if the ring is full.
  ///
  /// - Complexity: O(1).
  @inline(__always)
  mutating func append(_ element: consuming Element) {
    if count == countMax {
      places[first] = element
      first = first &+ 1 == countMax ? 0 : first &+ 1
    } else {
      insert(element)
    }
  }

  @inline(never)
  private mutating func insert(_ element: consuming Element) {
    let place = (first + count) % countMax
    count += 1
    if place < places.count { places[place] = element } else { places.append(element) }
  }

  /// Removes and returns the first element; nil if there is none.
  ///
  /// - Complexity: O(1).
  mutating func popFirst() -> Element? {
    guard count > 0 else { return nil }
    defer {
      places[first] = nil
      first = (first + 1) % countMax
      count -= 1
    }
    return places[first]
  }

  /// The elements, first to last.
  var elements: [Element] {
    (0..<count).compactMap { places[(first + $0) % countMax] }
  }
}
