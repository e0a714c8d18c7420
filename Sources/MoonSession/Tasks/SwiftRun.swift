import MoonValues
import Synchronization

/// The run of an effect that is a Swift function, which runs outside the host.
final class SwiftRun: EffectRun {
  /// The place where the function leaves its result.
  private final class Answer: Sendable {
    let value = Mutex<Value?>(nil)
  }

  private let body: @Sendable (EffectContext) async throws -> Value?
  private let answer = Answer()
  private var code: _Concurrency.Task<Void, Never>?

  init(_ body: @escaping @Sendable (EffectContext) async throws -> Value?) { self.body = body }

  deinit { code?.cancel() }

  /// What the function has returned.
  var values: [Value?] { [answer.value.withLock { $0 }] }

  func resume(with answer: WaitAnswer, at place: () -> TaskPlace) throws -> EffectStep {
    guard code == nil else { return .waits(.code) }
    let context = EffectContext(place())
    code = _Concurrency.Task { [body, answer = self.answer] in
      var failure: (any Error)?
      do {
        let value = try await body(context)
        answer.value.withLock { $0 = value }
      } catch {
        failure = error
      }
      context.finish(failure)
    }
    return .waits(.code)
  }

  func cancel() throws { code?.cancel() }
}

/// A wait of a Swift function.
///
/// Each wait is a task of its own, since a function may wait for several things at once.
package final class SwiftWait: EffectRun {
  /// The identity of a wait, with a flag that says whether the function has abandoned it.
  package final class Ticket: Sendable {
    private let flag = Atomic(false)
    var isCancelled: Bool { flag.load(ordering: .acquiring) }
    func cancel() { flag.store(true, ordering: .releasing) }
  }

  let ticket: Ticket
  private let wait: Wait
  private var continuation: CheckedContinuation<Value?, any Error>?

  init(_ wait: Wait, _ ticket: Ticket, _ continuation: CheckedContinuation<Value?, any Error>) {
    self.wait = wait
    self.ticket = ticket
    self.continuation = continuation
  }

  deinit { finish(.failure(CancellationError())) }

  package func resume(with answer: WaitAnswer, at place: () -> TaskPlace) throws -> EffectStep {
    switch answer {
    case .begin: return .waits(wait)
    case .values(let values): finish(.success(values.first ?? nil))
    case .failure(let message): finish(.failure(Refused(message)))
    // Services are called from Lua, and durable tasks run in it.
    case .service, .recorded: finish(.failure(CancellationError()))
    }
    return .finished([])
  }

  package func cancel() throws { finish(.failure(CancellationError())) }

  /// Ends the wait with an error.
  func fail(_ error: any Error) { finish(.failure(error)) }

  private func finish(_ result: Result<Value?, any Error>) {
    continuation?.resume(with: result)
    continuation = nil
  }
}
