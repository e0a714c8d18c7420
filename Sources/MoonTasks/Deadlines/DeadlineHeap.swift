import HeapModule

/// A deadline of a task: the end of a wait, or of the task's maximum life.
struct TaskDeadline {
  let time: Duration
  /// Tells deadlines apart that are at the same time.
  let order: Int
  let task: EffectTask
  /// The number of the wait that ends; nil for the end of the task's life.
  let waitNumber: Int?

  /// Whether the deadline still applies.
  var isLive: Bool {
    guard let waitNumber else { return task.standing != .ended }
    return task.wait != nil && task.waitNumber == waitNumber
  }
}

/// Deadlines, the earliest of which is found and removed quickly.
struct DeadlineHeap {
  /// What the heap compares: no references, which it would count at each step, and no duration,
  /// whose comparison is a call.
  private struct Place: Comparable {
    let attoseconds: Int128
    let order: Int

    init(_ deadline: TaskDeadline) {
      attoseconds = deadline.time.attoseconds
      order = deadline.order
    }

    static func < (left: Place, right: Place) -> Bool {
      left.attoseconds == right.attoseconds
        ? left.order < right.order : left.attoseconds < right.attoseconds
    }
  }

  private var places = Heap<Place>()
  private var deadlines: [Int: TaskDeadline] = [:]

  /// Makes a heap without deadlines.
  init() {}

  /// Makes a heap of deadlines in any order.
  init(_ all: [TaskDeadline]) {
    places = Heap(all.map(Place.init))
    for deadline in all { deadlines[deadline.order] = deadline }
  }

  var count: Int { places.count }
  /// The deadlines in no order.
  var unordered: some Collection<TaskDeadline> { deadlines.values }
  /// The earliest time; nil if there is no deadline.
  var earliest: Duration? { places.min.map { Duration(attoseconds: $0.attoseconds) } }

  mutating func insert(_ deadline: TaskDeadline) {
    places.insert(Place(deadline))
    deadlines[deadline.order] = deadline
  }

  /// Removes and returns the earliest deadline; nil if there is none.
  mutating func popFirst() -> TaskDeadline? {
    places.popMin().flatMap { deadlines.removeValue(forKey: $0.order) }
  }
}
