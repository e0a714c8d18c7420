import Moonwire
import Synchronization

/// The collected events of a host, so that events in quick succession are shown together.
final class EventInbox: Sendable {
  /// The maximum number of events that wait to be shown; beyond that, the oldest are dropped.
  static let countMax = 10_000
  /// The time without further changes of modules after which collected changes are shown.
  static let quietTime: Duration = .milliseconds(150)
  /// The time that a single change of a module waits for a second one.
  static let firstTime: Duration = .milliseconds(20)
  /// The maximum time for which changes are collected.
  static let collectingTimeMax: Duration = .seconds(1)

  private struct Contents {
    var events: [HostEvent] = []
    var isFinished = false
  }

  /// Whether the inbox waits for further changes.
  private let isPatient: Bool
  private let contents = Mutex(Contents())
  private let signals: AsyncStream<Void>
  private let signal: AsyncStream<Void>.Continuation

  /// Makes an inbox; a patient one waits briefly for further changes after a change of a module.
  init(isPatient: Bool) {
    self.isPatient = isPatient
    (signals, signal) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
  }

  /// Collects events until there are no more.
  func collect(_ events: AsyncStream<HostEvent>) async {
    for await event in events {
      contents.withLock { contents in
        if contents.events.count >= Self.countMax { contents.events.removeFirst() }
        contents.events.append(event)
      }
      signal.yield()
    }
    contents.withLock { $0.isFinished = true }
    signal.finish()
  }

  /// Delivers the collected events whenever there are any.
  func deliver(to show: ([HostEvent]) async -> Void) async {
    for await _ in signals {
      if isPatient { await waitForMore() }
      let events = contents.withLock { contents in
        defer { contents.events = [] }
        return contents.events
      }
      if !events.isEmpty { await show(events) }
    }
    let rest = contents.withLock { $0.events }
    if !rest.isEmpty { await show(rest) }
  }

  /// Waits while modules are changing, such as during a checkout of many files.
  private func waitForMore() async {
    let clock = ContinuousClock()
    let end = clock.now + Self.collectingTimeMax
    var changeCount = 0
    while true {
      let (count, isFinished) = contents.withLock { contents in
        (contents.events.count { $0.isModuleChange }, contents.isFinished)
      }
      guard count > changeCount, !isFinished, clock.now < end else { return }
      let isFirst = count == 1
      changeCount = count
      try? await clock.sleep(for: isFirst ? Self.firstTime : Self.quietTime)
    }
  }
}

extension HostEvent {
  /// Whether a module has arrived, left or been replaced.
  var isModuleChange: Bool {
    switch self {
    case .started, .reloaded, .removed, .failed, .recovered: true
    default: false
    }
  }
}
