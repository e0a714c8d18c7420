import NIOCore

/// Runs the code of requests on the event loop of their connections.
///
/// On other threads, each wait for the connection would change the thread twice, which takes about
/// as long as all else that is done for a request.
final class LoopExecutor: TaskExecutor {
  let loop: any EventLoop

  init(_ loop: any EventLoop) { self.loop = loop }

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    loop.execute { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
  }
}
