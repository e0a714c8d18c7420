import Synchronization

/// Work for a client that may ask it questions before it ends.
///
/// The client gets a step, which is a question or the end; after its answer, it gets the next one.
final class Conversation<Ending: Sendable>: Sendable {
  enum Step: Sendable {
    case asks(String)
    case ends(Ending)
  }

  private struct Contents {
    /// The step that nobody has taken yet.
    var step: Step?
    var taker: CheckedContinuation<Step, Never>?
    var answer: CheckedContinuation<String?, Never>?
    var isAbandoned = false
  }

  private let contents = Mutex(Contents())
  private let task = Mutex<Task<Void, Never>?>(nil)

  /// Begins the work, which asks by the function that it gets.
  func begin(
    _ body: @escaping @Sendable (@escaping @Sendable (String) async -> String?) async -> Ending
  ) {
    task.withLock {
      $0 = Task { self.give(.ends(await body { await self.ask($0) })) }
    }
  }

  /// Returns the next step.
  func next() async -> Step {
    await withCheckedContinuation { taker in
      contents.withLock { contents in
        if let step = contents.step.take() { return taker.resume(returning: step) }
        contents.taker = taker
      }
    }
  }

  /// Answers the question that was asked; returns false if there is none.
  func answer(_ text: String?) -> Bool {
    let answer = contents.withLock { $0.answer.take() }
    answer?.resume(returning: text)
    return answer != nil
  }

  /// Leaves all questions without an answer, since the client has gone.
  func abandon() {
    task.withLock { $0 }?.cancel()
    contents.withLock { $0.isAbandoned = true }
    _ = answer(nil)
  }

  private func give(_ step: Step) {
    contents.withLock { contents in
      guard let taker = contents.taker.take() else { return contents.step = step }
      taker.resume(returning: step)
    }
  }

  private func ask(_ question: String) async -> String? {
    await withCheckedContinuation { answer in
      let isAbandoned = contents.withLock { contents in
        if !contents.isAbandoned { contents.answer = answer }
        return contents.isAbandoned
      }
      if isAbandoned { return answer.resume(returning: nil) }
      give(.asks(question))
    }
  }
}
