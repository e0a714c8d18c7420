import CMoonLua
import Dispatch
import Synchronization

/// Threads for code that may block, the executor of services.
///
/// Swift's own thread pool has a thread for each core. If services blocked them, no task of the
/// program would continue. Threads are started when none is idle, up to a limit; jobs beyond it
/// wait.
package final class BlockingThreads: TaskExecutor {
  /// The maximum number of threads.
  package static let countMax = 32
  /// Address space; pages are committed on first use.
  private static let stackBytes = 8 << 20

  private let pool = Pool()

  package init() {}

  deinit { pool.close() }

  package func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    guard pool.needsThread(for: job, on: asUnownedTaskExecutor()) else { return }
    let context = Unmanaged.passRetained(pool)
    let isStarted = moon_thread_start(
      Self.stackBytes,
      { context in
        guard let context else { return }
        Unmanaged<Pool>.fromOpaque(context).takeRetainedValue().work()
      }, context.toOpaque())
    if isStarted { return }
    context.release()
    // The system has no thread left. Another one takes the job, or else this one.
    if pool.isLastGone() { pool.workOff() }
  }
}

/// The queue of jobs for the threads.
///
/// The threads hold it instead of the executor, so that all can end.
private final class Pool: Sendable {
  private struct Contents {
    var jobs: [(UnownedJob, UnownedTaskExecutor)] = []
    /// The position of the first job that no thread has taken.
    var first = 0
    var threadCount = 0
    /// The number of threads that wait and that nobody has woken.
    var idleCount = 0
    var isClosed = false

    /// The number of taken jobs at the front from which they are removed.
    private static let takenCountMax = 1024

    mutating func take() -> (UnownedJob, UnownedTaskExecutor)? {
      guard first < jobs.count else { return nil }
      defer {
        first += 1
        if first == jobs.count {
          jobs.removeAll(keepingCapacity: true)
          first = 0
        } else if first >= Self.takenCountMax, first > jobs.count / 2 {
          jobs.removeFirst(first)
          first = 0
        }
      }
      return jobs[first]
    }
  }

  private let contents = Mutex(Contents())
  // A semaphore, so that a signal before the wait isn't lost.
  private let bell = DispatchSemaphore(value: 0)

  /// Adds a job and wakes a thread for it; returns whether a thread must be started instead.
  ///
  /// A thread is woken once for each time that it waits: a signal that nobody needs would wake
  /// threads in vain later, which costs more than the jobs.
  func needsThread(for job: UnownedJob, on executor: UnownedTaskExecutor) -> Bool {
    let (wakes, starts) = contents.withLock { contents in
      contents.jobs.append((job, executor))
      if contents.idleCount > 0 {
        contents.idleCount -= 1
        return (true, false)
      }
      guard contents.threadCount < BlockingThreads.countMax else { return (false, false) }
      contents.threadCount += 1
      return (false, true)
    }
    if wakes { bell.signal() }
    return starts
  }

  /// Forgets a thread that couldn't be started; returns whether there is none.
  func isLastGone() -> Bool {
    contents.withLock { contents in
      contents.threadCount -= 1
      return contents.threadCount == 0
    }
  }

  /// Runs the jobs on the calling thread.
  func workOff() {
    while let (job, executor) = contents.withLock({ $0.take() }) {
      job.runSynchronously(on: executor)
    }
  }

  func close() {
    let count = contents.withLock { contents in
      contents.isClosed = true
      defer { contents.idleCount = 0 }
      return contents.idleCount
    }
    for _ in 0..<count { bell.signal() }
  }

  /// Runs jobs until the pool is closed and none is left.
  func work() {
    while true {
      let (next, isOver) = contents.withLock { contents in
        let next = contents.take()
        // In the same step, so that no job is added in between without waking this thread.
        if next == nil, !contents.isClosed { contents.idleCount += 1 }
        return (next, next == nil && contents.isClosed)
      }
      if let (job, executor) = next {
        job.runSynchronously(on: executor)
      } else if isOver {
        return
      } else {
        bell.wait()
      }
    }
  }
}
