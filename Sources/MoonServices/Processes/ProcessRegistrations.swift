import Moonwire
import Synchronization

/// The processes that run for the modules of one host.
final class ProcessRegistrations: Sendable {
  /// The maximum number of processes of one module at a time.
  static let countMax = 16

  /// The module whose processes are counted together.
  private struct Owner: Hashable {
    let module: ModuleName?
    let session: SessionID
  }

  private struct Contents {
    var lastID = 0
    var running: [Int: (owner: Owner, task: Task<Void, Never>)] = [:]
  }

  private let contents = Mutex(Contents())

  /// Runs a process for the calling module, and counts it meanwhile.
  ///
  /// It is cancelled with the caller.
  ///
  /// - Throws: ``ProcessFailure/tooMany(max:)`` and the errors of `body`.
  func run<Result: Sendable>(
    for call: ServiceCall, _ body: @escaping @Sendable () async throws -> Result
  ) async throws -> Result {
    let (results, continuation) = AsyncThrowingStream.makeStream(of: Result.self)
    let task = try start(for: call) {
      do {
        continuation.yield(try await body())
        continuation.finish()
      } catch {
        continuation.finish(throwing: error)
      }
    }
    return try await withTaskCancellationHandler {
      // A stream ends when its reader is cancelled, though the process may still be ending.
      for try await result in results { return result }
      throw CancellationError()
    } onCancel: {
      task.cancel()
    }
  }

  /// Starts the work of a process for the calling module, and counts it until its end.
  ///
  /// - Throws: ``ProcessFailure/tooMany(max:)``.
  func start(
    for call: ServiceCall, _ body: @escaping @Sendable () async -> Void
  ) throws(ProcessFailure) -> Task<Void, Never> {
    let owner = Owner(module: call.module, session: call.session)
    return try contents.withLock { contents throws(ProcessFailure) in
      guard contents.running.values.count(where: { $0.owner == owner }) < Self.countMax else {
        throw .tooMany(max: Self.countMax)
      }
      contents.lastID += 1
      let id = contents.lastID
      let task = Task {
        await body()
        self.contents.withLock { $0.running[id] = nil }
      }
      contents.running[id] = (owner, task)
      return task
    }
  }

  /// Ends all processes and waits for their end.
  func endAll() async {
    let tasks = contents.withLock { $0.running.values.map(\.task) }
    for task in tasks { task.cancel() }
    for task in tasks { await task.value }
  }
}
