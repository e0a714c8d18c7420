import DequeModule
package import MoonModules
package import MoonValues

/// The endings of the most recent tasks that failed or were cancelled.
package struct TaskEndings {
  /// The maximum number of endings kept.
  static let countMax = 1_000

  private var endings: [TaskID: EffectTask.Ending] = [:]
  private var order: Deque<TaskID> = []

  /// Makes an empty record.
  package init() {}

  package mutating func note(_ ending: EffectTask.Ending, of id: TaskID) {
    if ending.isFinished { return }
    endings[id] = ending
    order.append(id)
    if order.count > Self.countMax, let oldest = order.popFirst() { endings[oldest] = nil }
  }

  /// The ending of a task that isn't running; finished if none is kept.
  package subscript(id: TaskID) -> EffectTask.Ending { endings[id] ?? .finished([]) }
}

extension EffectTask.Ending {
  package var isFinished: Bool { if case .finished = self { true } else { false } }

  /// The ending in words, followed by the message if the task failed, and by the table if a command
  /// raised one.
  ///
  /// A refusal is followed by its reason and its details.
  package var values: [Value?] {
    switch self {
    case .finished: ["finished"]
    case .failed(let fault) where fault.refused != nil:
      ["refused", fault.refused.map { .string(Text($0.reason)) }, fault.refused?.details]
    case .failed(let fault):
      ["failed", .string(Text(fault.messageWithPlace))] + (fault.value.map { [$0] } ?? [])
    case .cancelled: ["cancelled"]
    }
  }
}
