package import Moonwire
import Synchronization

/// The collected events of a host, so that events in quick succession are shown together.
package final class EventInbox: Sendable {
  /// The maximum number of events that wait to be shown; beyond that, the oldest are dropped.
  static let countMax = 10_000
  /// The maximum memory in bytes of the states that waiting events keep; beyond that, the oldest of
  /// these events are dropped.
  static let byteCountMax = 64 << 20
  /// The time without further changes of modules after which collected changes are shown.
  static let quietTime: Duration = .milliseconds(150)
  /// The time that a single change of a module waits for a second one.
  static let firstTime: Duration = .milliseconds(20)
  /// The maximum time for which changes are collected.
  static let collectingTimeMax: Duration = .seconds(1)

  private struct Contents {
    /// The events to be printed, with the memory that each keeps.
    var waiting: [(event: HostEvent, byteCount: Int)] = []
    /// The memory that they keep together.
    var byteCount = 0
    /// The printed events that are still to be delivered.
    var printed: [HostEvent] = []
    var isFinished = false

    /// The index of the event to drop; nil if there are few enough.
    var surplus: Int? {
      if waiting.count > EventInbox.countMax { return 0 }
      guard byteCount > EventInbox.byteCountMax else { return nil }
      // The last one is kept whatever its size.
      return waiting.dropLast().firstIndex { $0.byteCount > 0 }
    }
  }

  /// Whether the inbox waits for further changes.
  private let isPatient: Bool
  private let print: @Sendable ([HostEvent]) -> Void
  private let contents = Mutex(Contents())
  /// Held while events are printed, so that nothing overtakes them.
  private let printing = Mutex(())
  private let signals: AsyncStream<Void>
  private let signal: AsyncStream<Void>.Continuation

  /// Makes an inbox whose events are printed by a function; a patient one waits briefly for further
  /// changes after a change of a module.
  package init(isPatient: Bool, print: @escaping @Sendable ([HostEvent]) -> Void) {
    self.isPatient = isPatient
    self.print = print
    (signals, signal) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
  }

  /// Adds an event, on the host's thread.
  package func add(_ event: HostEvent) {
    let byteCount = event.byteCount
    contents.withLock { contents in
      contents.waiting.append((event, byteCount))
      contents.byteCount += byteCount
      while let oldest = contents.surplus {
        contents.byteCount -= contents.waiting.remove(at: oldest).byteCount
      }
    }
    signal.yield()
  }

  /// Notes that no more events will be added.
  package func finish() {
    contents.withLock { $0.isFinished = true }
    signal.finish()
  }

  /// Prints the events so far, so that whatever is printed next comes after them.
  package func flush() {
    printing.withLock { _ in
      let events = contents.withLock { contents in
        let events = contents.waiting.map(\.event)
        (contents.waiting, contents.byteCount) = ([], 0)
        contents.printed += events
        return events
      }
      if !events.isEmpty { print(events) }
    }
  }

  /// Prints events whenever there are any, and delivers them afterwards.
  package func deliver(to follow: ([HostEvent]) async -> Void) async {
    for await _ in signals {
      if isPatient { await waitForMore() }
      await deliverPrinted(to: follow)
    }
    await deliverPrinted(to: follow)
  }

  private func deliverPrinted(to follow: ([HostEvent]) async -> Void) async {
    flush()
    let events = contents.withLock { contents in
      defer { contents.printed = [] }
      return contents.printed
    }
    if !events.isEmpty { await follow(events) }
  }

  /// Waits while modules are changing, such as during a checkout of many files.
  private func waitForMore() async {
    let clock = ContinuousClock()
    let end = clock.now + Self.collectingTimeMax
    var changeCount = 0
    while true {
      let (count, isFinished) = contents.withLock { contents in
        (contents.waiting.count { $0.event.isModuleChange }, contents.isFinished)
      }
      guard count > changeCount, !isFinished, clock.now < end else { return }
      let isFirst = count == 1
      changeCount = count
      try? await clock.sleep(for: isFirst ? Self.firstTime : Self.quietTime)
    }
  }
}
