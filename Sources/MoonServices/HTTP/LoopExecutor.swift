import NIOCore
import NIOPosix

/// Runs the code of requests on the event loops of their connections.
///
/// On other threads, each wait for the connection would change the thread twice, which takes about
/// as long as all else that is done for a request. Code that begins elsewhere begins on each loop
/// in turn. What follows stays on its loop.
final class LoopExecutor: TaskExecutor {
  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    let loop =
      MultiThreadedEventLoopGroup.currentEventLoop ?? MultiThreadedEventLoopGroup.singleton.next()
    loop.execute { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
  }
}
