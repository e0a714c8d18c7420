import Moonwire
import Synchronization

/// What a session has committed and a test hasn't looked at, and the faults of its modules.
final class ActionLog: Sendable {
  /// An action with the slice of the tested feature before and after it.
  struct Entry: Sendable {
    let action: Action
    let before: Value
    let after: Value
  }

  private struct Contents {
    var entries: [Entry] = []
    var faults: [String] = []
    var running = ""
    var isFinished = false
  }

  private let contents = Mutex(Contents())
  private let slice: String

  init(ofSlice slice: String) { self.slice = slice }

  /// The module that tells the log of actions.
  func module(named name: ModuleName) -> sending Module {
    var module = Module(name: name, description: "Tells a test what happens")
    module.afterReduce = [
      AfterReduce { [self] action, before, after, _ in
        note(action, before, after)
        return []
      }
    ]
    return module
  }

  private func note(_ action: Action, _ before: Value, _ after: Value) {
    let owner = action.type.string.prefix { $0 != "/" }
    guard !ModuleName.taken.contains(String(owner)) else { return }
    let entry = Entry(
      action: action, before: before[slice] ?? .map(Map()), after: after[slice] ?? .map(Map()))
    contents.withLock { $0.entries.append(entry) }
  }

  /// Notes an event, if it is about a failure that nobody is told of otherwise.
  func note(_ event: HostEvent) {
    let text: String
    switch event {
    case .fault(_, let fault): text = "\(fault)"
    case .refused(_, let refusal, _): text = "\(DispatchError.refused(refusal))"
    case .dispatchFailed(_, let failure): text = failure.sentence
    default: return
    }
    contents.withLock { $0.faults.append(text) }
  }

  /// Notes a problem with a module that was found while it was loaded.
  func note(_ problem: ModuleProblem) {
    contents.withLock { $0.faults.append(problem.description) }
  }

  /// The effects that ran when the store was last used.
  var running: String {
    get { contents.withLock { $0.running } }
    set { contents.withLock { $0.running = newValue } }
  }

  /// Whether the test has said that it is over.
  var isFinished: Bool { contents.withLock { $0.isFinished } }

  /// Notes that the test is over.
  func finish() { contents.withLock { $0.isFinished = true } }

  /// The actions that weren't taken yet, the oldest first.
  var entries: [Entry] { contents.withLock { $0.entries } }

  /// Removes and returns the oldest action.
  func takeFirst() -> Entry? {
    contents.withLock { $0.entries.isEmpty ? nil : $0.entries.removeFirst() }
  }

  /// Removes all actions.
  func clear() { contents.withLock { $0.entries = [] } }

  /// Removes and returns the faults so far.
  func takeFaults() -> [String] {
    contents.withLock { contents in
      defer { contents.faults = [] }
      return contents.faults
    }
  }
}
