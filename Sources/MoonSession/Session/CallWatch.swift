public import MoonModules
public import MoonServiceKit
import Synchronization

/// A call of code in Swift that the host has waited for longer than it should.
///
/// Nothing can end such code: until it returns, nothing else in its host goes on.
public struct LongCall: Sendable, Equatable {
  /// The module whose code runs, or which has called the service.
  public let module: ModuleName
  /// The registration whose code runs.
  public let registration: Registration
  /// The function of a service that the registration has called, such as `sensor.read`; nil if it
  /// is the registration's own code that runs.
  public let function: String?
  /// The time for which it has run at least.
  public internal(set) var time = Duration.zero

  init(of registration: BoundRegistration, _ function: String? = nil) {
    module = registration.owner
    self.registration = registration.registration
    self.function = function
  }
}

extension LongCall: CustomStringConvertible {
  /// One sentence: whose code it is, for how long it has run, and what to do.
  public var description: String {
    let code = "\(registration) of module \(module)"
    return (function.map { "\($0), called by \(code)," } ?? code)
      + " has run for \(time.wholeMilliseconds / 1000) s, and the host waits for it: code in Swift "
      + "can't be ended, so let it return soon, and do what takes time in an effect"
  }
}

/// Notices code in Swift that doesn't return, which no budget ends.
///
/// The host notes when such code begins and ends. While there are calls, a task looks once in an
/// interval whether the same one still runs.
package final class CallWatch: Sendable {
  private struct Calls {
    var running: LongCall?
    /// The number of calls that have begun or ended.
    var count: UInt64 = 0
    var isWatched = false
  }

  /// The time after which a call is first reported.
  package static let standardInterval = Duration.seconds(1)

  private let calls = Mutex(Calls())
  private let interval: Duration
  private let report: @Sendable (LongCall) -> Void

  /// Makes a watch; `report` is called on any thread, after one interval, two, four and so on.
  package init(
    every interval: Duration = standardInterval, _ report: @escaping @Sendable (LongCall) -> Void
  ) {
    self.interval = interval
    self.report = report
  }

  /// Notes whose code runs from now on, nil for none that must be watched, and the function of a
  /// service that it calls.
  func note(_ registration: BoundRegistration?, calling function: String? = nil) {
    let call = registration.map { LongCall(of: $0, function) }
    let isFirst = calls.withLock { calls in
      calls.running = call
      calls.count &+= 1
      guard call != nil, !calls.isWatched else { return false }
      calls.isWatched = true
      return true
    }
    if isFirst { Task.detached { [self] in await watch() } }
  }

  private func watch() async {
    var known: (count: UInt64?, since: ContinuousClock.Instant) = (nil, .now)
    var next = interval
    while true {
      try? await Task.sleep(for: interval)
      let (running, count) = calls.withLock { calls in
        // Nothing has happened for an interval, so that the next call starts another task.
        if calls.running == nil, calls.count == known.count { calls.isWatched = false }
        return (calls.isWatched ? calls.running : nil, calls.isWatched ? calls.count : nil)
      }
      guard let count else { return }
      guard count == known.count, var call = running else {
        known = (count, .now)
        next = interval
        continue
      }
      call.time = .now - known.since
      guard call.time >= next else { continue }
      next = call.time * 2
      report(call)
    }
  }
}
