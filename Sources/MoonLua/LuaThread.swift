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
/// The thread holds it instead of the executor, so that both can end.
private final class Inbox: Sendable {
  private struct Contents {
    var jobs: [(UnownedJob, UnownedSerialExecutor)] = []
    var isClosed = false
  }

  private let contents = Mutex(Contents())
  // A semaphore, so that a signal before the wait isn't lost.
  private let bell = DispatchSemaphore(value: 0)

  func add(_ job: UnownedJob, on executor: UnownedSerialExecutor) {
    contents.withLock { $0.jobs.append((job, executor)) }
    bell.signal()
  }

  func close() {
    contents.withLock { $0.isClosed = true }
    bell.signal()
  }

  func work() {
    while true {
      let (jobs, isClosed) = contents.withLock { contents in
        defer { contents.jobs.removeAll(keepingCapacity: true) }
        return (contents.jobs, contents.isClosed)
      }
      for (job, executor) in jobs { job.runSynchronously(on: executor) }
      if jobs.isEmpty {
        if isClosed { return }
        bell.wait()
      }
    }
  }
}
