import CMoonLua
import DequeModule
import Dispatch
import Synchronization

/// Threads for code that may block, for services.
///
/// Swift's own thread pool has a thread for each core. If services blocked them, no task of the
/// program would continue. Threads are started when none is idle, up to a limit; jobs beyond it
/// wait. They are taken in turns from each ``Share``.
package final class BlockingThreads: Sendable {
  /// The maximum number of threads.
  package static let countMax = 32
  /// The number of threads that one share can use at a time, so that others always find some.
  package static let shareMax = 24
  /// Address space; pages are committed on first use.
  private static let stackBytes = 8 << 20

  private let pool = Pool()

  package init() {}

  deinit { pool.close() }

  /// Returns an executor for the jobs of one user of the threads, such as a module.
  ///
  /// It must outlive the tasks that prefer it.
  package func share() -> Share { Share(of: self, pool.newNumber()) }

  /// A user's share of the threads.
  package final class Share: TaskExecutor {
    private let threads: BlockingThreads
    private let number: Int

    fileprivate init(of threads: BlockingThreads, _ number: Int) {
      self.threads = threads
      self.number = number
    }

    package func enqueue(_ job: consuming ExecutorJob) {
      threads.enqueue(Job(UnownedJob(job), asUnownedTaskExecutor(), of: number))
    }
  }

  private func enqueue(_ job: Job) {
    guard pool.needsThread(for: job) else { return }
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

/// A job of a share.
private struct Job {
  private let job: UnownedJob
  private let executor: UnownedTaskExecutor
  /// The number of the share.
  let share: Int

  init(_ job: UnownedJob, _ executor: UnownedTaskExecutor, of share: Int) {
    self.job = job
    self.executor = executor
    self.share = share
  }

  func run() { job.runSynchronously(on: executor) }
}

/// The jobs that wait for a thread, by share.
private struct JobQueue {
  private struct Waiting {
    var jobs: Deque<Job> = []
    var runningCount = 0

    var mayRun: Bool { !jobs.isEmpty && runningCount < BlockingThreads.shareMax }
  }

  private var shares: [Int: Waiting] = [:]
  /// The shares that have a job that may run, in the order of their turns.
  private var turns: Deque<Int> = []

  /// Adds a job; returns whether it may run before another one of its share has ended.
  mutating func add(_ job: Job) -> Bool {
    var waiting = shares[job.share] ?? Waiting()
    let hadTurn = waiting.mayRun
    waiting.jobs.append(job)
    shares[job.share] = waiting
    if !hadTurn, waiting.mayRun { turns.append(job.share) }
    return waiting.mayRun
  }

  mutating func take() -> Job? {
    guard let share = turns.popFirst(), let job = shares[share]?.jobs.popFirst() else { return nil }
    shares[share]?.runningCount += 1
    if shares[share]?.mayRun ?? false { turns.append(share) }
    return job
  }

  /// Notes that a job has ended.
  mutating func noteEnd(of job: Job) {
    guard var waiting = shares[job.share] else { return }
    let hadTurn = waiting.mayRun
    waiting.runningCount -= 1
    if !hadTurn, waiting.mayRun { turns.append(job.share) }
    shares[job.share] = waiting.runningCount == 0 && waiting.jobs.isEmpty ? nil : waiting
  }
}

/// The queue of jobs for the threads.
///
/// The threads hold it instead of the executor, so that all can end.
private final class Pool: Sendable {
  private struct Contents {
    var queue = JobQueue()
    var shareCount = 0
    var threadCount = 0
    /// The number of threads that wait and that nobody has woken.
    var idleCount = 0
    var isClosed = false
  }

  private let contents = Mutex(Contents())
  // A semaphore, so that a signal before the wait isn't lost.
  private let bell = DispatchSemaphore(value: 0)

  /// Returns the number of another share.
  func newNumber() -> Int {
    contents.withLock { contents in
      contents.shareCount += 1
      return contents.shareCount
    }
  }

  /// Adds a job and wakes a thread for it; returns whether a thread must be started instead.
  ///
  /// A thread is woken once for each time that it waits: a signal that nobody needs would wake
  /// threads in vain later, which costs more than the jobs.
  func needsThread(for job: Job) -> Bool {
    let (wakes, starts) = contents.withLock { contents in
      guard contents.queue.add(job) else { return (false, false) }
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
    while let job = contents.withLock({ $0.queue.take() }) { run(job) }
  }

  private func run(_ job: Job) {
    job.run()
    contents.withLock { $0.queue.noteEnd(of: job) }
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
        let next = contents.queue.take()
        // In the same step, so that no job is added in between without waking this thread.
        if next == nil, !contents.isClosed { contents.idleCount += 1 }
        return (next, next == nil && contents.isClosed)
      }
      if let next {
        run(next)
      } else if isOver {
        return
      } else {
        bell.wait()
      }
    }
  }
}
