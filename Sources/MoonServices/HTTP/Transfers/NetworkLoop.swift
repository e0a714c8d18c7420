import CMoonCurl
import Glibc
import HeapModule
import Moonwire

/// The sockets, timers and connections of a network.
///
/// Only the network's thread uses it, so nothing in it needs a lock.
final class NetworkLoop {
  /// The number of modules whose idle connections are kept.
  static let poolCountMax = 64
  /// The maximum number of sockets that one wait reports.
  private static let eventCountMax = 64

  private let bell: Bell
  private let sockets: SocketSet
  private var watchers: [Int32: any SocketWatcher] = [:]
  private let trust: CertificateTrust
  /// The connections of each module: nobody else's requests use them.
  private var pools: [ModuleName?: ConnectionPool] = [:]
  private var timers = Heap<Timer>()
  private var timerCount = 0
  private var events = [epoll_event](repeating: epoll_event(), count: eventCountMax)

  private struct Timer: Comparable {
    let time: ContinuousClock.Instant
    let number: Int
    let fire: (NetworkLoop) -> Void

    static func < (left: Timer, right: Timer) -> Bool {
      (left.time, left.number) < (right.time, right.number)
    }
    static func == (left: Timer, right: Timer) -> Bool { left.number == right.number }
  }

  init(_ bell: Bell, _ sockets: SocketSet, trusting trust: CertificateTrust) {
    self.bell = bell
    self.sockets = sockets
    self.trust = trust
    var event = epoll_event(events: EPOLLIN.rawValue, data: epoll_data_t(fd: bell.descriptor))
    epoll_ctl(sockets.descriptor, EPOLL_CTL_ADD, bell.descriptor, &event)
  }

  /// Returns the connections of a module; nil if the system has no memory or descriptor left.
  func pool(of module: ModuleName?) -> ConnectionPool? {
    if let pool = pools[module] { return pool }
    guard let pool = ConnectionPool(of: module, trusting: trust, in: self) else { return nil }
    if pools.count >= Self.poolCountMax, let oldest = oldestIdlePool { remove(oldest) }
    pools[module] = pool
    return pool
  }

  /// Returns the connections of a module if there are any.
  func openPool(of module: ModuleName?) -> ConnectionPool? { pools[module] }

  /// Ends the connections of a pool.
  func remove(_ pool: ConnectionPool) {
    if pools[pool.module] === pool { pools[pool.module] = nil }
    pool.close()
  }

  /// Ends all transfers and connections.
  func close() {
    for pool in pools.values { remove(pool) }
  }

  /// Runs a function at a time, or soon after.
  func schedule(at time: ContinuousClock.Instant, _ fire: @escaping (NetworkLoop) -> Void) {
    timerCount += 1
    timers.insert(Timer(time: time, number: timerCount, fire: fire))
  }

  /// Tells a watcher when a socket can be read or written, until further notice.
  ///
  /// Returns false if the system refuses.
  @discardableResult
  func watch(_ socket: Int32, _ readiness: Readiness, for watcher: any SocketWatcher) -> Bool {
    let isKnown = watchers[socket] != nil
    var event = epoll_event(events: readiness.rawValue, data: epoll_data_t(fd: socket))
    let operation = isKnown ? EPOLL_CTL_MOD : EPOLL_CTL_ADD
    guard epoll_ctl(sockets.descriptor, operation, socket, &event) == 0 else { return false }
    watchers[socket] = watcher
    return true
  }

  /// Forgets a socket; must be called before it is closed.
  func unwatch(_ socket: Int32) {
    guard watchers.removeValue(forKey: socket) != nil else { return }
    var event = epoll_event()
    epoll_ctl(sockets.descriptor, EPOLL_CTL_DEL, socket, &event)
  }

  /// Does everything that is due; if `waiting`, waits for the next event.
  func turn(waiting: Bool) {
    fireTimers()
    let count = events.withUnsafeMutableBufferPointer { events in
      epoll_wait(
        sockets.descriptor, events.baseAddress, Int32(events.count), waiting ? milliseconds : 0)
    }
    for index in 0..<max(0, Int(count)) {
      let socket = events[index].data.fd
      if socket == bell.descriptor {
        bell.hush()
      } else {
        // A watcher that an earlier event has closed is no longer there.
        watchers[socket]?.socket(socket, isReady: Readiness(rawValue: events[index].events))
      }
    }
  }

  private func fireTimers() {
    guard nextTime != nil else { return }
    let now = ContinuousClock.now
    while let first = timers.min, first.time <= now { timers.removeMin().fire(self) }
    for pool in pools.values where pool.nextTime.map({ $0 <= now }) ?? false { pool.fire(now) }
  }

  private var nextTime: ContinuousClock.Instant? {
    var next = timers.min?.time
    for pool in pools.values {
      if let time = pool.nextTime { next = next.map { Swift.min($0, time) } ?? time }
    }
    return next
  }

  /// The time to wait; -1 for no limit.
  private var milliseconds: Int32 {
    guard let nextTime else { return -1 }
    let left = ContinuousClock.now.duration(to: nextTime)
    guard left > .zero else { return 0 }
    // Rounded up, so the time has come when the wait ends.
    let (seconds, attoseconds) = left.components
    return Int32(clamping: seconds * 1_000 + attoseconds / 1_000_000_000_000_000 + 1)
  }

  private var oldestIdlePool: ConnectionPool? {
    pools.values.filter(\.isIdle).min { $0.lastUse < $1.lastUse }
  }
}

/// What a socket is ready for, in the system's numbers (`EPOLLIN`, `EPOLLOUT` …).
struct Readiness: OptionSet {
  let rawValue: UInt32

  static let reading = Readiness(rawValue: EPOLLIN.rawValue)
  static let writing = Readiness(rawValue: EPOLLOUT.rawValue)
  /// The socket has an error, which its next use reports.
  static let failing = Readiness(rawValue: EPOLLERR.rawValue | EPOLLHUP.rawValue)
}

/// An object that reads and writes sockets of a loop.
protocol SocketWatcher: AnyObject {
  func socket(_ socket: Int32, isReady readiness: Readiness)
}
