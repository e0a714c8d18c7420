import CMoonLua
import Dispatch
import Synchronization

/// A thread with a big stack, as the executor of the actor that owns machines.
///
/// Lua's parser, its string matching and nested coroutines recurse on the C stack; the threads of
/// Swift's pool are too small for hostile scripts.
package final class LuaThread: SerialExecutor {
  /// Virtual memory only: pages are taken as they're touched.
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

/// Jobs on their way to the thread.
///
/// The thread holds it, not the executor, so both can end.
private final class Inbox: Sendable {
  private struct Contents {
    var jobs: [(UnownedJob, UnownedSerialExecutor)] = []
    var isClosed = false
  }

  private let contents = Mutex(Contents())
  // Counts rings, so that one before the wait isn't lost.
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
