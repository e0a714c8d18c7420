import DequeModule
import MoonValues

/// How tasks have ended that didn't finish, for whoever asks later: the last ones.
struct Endings {
  /// How many are remembered.
  static let countMax = 1_000

  private var endings: [TaskID: EffectTask.Ending] = [:]
  private var order: Deque<TaskID> = []

  mutating func note(_ ending: EffectTask.Ending, of id: TaskID) {
    if ending.isFinished { return }
    endings[id] = ending
    order.append(id)
    if order.count > Self.countMax, let oldest = order.popFirst() { endings[oldest] = nil }
  }

  /// How a task has ended that isn't there any more.
  subscript(id: TaskID) -> EffectTask.Ending { endings[id] ?? .finished }
}

extension EffectTask.Ending {
  var isFinished: Bool { if case .finished = self { true } else { false } }

  /// The word, and the message of a failure.
  var values: [Value?] {
    switch self {
    case .finished: ["finished"]
    case .failed(let fault): ["failed", .string(Text(fault.messageWithPlace))]
    case .cancelled: ["cancelled"]
    }
  }
}
