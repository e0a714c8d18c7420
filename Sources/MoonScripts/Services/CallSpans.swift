import MoonModules
import MoonServiceKit
import MoonSession
import MoonTasks

/// The spans of services' calls, if a program measures them.
extension HostCall {
  /// Begins the span of the call; nil if nothing measures it, or the function only computes.
  func openSpan(of function: ServiceFunction) -> OpenSpan? {
    guard function.kind != .pure, let session = bindings.activity.call?.session else { return nil }
    return session.spans.open(.call(text(0), by: module ?? .prompt, in: session.id))
  }
}

extension OpenSpan? {
  /// Ends the span with what a function returns or throws.
  func measure<R>(_ body: () throws -> R) throws -> R {
    guard let self else { return try body() }
    do {
      let result = try body()
      self.end(.done)
      return result
    } catch {
      self.end(TelemetryResult(of: error))
      throw error
    }
  }

  /// Runs an asynchronous function within the span, and ends it.
  func measure<R>(_ body: () async throws -> R) async throws -> R {
    guard let self else { return try await body() }
    var result: Result<R, any Error> = .failure(CancellationError())
    await self.span.run {
      do {
        result = .success(try await body())
      } catch {
        result = .failure(error)
      }
    }
    return try measure { try result.get() }
  }
}

extension TelemetryResult {
  /// Makes the result of a call that threw: the code of the error, without its message.
  fileprivate init(of error: any Error) {
    switch error {
    case is CancellationError: self = .cancelled
    case let refusal as ServiceRefusal: self = .refused(refusal.code)
    case let failure as any ServiceFailure: self = .failed(failure.code)
    default: self = .failed("failed")
    }
  }
}
