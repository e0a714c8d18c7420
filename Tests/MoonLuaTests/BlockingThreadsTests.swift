import Dispatch
import MoonLua
import Synchronization
import Testing

/// The threads of services, which modules share.
@Suite(.timeLimit(.minutes(1))) struct BlockingThreadsTests {
  @Test func `jobs of one share that block keep no thread from another`() async {
    let threads = BlockingThreads()
    let (greedy, other) = (threads.share(), threads.share())
    let gate = DispatchSemaphore(value: 0)
    let started = Atomic(0)
    await withTaskGroup { group in
      for _ in 0..<100 {
        group.addTask(executorPreference: greedy) {
          started.add(1, ordering: .relaxed)
          gate.wait()
        }
      }
      let answers = (1...50).map { number in Task(executorPreference: other) { number } }
      var sum = 0
      for answer in answers { sum += await answer.value }
      #expect(sum == 1275)
      #expect(started.load(ordering: .relaxed) <= BlockingThreads.shareMax)
      for _ in 0..<100 { gate.signal() }
      await group.waitForAll()
    }
    #expect(started.load(ordering: .relaxed) == 100)
  }

  @Test func `shares take turns`() async {
    let threads = BlockingThreads()
    let (first, second) = (threads.share(), threads.share())
    let gate = DispatchSemaphore(value: 0)
    let order = Mutex<[Int]>([])
    await withTaskGroup { group in
      // Holds all threads, so that the other jobs wait.
      let holders = [threads.share(), threads.share()]
      for index in 0..<BlockingThreads.countMax {
        group.addTask(executorPreference: holders[index % 2]) { gate.wait() }
      }
      for (number, share) in [(1, first), (2, second)] {
        for _ in 0..<20 {
          group.addTask(executorPreference: share) { order.withLock { $0.append(number) } }
        }
      }
      // One thread takes all of them.
      gate.signal()
      while order.withLock({ $0.count }) < 40 { await Task.yield() }
      for _ in 1..<BlockingThreads.countMax { gate.signal() }
      await group.waitForAll()
    }
    let seen = order.withLock { $0 }
    #expect(seen.prefix(20).count { $0 == 1 } == 10, "\(seen)")
  }
}
