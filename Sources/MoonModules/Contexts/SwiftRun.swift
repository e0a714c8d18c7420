import MoonValues
import Synchronization

/// The run of an effect that is a Swift function, which runs outside the host.
final class SwiftRun: EffectRun {
  private let body: @Sendable (EffectContext) async throws -> Value?
  private var code: _Concurrency.Task<Void, Never>?

  init(_ body: @escaping @Sendable (EffectContext) async throws -> Value?) { self.body = body }

  deinit { code?.cancel() }

  func resume(with answer: WaitAnswer, at place: () -> TaskPlace) throws -> EffectStep {
    guard code == nil else { return .waits(.code) }
    let place = place()
    let context = EffectContext(place)
    code = _Concurrency.Task { [body] in
      await place.span.run {
        do {
          context.finish(.success(try await body(context)))
        } catch {
          context.finish(.failure(error))
        }
      }
    }
    return .waits(.code)
  }

  func cancel() throws { code?.cancel() }
}

/// A wait of a Swift function.
///
/// Each wait is a task of its own, since a function may wait for several things at once.
package final class SwiftWait: EffectRun {
  /// What a function and the host know of a wait: its task, and whether the function has abandoned
  /// it.
  package final class Ticket: Sendable {
    private let state = Mutex<(isCancelled: Bool, task: TaskID?)>((false, nil))
    var isCancelled: Bool { state.withLock { $0.isCancelled } }
    /// The task that waits; nil before it begins.
    var task: TaskID? {
      get { state.withLock { $0.task } }
      set { state.withLock { $0.task = newValue } }
    }
    func cancel() { state.withLock { $0.isCancelled = true } }
  }

  private let wait: Wait
  private var continuation: CheckedContinuation<Value?, any Error>?

  init(_ wait: Wait, _ continuation: CheckedContinuation<Value?, any Error>) {
    self.wait = wait
    self.continuation = continuation
  }

  deinit { finish(.failure(CancellationError())) }

  package func resume(with answer: WaitAnswer, at place: () -> TaskPlace) throws -> EffectStep {
    switch answer {
    case .begin: return .waits(wait)
    case .values(let values): finish(.success(values.first ?? nil))
    case .failure(let message): finish(.failure(TaskError(message)))
    // Services are called from Lua, and durable tasks run in it.
    case .service, .recorded: finish(.failure(CancellationError()))
    }
    return .finished([])
  }

  package func cancel() throws { finish(.failure(CancellationError())) }

  /// Ends the wait with an error.
  package func fail(_ error: any Error) { finish(.failure(error)) }

  private func finish(_ result: Result<Value?, any Error>) {
    continuation?.resume(with: result)
    continuation = nil
  }
}
