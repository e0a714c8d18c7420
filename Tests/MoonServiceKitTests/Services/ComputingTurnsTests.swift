import Dispatch
import Glibc
import MoonActions
import MoonServiceKit
import Synchronization
import Testing

/// The calls of one module that compute for long.
struct ComputingTurnsTests {
  private struct Failure: Error {}

  /// How many calls compute, and how many at most have at a time.
  private final class Tally: Sendable {
    let running = Atomic(0)
    let most = Atomic(0)
  }

  @Test func `calls that compute on other threads take turns, too`() async throws {
    let turns = ComputingTurns()
    let tally = Tally()
    try await withThrowingTaskGroup { group in
      for _ in 0..<20 {
        group.addTask {
          var call = ServiceCall(
            function: "x.y", module: nil, session: SessionID(number: 1), time: 0,
            Permissions(needs: [], Grants()), ServiceSurroundings())
          call.turns = turns
          try await call.computingApart {
            let running = tally.running.add(1, ordering: .relaxed).newValue
            tally.most.max(running, ordering: .relaxed)
            for _ in 0..<20 { sched_yield() }
            tally.running.subtract(1, ordering: .relaxed)
          }
        }
      }
      try await group.waitForAll()
    }
    #expect((1...ComputingTurns.countMax).contains(tally.most.load(ordering: .relaxed)))
  }

  @Test func `half of the processors compute for a module, also after failures`() {
    let turns = ComputingTurns()
    let running = Atomic(0)
    let most = Atomic(0)
    let ended = Atomic(0)
    DispatchQueue.concurrentPerform(iterations: 200) { number in
      try? turns.take {
        most.max(running.add(1, ordering: .relaxed).newValue, ordering: .relaxed)
        for _ in 0..<20 { sched_yield() }
        running.subtract(1, ordering: .relaxed)
        ended.add(1, ordering: .relaxed)
        if number.isMultiple(of: 2) { throw Failure() }
      }
    }
    #expect(ended.load(ordering: .relaxed) == 200)
    #expect((1...ComputingTurns.countMax).contains(most.load(ordering: .relaxed)))
    #expect(ComputingTurns.countMax <= max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN)) / 2))
  }
}
