import MoonPrompt
import Moonwire
import Synchronization

/// A client's subscription to what people see in a session.
///
/// What is on top is drawn once for all who watch it. A client that doesn't read gets all that it
/// has missed at once.
final class StageFeed: Sendable {
  /// The number of failed drawings of a screen that isn't on top, after which it isn't drawn again
  /// until modules change.
  private static let failureCountMax = 3
  /// The pause after a change, so that changes in quick succession go together.
  private static let pause: Duration = .milliseconds(8)

  private struct Contents {
    /// What the client was told.
    var told: Value
    var top: ShownScreen?
    /// The number of failed drawings in a row, by screen.
    var failures: [Text: Int] = [:]
    /// Those who wait until the client has been told; nil once it isn't told any more.
    var waiting: [CheckedContinuation<Void, Never>]? = []
  }

  private let number: Int64
  private let session: SessionID
  private let host: Host
  private let events: Readers<HostEvent>
  private let watches: ScreenWatches
  private let output: any ClientOutput
  private let contents: Mutex<Contents>
  private let signals: AsyncStream<Void>
  private let signal: AsyncStream<Void>.Continuation
  private let task = Mutex<Task<Void, Never>?>(nil)

  /// Makes the subscription of a client that is told `value` first.
  init(
    number: Int64, of session: SessionID, on host: Host, _ events: Readers<HostEvent>,
    _ watches: ScreenWatches, to output: any ClientOutput, telling value: Value
  ) {
    (self.number, self.session, self.output) = (number, session, output)
    (self.host, self.events, self.watches) = (host, events, watches)
    contents = Mutex(Contents(told: value))
    (signals, signal) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
  }

  /// Returns what is seen now; nil if there is no such session.
  static func now(of session: SessionID, on host: isolated Host) -> Value? {
    guard let tree = host.navigationTree(of: session) else { return nil }
    let others = StageRecord.others(in: tree)
    return StageRecord(
      tree: tree, top: host.shownScreen(in: session),
      beside: others.beside.flatMap { host.shownScreen($0, in: session) },
      beneath: others.beneath.flatMap { host.shownScreen($0, in: session) }
    ).value
  }

  func begin() {
    let task = Task { [weak self, host, session, events, watches, signals] in
      await watches.begin(of: session, on: host)
      let reader = events.add { [weak self] in self?.note($0) }
      let following = Task { [weak self] in
        for await _ in await host.states(of: session) { self?.wake() }
      }
      await self?.catchUp(drawingTop: true)
      for await _ in signals {
        let waiting = self?.takeWaiting() ?? []
        await self?.catchUp(drawingTop: false)
        for continuation in waiting { continuation.resume() }
        if waiting.isEmpty { try? await Task.sleep(for: Self.pause) }
      }
      self?.stopWaiting()
      following.cancel()
      if let reader { events.remove(reader) }
      watches.end(of: session, on: host)
    }
    self.task.withLock { $0 = task }
  }

  /// Waits until the client has been told of all that is seen now.
  func settle() async {
    await host.perform { $0.announceScreens() }
    await withCheckedContinuation { continuation in
      let isEnded = contents.withLock { contents in
        contents.waiting?.append(continuation)
        return contents.waiting == nil
      }
      if isEnded { continuation.resume() } else { wake() }
    }
  }

  private func takeWaiting() -> [CheckedContinuation<Void, Never>] {
    contents.withLock { contents in
      defer { if contents.waiting != nil { contents.waiting = [] } }
      return contents.waiting ?? []
    }
  }

  private func stopWaiting() {
    for continuation in contents.withLock({ $0.waiting.take() }) ?? [] { continuation.resume() }
  }

  func end() { task.withLock { $0.take() }?.cancel() }

  /// Looks again, since the client has read what waited for it or something may have changed.
  func wake() { signal.yield() }

  private func note(_ event: HostEvent) {
    if case .screenChanged(session, let shown) = event {
      contents.withLock { $0.top = shown }
      wake()
    } else if event.isModuleChange {
      contents.withLock { $0.failures = [:] }
      wake()
    }
  }

  private func catchUp(drawingTop: Bool) async {
    guard !output.isCongested else { return }
    let (top, failures) = contents.withLock { ($0.top, $0.failures) }
    let session = session
    let drawn = await host.perform { host -> Drawing? in
      guard let tree = host.navigationTree(of: session) else { return nil }
      return Drawing(
        tree: tree, top: drawingTop ? host.shownScreen(in: session) : top, session, host, failures)
    }
    guard let drawn else { return }
    // What is on top is told by an event once it is drawn.
    guard drawn.top?.screen.id == drawn.tree.topScreen?.id else { return }
    let value = drawn.value
    let told = contents.withLock { contents in
      contents.failures = drawn.failures
      if drawingTop, contents.top == nil { contents.top = drawn.top }
      defer { contents.told = value }
      return contents.told
    }
    let patch = StatePatch.operations(from: told, to: value)
    guard !patch.isEmpty else { return }
    output.post(
      Reply.notification(
        "screen/changed", ["patch": .list(List(patch)), "subscription": .int(number)]))
  }

  /// What is seen at a moment.
  private struct Drawing: Sendable {
    let tree: NavigationTree
    let top: ShownScreen?
    var beside: ShownScreen?
    var beneath: ShownScreen?
    var failures: [Text: Int]

    init(
      tree: NavigationTree, top: ShownScreen?, _ session: SessionID, _ host: isolated Host,
      _ failures: [Text: Int]
    ) {
      (self.tree, self.top, self.failures) = (tree, top, failures)
      let others = StageRecord.others(in: tree)
      beside = draw(others.beside, session, host)
      beneath = draw(others.beneath, session, host)
    }

    private mutating func draw(
      _ id: Text?, _ session: SessionID, _ host: isolated Host
    ) -> ShownScreen? {
      guard let id, failures[id] ?? 0 < StageFeed.failureCountMax else { return nil }
      let shown = host.shownScreen(id, in: session)
      failures[id] = shown?.failure == nil ? nil : (failures[id] ?? 0) + 1
      return shown
    }

    var value: Value {
      StageRecord(tree: tree, top: top, beside: beside, beneath: beneath).value
    }
  }
}
