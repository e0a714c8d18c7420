import Testing

@testable import MoonServices

/// Operations whose time is limited, as those of requests.
@Suite(.timeLimit(.minutes(1))) struct TimeLimitsTests {
  private static let failure = HTTPFailure.timedOut("example.org", .reading)

  /// Lasts until it is cancelled.
  private static func last() async throws {
    for await _ in AsyncStream<Never>.makeStream().stream {}
    try Task.checkCancellation()
  }

  @Test(arguments: [[0.01, 0.02, 0.03], [0.03, 0.02, 0.01], [30, 0.02, 0.01, 0.03]])
  func `the time of each operation passes, in whatever order they begin`(seconds: [Double])
    async throws
  {
    let limits = TimeLimits(on: NetworkThread())
    try await withThrowingTaskGroup { group in
      for seconds in seconds {
        group.addTask {
          await #expect(throws: HTTPFailure.self) {
            try await limits.limit(to: seconds, orThrow: Self.failure) {
              if seconds < 1 { try await Self.last() } else { throw Self.failure }
            }
          }
        }
      }
      try await group.waitForAll()
    }
  }

  @Test func `the time of one passes, however many others have ended before it`() async throws {
    let limits = TimeLimits(on: NetworkThread())
    let long = Task {
      try await limits.limit(to: 0.2, orThrow: Self.failure) { try await Self.last() }
    }
    for number in 0..<5_000 {
      #expect(try await limits.limit(to: 60, orThrow: Self.failure) { number } == number)
    }
    await #expect(throws: HTTPFailure.self) { try await long.value }
  }

  @Test func `an operation that fails or is cancelled in time ends with its own error`()
    async throws
  {
    let limits = TimeLimits(on: NetworkThread())
    await #expect(throws: CancellationError.self) {
      try await limits.limit(to: 60, orThrow: Self.failure) { throw CancellationError() }
    }
    let task = Task {
      try await limits.limit(to: 60, orThrow: Self.failure) { try await Self.last() }
    }
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
  }
}
