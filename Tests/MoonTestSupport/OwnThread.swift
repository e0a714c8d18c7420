import Dispatch
package import Testing

/// Gives each test of a suite a thread of its own, which the test may block.
///
/// Swift's pool has one thread for each processor. A test that blocks one of them, by waiting for a
/// process, a terminal or a file, holds up every other test and whatever these have started.
package struct OwnThread: SuiteTrait, TestTrait, TestScoping {
  package var isRecursive: Bool { true }

  package func provideScope(
    for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
  ) async throws {
    try await Self.run(function)
  }

  /// Runs a body that may block on a thread of its own.
  package static func run<Result: Sendable>(
    _ body: @Sendable () async throws -> Result
  ) async throws -> Result {
    try await withTaskExecutorPreference(BlockableExecutor()) { try await body() }
  }

  /// Checks that the caller may block its thread.
  ///
  /// - Throws: ``PoolThreadError``
  package static func require() throws {
    guard DispatchQueue.getSpecific(key: BlockableExecutor.key) != nil else {
      throw PoolThreadError()
    }
  }
}

extension Trait where Self == OwnThread {
  /// Each test has a thread that it may block.
  package static var ownThread: Self { OwnThread() }
}

/// The error of a wait on a thread of Swift's pool.
package struct PoolThreadError: Error, CustomStringConvertible {
  package var description: String {
    "this waits on a thread of Swift's pool; the suite needs the trait `.ownThread`"
  }
}

/// Runs the jobs of one task in order, on a thread that isn't one of Swift's pool.
private final class BlockableExecutor: TaskExecutor {
  static let key = DispatchSpecificKey<Void>()

  /// A queue of its own gets a thread even if those of all others are blocked.
  private let queue = DispatchQueue(label: "test")

  init() { queue.setSpecific(key: Self.key, value: ()) }

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    queue.async { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
  }
}
