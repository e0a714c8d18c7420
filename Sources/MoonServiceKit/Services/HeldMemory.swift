import DequeModule
import Synchronization

/// The memory that a host holds for one module beside the module's machine.
///
/// Bytes are held from the moment at which they come to be until they go, wherever they lie: in the
/// arguments of calls, in answers and actions that no code of the module has taken yet, and in the
/// buffers of streams and connections. A call that would exceed the limit fails. What arrives by
/// itself waits before more than half of the memory is held, so that calls find room, unless a task
/// awaits it.
///
/// What is smaller than `countedBytesMin` isn't counted, since other limits bound its number. Nor
/// are two things with limits of their own: the line that a program is writing, which is one for
/// each of a module's programs, and the history of a session, which all modules share.
package final class HeldMemory: Sendable {
  /// The number of bytes from which anything is counted.
  package static let countedBytesMin = 4 << 10

  private struct Arrival {
    let number: Int
    let bytes: Int
    let inlet: Inlet
    /// Receives the share, or nil if the arrival was withdrawn.
    let admitted: @Sendable (Share?) -> Void
  }

  private struct State {
    var bytes = 0
    var arrivals: Deque<Arrival> = []
    var lastNumber = 0

    /// The arrival to admit: the first that a task awaits and that has room, or else the first of
    /// all if it leaves half of the memory free.
    ///
    /// The cost is linear in the number of arrivals, of which each stream or connection has one.
    func next(bytesMax: Int, arrivedBytesMax: Int) -> Int? {
      if let index = arrivals.firstIndex(where: {
        $0.inlet.isAwaited && $0.bytes <= bytesMax - bytes
      }) {
        return index
      }
      guard let first = arrivals.first, first.bytes <= arrivedBytesMax - bytes else { return nil }
      return 0
    }
  }

  /// The maximum number of bytes.
  package let bytesMax: Int
  private let state = Mutex(State())

  /// Makes the memory of a module for which nothing is held; 0 means no limit.
  package init(bytesMax: Int) { self.bytesMax = bytesMax > 0 ? bytesMax : .max }

  /// The number of bytes that are held.
  package var bytes: Int { state.withLock { $0.bytes } }

  /// What may be held when something arrives by itself.
  private var arrivedBytesMax: Int { bytesMax / 2 }

  /// Holds bytes until the share is released; returns nil if they are too few to count.
  ///
  /// - Throws: ``ServiceRefusal/memoryFull(max:)``.
  package func hold(_ bytes: Int) throws(ServiceRefusal) -> Share? {
    guard bytes >= Self.countedBytesMin else { return nil }
    try take(bytes)
    return Share(of: bytes, in: self)
  }

  /// Waits until bytes that arrive by themselves have room, and holds them until the share is
  /// released; returns nil if they are too few to count.
  ///
  /// - Throws: ``ServiceRefusal/memoryFull(max:)`` if there can't be room for so many,
  ///   `CancellationError`.
  package func admit(_ bytes: Int, through inlet: Inlet) async throws -> Share? {
    let number = newNumber()
    try requireRoom(for: bytes)
    return try await withTaskCancellationHandler {
      let share = await withCheckedContinuation { continuation in
        enqueue(number, bytes, inlet) { continuation.resume(returning: $0) }
        // The handler below comes too early if the task was cancelled before it waits.
        if _Concurrency.Task.isCancelled { withdraw(number) }
      }
      guard let share else { throw CancellationError() }
      return share.isCounted ? share : nil
    } onCancel: {
      withdraw(number)
    }
  }

  /// Waits until there is room for what arrives by itself; returns true.
  func hasRoom(for inlet: Inlet) async throws -> Bool {
    _ = try await admit(0, through: inlet)
    return true
  }

  /// Tells a function when bytes that arrive by themselves have room; it may be called at once.
  ///
  /// Returns the number that withdraws the arrival.
  ///
  /// - Throws: ``ServiceRefusal/memoryFull(max:)`` if there can't be room for so many.
  package func admit(
    _ bytes: Int, through inlet: Inlet, then admitted: @escaping @Sendable (Share?) -> Void
  ) throws(ServiceRefusal) -> Int {
    try requireRoom(for: bytes)
    let number = newNumber()
    enqueue(number, bytes, inlet, admitted)
    return number
  }

  /// Withdraws an arrival that waits; does nothing if it was admitted.
  package func withdraw(_ number: Int) {
    let arrival = state.withLock { state in
      state.arrivals.firstIndex { $0.number == number }.map { state.arrivals.remove(at: $0) }
    }
    arrival?.admitted(nil)
    // Those behind it may need less.
    admitWaiting()
  }

  /// The number of arrivals that wait.
  package var waitingCount: Int { state.withLock { $0.arrivals.count } }

  private func newNumber() -> Int {
    state.withLock { state in
      state.lastNumber &+= 1
      return state.lastNumber
    }
  }

  private func requireRoom(for bytes: Int) throws(ServiceRefusal) {
    guard bytes <= arrivedBytesMax else { throw .memoryFull(max: bytesMax) }
  }

  private func enqueue(
    _ number: Int, _ bytes: Int, _ inlet: Inlet, _ admitted: @escaping @Sendable (Share?) -> Void
  ) {
    state.withLock {
      $0.arrivals.append(
        Arrival(number: number, bytes: bytes, inlet: inlet, admitted: admitted))
    }
    admitWaiting()
  }

  /// Admits arrivals in the order in which they came, those that are awaited first, as long as they
  /// have room.
  private func admitWaiting() {
    while true {
      let next = state.withLock { state -> Arrival? in
        guard let index = state.next(bytesMax: bytesMax, arrivedBytesMax: arrivedBytesMax) else {
          return nil
        }
        let arrival = state.arrivals.remove(at: index)
        if arrival.bytes >= Self.countedBytesMin { state.bytes += arrival.bytes }
        return arrival
      }
      guard let next else { return }
      let isCounted = next.bytes >= Self.countedBytesMin
      next.admitted(Share(of: isCounted ? next.bytes : 0, in: self))
    }
  }

  private func take(_ bytes: Int) throws(ServiceRefusal) {
    let hasRoom = state.withLock { state in
      guard bytes <= bytesMax - state.bytes else { return false }
      state.bytes += bytes
      return true
    }
    guard hasRoom else { throw .memoryFull(max: bytesMax) }
  }

  private func giveBack(_ bytes: Int) {
    let mayAdmit = state.withLock { state in
      state.bytes -= bytes
      return !state.arrivals.isEmpty
    }
    if mayAdmit { admitWaiting() }
  }

  /// The place where what one stream or connection receives comes into the memory.
  ///
  /// While a task awaits what comes next, it goes before others and may use all of the memory.
  /// Otherwise what the others have received could keep it out, and the task would wait for ever.
  package final class Inlet: Sendable {
    package let memory: HeldMemory
    private let awaitingCount = Atomic(0)

    package init(into memory: HeldMemory) { self.memory = memory }

    fileprivate var isAwaited: Bool { awaitingCount.load(ordering: .sequentiallyConsistent) > 0 }

    /// Awaits in `body` what comes next.
    package func awaiting<R>(_ body: () async throws -> R) async rethrows -> R {
      awaitingCount.add(1, ordering: .sequentiallyConsistent)
      defer { awaitingCount.subtract(1, ordering: .sequentiallyConsistent) }
      memory.admitWaiting()
      return try await body()
    }
  }

  /// Bytes that are held as long as the object lives.
  package final class Share: Sendable {
    private let memory: HeldMemory
    private let bytes: Atomic<Int>

    fileprivate init(of bytes: Int, in memory: HeldMemory) {
      self.memory = memory
      self.bytes = Atomic(bytes)
    }

    deinit {
      let bytes = bytes.load(ordering: .relaxed)
      if bytes > 0 { memory.giveBack(bytes) }
    }

    fileprivate var isCounted: Bool { bytes.load(ordering: .relaxed) > 0 }

    /// Holds more bytes.
    ///
    /// - Throws: ``ServiceRefusal/memoryFull(max:)``.
    package func grow(by more: Int) throws(ServiceRefusal) {
      guard more > 0 else { return }
      try memory.take(more)
      bytes.add(more, ordering: .relaxed)
    }
  }
}

extension HeldMemory {
  /// Holds bytes that grow: `more` in their share, or all of them in a new one once they count.
  ///
  /// - Throws: ``ServiceRefusal/memoryFull(max:)``.
  package func hold(
    _ bytes: Int, growingBy more: Int, in share: inout Share?
  ) throws(ServiceRefusal) {
    if let share { return try share.grow(by: more) }
    share = try hold(bytes)
  }
}
