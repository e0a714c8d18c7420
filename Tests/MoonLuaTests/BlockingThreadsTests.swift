import Dispatch
import MoonLua
import Synchronization
import Testing

/// The threads of services, which modules share.
@Suite(.timeLimit(.minutes(1))) struct BlockingThreadsTests {
  /// What jobs tell, and a gate that keeps them.
  private final class Notes: Sendable {
    let startedCount = Atomic(0)
    let order = Mutex<[Int]>([])
    private let semaphore = DispatchSemaphore(value: 0)

    func wait() { semaphore.wait() }

    func open(for count: Int) { for _ in 0..<count { semaphore.signal() } }
  }

  @Test func `jobs of one share that block keep no thread from another`() async {
    let threads = BlockingThreads()
    let (greedy, other) = (threads.share(), threads.share())
    let notes = Notes()
    await withTaskGroup { group in
      for _ in 0..<100 {
        group.addTask(executorPreference: greedy) {
          notes.startedCount.add(1, ordering: .relaxed)
          notes.wait()
        }
      }
      let answers = (1...50).map { number in Task(executorPreference: other) { number } }
      var sum = 0
      for answer in answers { sum += await answer.value }
      #expect(sum == 1275)
      #expect(notes.startedCount.load(ordering: .relaxed) <= BlockingThreads.shareMax)
      notes.open(for: 100)
      await group.waitForAll()
    }
    #expect(notes.startedCount.load(ordering: .relaxed) == 100)
  }

  @Test func `shares take turns`() async {
    let threads = BlockingThreads()
    let (first, second) = (threads.share(), threads.share())
    let notes = Notes()
    await withTaskGroup { group in
      // Holds all threads, so that the other jobs wait.
      let holders = [threads.share(), threads.share()]
      for index in 0..<BlockingThreads.countMax {
        group.addTask(executorPreference: holders[index % 2]) {
          notes.startedCount.add(1, ordering: .relaxed)
          notes.wait()
        }
      }
      while notes.startedCount.load(ordering: .relaxed) < BlockingThreads.countMax {
        await Task.yield()
      }
      for (number, share) in [(1, first), (2, second)] {
        for _ in 0..<20 {
          group.addTask(executorPreference: share) { notes.order.withLock { $0.append(number) } }
        }
      }
      // One thread takes all of them.
      notes.open(for: 1)
      while notes.order.withLock({ $0.count }) < 40 { await Task.yield() }
      notes.open(for: BlockingThreads.countMax - 1)
      await group.waitForAll()
    }
    let seen = notes.order.withLock { $0 }
    #expect(seen.prefix(20).count { $0 == 1 } == 10, "\(seen)")
  }
}
