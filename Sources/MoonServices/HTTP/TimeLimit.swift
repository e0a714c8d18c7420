import NIOCore
import NIOPosix
import Synchronization

/// Runs an operation and cancels it after a time.
///
/// - Throws: What the operation throws, or `failure` if the time has passed.
func withTimeLimit<Result: Sendable>(
  _ seconds: Double?, orThrow failure: HTTPFailure,
  _ operation: @escaping @Sendable () async throws -> Result
) async throws -> Result {
  guard let seconds else { return try await operation() }
  let work = Task { try await operation() }
  let limit = TimeLimit()
  // A sleeping task would leave its timer behind, which stays until the time has passed.
  let alarm = MultiThreadedEventLoopGroup.singleton.any().scheduleTask(
    in: .nanoseconds(Int64(clamping: Int(seconds * 1e9)))
  ) {
    limit.hasPassed.store(true, ordering: .releasing)
    work.cancel()
  }
  defer { alarm.cancel() }
  do {
    return try await withTaskCancellationHandler {
      try await work.value
    } onCancel: {
      work.cancel()
    }
  } catch {
    throw limit.hasPassed.load(ordering: .acquiring) && !Task.isCancelled ? failure : error
  }
}

/// Whether the time of an operation has passed.
private final class TimeLimit: Sendable {
  let hasPassed = Atomic(false)
}
