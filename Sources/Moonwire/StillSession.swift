package import MoonActions
package import MoonServiceKit

/// A session whose host has a clock that stands still, and lets a test decide how time passes.
package struct StillSession: Sendable {
  /// The maximum number of times that tasks are resumed while time passes.
  package static let wakeCountMax = 100_000
  /// The time between two looks at what is still working.
  private static let lookInterval = Duration.milliseconds(1)

  private let host: Host
  private let session: SessionID
  private let clock: StillClock
  /// The maximum real time for everything that follows from a request.
  private let timeMax: Duration
  /// Whether the code of effects in Swift counts as working until it waits.
  private let awaitsCode: Bool
  /// Returns the number of calls that wait for the test, which don't count as working.
  private let waitCount: @Sendable () -> Int

  /// Names the session and what counts as working.
  package init(
    _ session: SessionID, on host: Host, _ clock: StillClock, within timeMax: Duration,
    awaitsCode: Bool = false, besides waitCount: @escaping @Sendable () -> Int = { 0 }
  ) {
    self.host = host
    self.session = session
    self.clock = clock
    self.timeMax = timeMax
    self.awaitsCode = awaitsCode
    self.waitCount = waitCount
  }

  /// Waits until nothing is working or queued; returns false if that takes too long.
  package func settle() async -> Bool {
    let end = ContinuousClock.now + timeMax
    while await isWorking() {
      guard ContinuousClock.now < end else { return false }
      try? await Task.sleep(for: Self.lookInterval)
    }
    return true
  }

  private func isWorking() async -> Bool {
    let work = await work()
    return work.isBehind || work.operationCount != waitCount()
      || (awaitsCode && work.codeCount > 0)
  }

  private func work() async -> AwaitedWork {
    await host.perform { [session] host in AwaitedWork(in: session, on: host) }
  }

  /// Lets a time pass; returns false if there is too much to do meanwhile.
  package func advance(_ time: Duration) async -> Bool {
    let end = clock.now + time
    var count = 0
    while let next = await work().deadline, next <= end {
      count += 1
      guard count <= Self.wakeCountMax else { return false }
      clock.set(next)
      await host.wake()
      guard await settle() else { return false }
    }
    clock.set(end)
    await host.wake()
    return await settle()
  }
}
