import CMoonLua
import Dispatch
import Synchronization

/// A thread with a large stack, the executor of the actor that owns machines.
///
/// Lua's parser and nested coroutines recurse on the C stack. The stacks of Swift's thread pool are
/// too small for hostile scripts.
package final class LuaThread: SerialExecutor {
  /// Address space; pages are committed on first use.
  package static let stackBytes = 256 * 1024 * 1024

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
  }

  deinit { inbox.close() }

  package func enqueue(_ job: consuming ExecutorJob) {
    inbox.add(UnownedJob(job), on: asUnownedSerialExecutor())
  }

  package func asUnownedSerialExecutor() -> UnownedSerialExecutor {
    UnownedSerialExecutor(ordinary: self)
  }
}

/// The queue of jobs for the thread.
///
/// The thread holds it instead of the executor, so that both can end. It takes all jobs that wait
/// at once, and only the first of them wakes it.
private final class Inbox: Sendable {
  private struct Contents {
    var jobs: [(UnownedJob, UnownedSerialExecutor)] = []
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

  func add(_ job: UnownedJob, on executor: UnownedSerialExecutor) {
    let wakes = contents.withLock { contents in
      contents.jobs.append((job, executor))
      return contents.wakes()
    }
    if wakes { bell.signal() }
  }

  func close() {
    let wakes = contents.withLock { contents in
      contents.isClosed = true
      return contents.wakes()
    }
    if wakes { bell.signal() }
  }

  func work() {
    // Exchanged with the queue's, so that neither is allocated anew for each batch.
    var jobs: [(UnownedJob, UnownedSerialExecutor)] = []
    while true {
      let isClosed = contents.withLock { contents in
        swap(&jobs, &contents.jobs)
        contents.isWaiting = jobs.isEmpty && !contents.isClosed
        return contents.isClosed
      }
      for (job, executor) in jobs { job.runSynchronously(on: executor) }
      if jobs.isEmpty {
        if isClosed { return }
        bell.wait()
      }
      jobs.removeAll(keepingCapacity: true)
    }
  }
}
