import MoonTestSupport
import Testing

@testable import MoonServices

/// The order in which modules use the database.
struct StorageLineTests {
  private static func owner(_ module: String) -> StorageOwner {
    StorageOwner(directory: "/data", module: module)
  }

  @Test func `a module with many calls keeps no other from its next one`() async throws {
    let line = StorageLine()
    let (gate, opening) = AsyncStream.makeStream(of: Void.self)
    let (busy, quiet) = (Self.owner("busy"), Self.owner("quiet"))
    let served = AsyncStream.makeStream(of: Void.self)
    try await withThrowingTaskGroup { group in
      for _ in 0..<100 {
        group.addTask {
          try await line.pass(as: busy) {
            served.continuation.yield()
            for await _ in gate {}
          }
        }
      }
      var begun = served.stream.makeAsyncIterator()
      for _ in 0..<StorageLine.servedMax { await begun.next() }
      #expect(try await line.pass(as: quiet) { "served" } == "served")
      opening.finish()
      try await group.waitForAll()
    }
    #expect(line.waitingCount(of: busy) == 0)
    #expect(try await line.pass(as: busy) { 1 } == 1)
  }

  @Test func `a call that is cancelled in line is gone from it`() async throws {
    let line = StorageLine()
    let (gate, opening) = AsyncStream.makeStream(of: Void.self)
    let owner = Self.owner("m")
    let first = (0..<StorageLine.servedMax).map { _ in
      Task { try await line.pass(as: owner) { for await _ in gate {} } }
    }
    let waiting = Task { try await line.pass(as: owner) { Issue.record("it was cancelled") } }
    while line.waitingCount(of: owner) == 0 { await Task.yield() }
    waiting.cancel()
    await #expect(throws: CancellationError.self) { try await waiting.value }
    #expect(line.waitingCount(of: owner) == 0)
    opening.finish()
    for task in first { try await task.value }
  }

  @Test func `a call that comes after its task was cancelled does nothing`() async {
    let line = StorageLine()
    let (gate, opening) = AsyncStream.makeStream(of: Void.self)
    let late = Task {
      for await _ in gate {}
      _ = try await line.pass(as: Self.owner("m")) { Issue.record("it was cancelled") }
    }
    late.cancel()
    opening.finish()
    await #expect(throws: CancellationError.self) { try await late.value }
    await #expect(throws: Never.self) { try await line.pass(as: Self.owner("m")) {} }
  }
}
