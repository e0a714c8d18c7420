import DequeModule
package import MoonValues
import Synchronization

/// What a test puts in place of a stream or a connection: it sends what arrives, and sees what the
/// module sends.
package final class AnsweredHandle: Sendable {
  /// The reason that nothing can arrive.
  package enum Misuse: Error, CustomStringConvertible {
    /// The test has ended it.
    case hasEnded
    /// The module has closed it.
    case isClosed
    /// The module hasn't taken what has arrived before.
    case isFull

    /// A few words.
    package var description: String {
      switch self {
      case .hasEnded: "it has ended already"
      case .isClosed: "the module has closed it"
      case .isFull: "\(AnsweredHandle.countMax) values wait for the module already"
      }
    }
  }

  /// The failure of a module that has sent more than the test has received.
  private struct NotReceived: ServiceFailure {
    let code = "not_received"
    let description = "\(AnsweredHandle.countMax) messages wait for the test already"
  }

  /// The maximum number of values that wait on each side.
  static let countMax = 10_000

  /// What a wait for the next value ends with; no values at the end.
  private typealias Arrival = Result<[Value]?, any Error>

  private struct State {
    var arrived: Deque<Arrival> = []
    var ending: Arrival?
    var waits: [(number: Int, continuation: CheckedContinuation<Arrival, Never>)] = []
    var waitCount = 0
    var cancelled: Set<Int> = []
    var sent: Deque<Map> = []
    var isOpened = false
    weak var opened: OpenHandle?

    var isClosed: Bool { isOpened && opened?.isOpen != true }
  }

  /// What the methods return that return at once, by name.
  private let facts: Map
  private let state: Mutex<State>

  /// Makes a handle.
  package init(_ facts: Map = Map()) {
    self.facts = facts
    state = Mutex(State())
  }

  /// Makes a stream of values that ends after them.
  convenience init(values: List) {
    self.init()
    state.withLock {
      $0.arrived = Deque(values.map { .success([$0]) })
      $0.ending = .success(nil)
    }
  }

  // MARK: The side of the test

  /// The number of tasks that wait for the next value.
  package var waitCount: Int { state.withLock { $0.waits.count } }

  /// Whether the module has closed it.
  package var isClosed: Bool { state.withLock { $0.isClosed } }

  /// Lets values arrive, which the module gets as the results of one call.
  ///
  /// - Throws: ``Misuse``
  package func send(_ values: [Value]) throws(Misuse) {
    try arrive(.success(values), isEnding: false)
  }

  /// Ends what arrives, after all that has arrived; with a failure if there is one.
  ///
  /// - Throws: ``Misuse``
  package func end(_ failure: (any ServiceFailure)? = nil) throws(Misuse) {
    try arrive(failure.map { .failure($0) } ?? .success(nil), isEnding: true)
  }

  /// Returns the arguments by name of the next call with which the module has sent something; nil
  /// if there is none.
  package func receive() -> Map? { state.withLock { $0.sent.popFirst() } }

  private func arrive(_ arrival: Arrival, isEnding: Bool) throws(Misuse) {
    let (misuse, waits) = state.withLock {
      state -> (Misuse?, [CheckedContinuation<Arrival, Never>]) in
      if state.ending != nil { return (.hasEnded, []) }
      if state.isClosed { return (.isClosed, []) }
      if state.arrived.count >= Self.countMax, !isEnding { return (.isFull, []) }
      if isEnding {
        state.ending = arrival
      } else if state.waits.isEmpty {
        state.arrived.append(arrival)
      }
      // An ending is for all that wait.
      let count = isEnding ? state.waits.count : min(1, state.waits.count)
      defer { state.waits.removeFirst(count) }
      return (nil, state.waits.prefix(count).map(\.continuation))
    }
    for wait in waits { wait.resume(returning: arrival) }
    if let misuse { throw misuse }
  }

  // MARK: The side of the module

  /// Opens the handle for a module.
  func open(as kind: HandleKind) -> OpenHandle {
    let handle = OpenHandle(kind, self) {}
    state.withLock {
      $0.isOpened = true
      $0.opened = handle
    }
    return handle
  }

  /// Waits for the next values; nil at the end.
  fileprivate func next() async throws -> [Value]? {
    let number = state.withLock { state in
      state.waitCount += 1
      return state.waitCount
    }
    let arrival = await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let known: Arrival? = state.withLock { state in
          if state.cancelled.contains(number) { return .success(nil) }
          if let first = state.arrived.popFirst() { return first }
          if let ending = state.ending { return ending }
          state.waits.append((number, continuation))
          return nil
        }
        if let known { continuation.resume(returning: known) }
      }
    } onCancel: {
      let wait = state.withLock { state -> CheckedContinuation<Arrival, Never>? in
        state.cancelled.insert(number)
        guard let index = state.waits.firstIndex(where: { $0.number == number }) else { return nil }
        return state.waits.remove(at: index).continuation
      }
      wait?.resume(returning: .success(nil))
    }
    return try arrival.get()
  }

  /// Notes what the module has sent.
  ///
  /// - Throws: ``ArgumentProblem/closed`` after the end; a failure if too many messages wait for
  ///   the test.
  fileprivate func note(_ arguments: Map) throws {
    let (isOver, isFull) = state.withLock { state in
      let (isOver, isFull) = (state.ending != nil, state.sent.count >= Self.countMax)
      if !isOver, !isFull { state.sent.append(arguments) }
      return (isOver, isFull)
    }
    if isOver { throw ArgumentProblem.closed }
    if isFull { throw NotReceived() }
  }

  fileprivate func fact(_ name: String) -> ServiceResult {
    facts[name].map { .value($0) } ?? .nothing
  }
}

extension HandleKind {
  /// The same kind for handles that a test has opened.
  var answered: HandleKind {
    HandleKind(name: name, summary: summary, methods: methods.map(\.ofAnsweredHandle))
  }
}

extension ServiceFunction {
  /// The method of a handle that a test has opened.
  ///
  /// `next` gets what arrives, other methods that tasks wait for send their arguments, and those
  /// that return at once return what the test has said.
  fileprivate var ofAnsweredHandle: ServiceFunction {
    let name = name
    let code: Body =
      switch body {
      case .later(let prepare):
        .later { arguments in
          let handle = try arguments.answeredHandle()
          // For the checks of the arguments alone, which end at the handle.
          do { _ = try prepare(arguments) } catch ArgumentProblem.closed {}
          guard name == "next" else {
            return { _ in
              try handle.note(arguments.map)
              return .result(.nothing)
            }
          }
          return { _ in
            let values = try await handle.next()
            return .result(values.map { .several($0.map { .value($0) }) } ?? .nothing)
          }
        }
      case .now: .now { _, arguments in try arguments.answeredHandle().fact(name) }
      case .script: .script
      }
    return ServiceFunction(
      name, summary, kind, parameters, returns: returns, opened: opened, code)
  }
}

extension ServiceArguments {
  fileprivate func answeredHandle() throws(ArgumentProblem) -> AnsweredHandle {
    guard let resource = handle?.resource as? AnsweredHandle else { throw .closed }
    return resource
  }
}
