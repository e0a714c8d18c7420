import CMoonLua
import Dispatch
import Glibc
import Synchronization

/// A thread with a large stack, for the actor that owns machines and the tasks that prefer it.
///
/// Lua's parser and nested coroutines recurse on the C stack. The stacks of Swift's thread pool are
/// too small for hostile scripts.
///
/// The thread ends once nobody holds this object. Its actor does, and so does each task that
/// prefers it, until it ends. So no job comes after the thread's end.
package final class LuaThread: TaskExecutor {
  /// Address space; pages are committed on first use.
  package static let stackBytes = 256 * 1024 * 1024

  private let serialExecutor: LuaSerialExecutor
  private let inbox: Inbox

  /// Starts the thread; nil if the system has none left.
  package init?() {
    let inbox = Inbox()
    let context = Unmanaged.passRetained(inbox)
    let started = moon_thread_start(
      Self.stackBytes,
      { context in
        guard let context else { return }
        Unmanaged<Inbox>.fromOpaque(context).takeRetainedValue().work()
      }, context.toOpaque())
    guard started else {
      context.release()
      return nil
    }
    self.inbox = inbox
    serialExecutor = LuaSerialExecutor(inbox)
  }

  deinit { inbox.close() }

  /// The executor of the actor.
  package var unownedSerialExecutor: UnownedSerialExecutor {
    serialExecutor.asUnownedSerialExecutor()
  }

  /// Runs a job of a task that prefers the thread.
  package func enqueue(_ job: consuming ExecutorJob) {
    inbox.add(.taskJob(UnownedJob(job), self))
  }

  /// What waits for the thread while something runs on it.
  package enum Demand {
    case nothing
    /// Functions.
    case functions
    /// Jobs of the actor, or of tasks that prefer the thread.
    case jobs
  }

  package var demand: Demand { inbox.demand }

  /// Runs a function on the thread, after all that waits for it.
  ///
  /// Jobs that come later may still be before it, but not those that come while they run: neither
  /// jobs nor functions can keep the others away.
  ///
  /// A caller that waits for it by a continuation changes threads twice. One that calls the actor,
  /// and waits there for something else, does so four times.
  package func run(_ body: @escaping @Sendable () -> Void) { inbox.add(.function(body)) }
}

/// The executor of the actor that owns a thread.
///
/// Of a type of its own: an executor can't tell jobs of actors from those of tasks.
private final class LuaSerialExecutor: SerialExecutor {
  private let inbox: Inbox

  init(_ inbox: Inbox) { self.inbox = inbox }

  func enqueue(_ job: consuming ExecutorJob) {
    inbox.add(.job(UnownedJob(job), asUnownedSerialExecutor()))
  }

  /// Ends the program if this isn't the thread.
  ///
  /// The runtime asks, in functions that ``LuaThread/run(_:)`` runs.
  func checkIsolated() {
    precondition(inbox.isOfCurrentThread, "the code needs the thread of its host")
  }
}

/// The queue of jobs for the thread.
///
/// The thread holds it instead of the executors, so that all can end. It takes all jobs that wait
/// at once, and only the first of them wakes it. Functions are what the host does for modules, and
/// jobs what programs ask of it, so all waiting jobs are before the next function.
private final class Inbox: Sendable {
  enum Item {
    case job(UnownedJob, UnownedSerialExecutor)
    case function(@Sendable () -> Void)
    /// Holds its executor, since the job may end the task that does.
    case taskJob(UnownedJob, LuaThread)
  }

  private struct Contents {
    var jobs: [Item] = []
    var functions: [Item] = []
    var isClosed = false
    /// Whether the thread sleeps, or is about to.
    var isWaiting = false

    /// Returns whether the thread must be woken.
    mutating func wakes() -> Bool {
      defer { isWaiting = false }
      return isWaiting
    }
  }

  private let contents = Mutex(Contents())
  // A semaphore, so that a signal before the wait isn't lost.
  private let bell = DispatchSemaphore(value: 0)
  private let thread = Atomic<pthread_t>(0)
  // Counted apart from the contents, so that the thread can look at them after each action.
  private let jobCount = Atomic<Int>(0)
  private let functionCount = Atomic<Int>(0)

  var demand: LuaThread.Demand {
    if jobCount.load(ordering: .relaxed) > 0 { return .jobs }
    return functionCount.load(ordering: .relaxed) > 0 ? .functions : .nothing
  }

  func add(_ item: consuming Item) {
    let item = item
    let wakes = contents.withLock { contents in
      if case .function = item {
        functionCount.add(1, ordering: .relaxed)
        contents.functions.append(item)
      } else {
        jobCount.add(1, ordering: .relaxed)
        contents.jobs.append(item)
      }
      return contents.wakes()
    }
    if wakes { bell.signal() }
  }

  /// Whether this code runs on the thread that works here.
  var isOfCurrentThread: Bool { thread.load(ordering: .relaxed) == pthread_self() }

  func close() {
    let wakes = contents.withLock { contents in
      contents.isClosed = true
      return contents.wakes()
    }
    if wakes { bell.signal() }
  }

  func work() {
    thread.store(pthread_self(), ordering: .relaxed)
    // Exchanged with the queue's, so that neither is allocated anew for each batch.
    var jobs: [Item] = []
    var functions: [Item] = []
    while true {
      let isClosed = contents.withLock { contents in
        swap(&jobs, &contents.jobs)
        if functions.isEmpty {
          swap(&functions, &contents.functions)
          functions.reverse()
        }
        contents.isWaiting = jobs.isEmpty && functions.isEmpty && !contents.isClosed
        return contents.isClosed
      }
      if jobs.isEmpty, functions.isEmpty {
        if isClosed { return }
        bell.wait()
      }
      for job in jobs { run(job, countedBy: jobCount) }
      jobs.removeAll(keepingCapacity: true)
      while let function = functions.popLast() {
        run(function, countedBy: functionCount)
        if jobCount.load(ordering: .relaxed) > 0 { break }
      }
    }
  }

  private func run(_ item: Item, countedBy count: borrowing Atomic<Int>) {
    // It doesn't wait any more.
    count.subtract(1, ordering: .relaxed)
    switch item {
    case .job(let job, let executor): job.runSynchronously(on: executor)
    case .function(let body): body()
    case .taskJob(let job, let executor):
      job.runSynchronously(on: executor.asUnownedTaskExecutor())
    }
  }
}
