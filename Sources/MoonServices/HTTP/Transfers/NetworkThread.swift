import MoonFiles
import Synchronization

/// The thread of a network, which carries out the transfers and runs the code that waits for them.
///
/// Otherwise each wait for a transfer would change threads twice, which takes about as long as the
/// rest of a request.
///
/// The thread starts when it is first needed, and ends once nobody holds this object. Each task
/// that prefers it holds it until the task ends, so no job comes after the thread's end.
package final class NetworkThread: TaskExecutor {
  private let inbox: Inbox

  package init(trusting trust: CertificateTrust = .system) {
    inbox = Inbox(trusting: trust)
  }

  deinit { inbox.close() }

  package func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    // Without a thread, the job must still end, so it runs here.
    if !inbox.add(.job(job, self)) { job.runSynchronously(on: asUnownedTaskExecutor()) }
  }

  /// Runs a function on the thread, after everything that waits for it.
  ///
  /// Returns false if the system has no thread or descriptor left; the function then doesn't run.
  @discardableResult
  func run(_ body: @escaping @Sendable (NetworkLoop) -> Void) -> Bool {
    inbox.add(.function(body))
  }
}

/// The work that waits for the thread.
///
/// The thread holds it instead of the executor, so both can end.
private final class Inbox: Sendable {
  enum Item {
    /// Holds its executor, since the job may end the task that holds it.
    case job(UnownedJob, NetworkThread)
    case function(@Sendable (NetworkLoop) -> Void)
  }

  private struct Contents {
    var items: [Item] = []
    var isClosed = false
    /// Whether the thread waits for its sockets, or is about to.
    var isWaiting = false
    /// The bell that ends such a wait; nil while there is no thread.
    var bell: Bell?
  }

  /// The maximum number of batches between two turns of the sockets.
  private static let batchCountMax = 16
  private static let stackBytes = 1 << 20

  private let trust: CertificateTrust
  private let contents = Mutex(Contents())

  init(trusting trust: CertificateTrust) {
    self.trust = trust
  }

  /// Adds an item and starts the thread if there is none; returns false if it can't be started.
  func add(_ item: consuming Item) -> Bool {
    let item = item
    let bell = contents.withLock { contents in
      guard contents.bell != nil || start(&contents) else { return nil as (Bell, rings: Bool)? }
      contents.items.append(item)
      defer { contents.isWaiting = false }
      return contents.bell.map { ($0, contents.isWaiting) }
    }
    guard let bell else { return false }
    if bell.rings { bell.0.ring() }
    return true
  }

  func close() {
    let bell = contents.withLock { contents in
      contents.isClosed = true
      return contents.bell
    }
    bell?.ring()
  }

  /// Starts the thread; returns false if the system has no descriptor or thread left.
  private func start(_ contents: inout Contents) -> Bool {
    guard let bell = Bell(), let sockets = SocketSet(),
      let thread = try? SystemThread(
        stackBytes: Self.stackBytes,
        { [self] in
          let loop = NetworkLoop(bell, sockets, trusting: trust)
          work(loop)
          loop.close()
        })
    else { return false }
    thread.detach()
    contents.bell = bell
    return true
  }

  private func work(_ loop: NetworkLoop) {
    // Exchanged with the queue's, so neither is allocated again for each batch.
    var items: [Item] = []
    var batchCount = 0
    while true {
      let isOver = contents.withLock { contents in
        swap(&items, &contents.items)
        contents.isWaiting = items.isEmpty
        return items.isEmpty && contents.isClosed
      }
      if isOver { return }
      for item in items {
        switch item {
        case .job(let job, let thread): job.runSynchronously(on: thread.asUnownedTaskExecutor())
        case .function(let body): body(loop)
        }
      }
      batchCount = items.isEmpty || batchCount == Self.batchCountMax ? 0 : batchCount + 1
      if batchCount == 0 { loop.turn(waiting: items.isEmpty) }
      items.removeAll(keepingCapacity: true)
    }
  }
}
