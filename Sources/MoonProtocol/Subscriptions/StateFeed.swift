import Moonwire
import Synchronization

/// A client's subscription to a part of the state.
final class StateSubscription: Sendable {
  let path: Path
  fileprivate let output: any ClientOutput
  private let number: Int64
  /// What follows the patch in its notifications.
  private let ending: [UInt8]

  init(number: Int64, path: Path, to output: any ClientOutput) {
    (self.number, self.path, self.output) = (number, path, output)
    ending = Array(#","subscription":\#(number)}}"#.utf8)
  }

  /// Sends a notification, which begins with bytes that all subscriptions share.
  fileprivate func send(_ start: [UInt8]) { output.post(start + ending) }

  /// Tells that the session was closed.
  fileprivate func tellEnd() {
    output.post(Reply.notification("state/ended", ["subscription": .int(number)]))
  }
}

/// The subscriptions of all clients to the state of one session, which is followed while there are
/// any.
///
/// The change of a part is found, and its patch written, once for all who follow that part. Nobody
/// misses a change: a client that doesn't read gets all that it missed at once.
final class StateFeed: Sendable {
  /// The subscriptions to one part of the state.
  private struct Part {
    typealias ID = ObjectIdentifier

    /// The latest value, which those in step were told of.
    var value: Value?
    var inStep: [ID: StateSubscription] = [:]
    /// Those that were told of another value last.
    var behind: [ID: (subscription: StateSubscription, value: Value?)] = [:]
    var isEmpty: Bool { inStep.isEmpty && behind.isEmpty }

    mutating func take(_ moment: StateMoment, at path: Path) {
      let new = moment.state.value(at: path)
      if new != value {
        let start = notification(of: moment.commit, from: value, to: new)
        for (id, subscription) in inStep {
          if subscription.output.isCongested {
            behind[id] = (subscription, value)
          } else {
            subscription.send(start)
          }
        }
        for id in behind.keys { inStep[id] = nil }
        value = new
      }
      for id in Array(behind.keys) { catchUp(id, moment.commit) }
    }

    /// Sends a subscription all that it has missed, unless the client doesn't read.
    mutating func catchUp(_ id: ID, _ commit: Int64) {
      guard let (subscription, told) = behind[id], !subscription.output.isCongested else { return }
      if told != value { subscription.send(notification(of: commit, from: told, to: value)) }
      behind[id] = nil
      inStep[id] = subscription
    }

    /// The beginning of the notification of a change.
    private func notification(of commit: Int64, from old: Value?, to new: Value?) -> [UInt8] {
      let patch = Value.list(List(StatePatch.operations(from: old, to: new))).canonicalText
      return Array(
        (#"{"jsonrpc":"2.0","method":"state/changed","params":{"commit":\#(commit),"patch":"#
          + patch).utf8)
    }
  }

  private struct Contents {
    var parts: [Path: Part] = [:]
    var latest: StateMoment?
    var recent = RecentStates()
    var task: Task<Void, Never>?

    mutating func take(_ moment: StateMoment) {
      guard latest.map({ $0.commit <= moment.commit }) ?? true else { return }
      latest = moment
      recent.note(moment)
      var index = parts.startIndex
      while index != parts.endIndex {
        let path = parts.keys[index]
        parts.values[index].take(moment, at: path)
        parts.formIndex(after: &index)
      }
    }
  }

  /// The length of the pause after a change, in relation to the time for telling subscribers of it.
  private static let pauseFactor = 4
  private static let pauseMin: Duration = .milliseconds(1)
  private static let pauseMax: Duration = .milliseconds(100)

  private let session: SessionID
  private let contents = Mutex(Contents())
  /// Called when the session has been closed.
  private let finish: @Sendable () -> Void

  init(of session: SessionID, finish: @escaping @Sendable () -> Void) {
    (self.session, self.finish) = (session, finish)
  }

  /// Begins a subscription, whose client was told of the state of a moment.
  func add(_ subscription: StateSubscription, from moment: StateMoment, on host: Host) {
    contents.withLock { contents in
      let isNews = contents.latest.map { $0.commit < moment.commit } ?? true
      if isNews { contents.take(moment) } else { contents.recent.note(moment) }
      let (path, id) = (subscription.path, ObjectIdentifier(subscription))
      let latest = contents.latest ?? moment
      var part = contents.parts[path] ?? Part(value: latest.state.value(at: path))
      part.behind[id] = (subscription, moment.state.value(at: path))
      part.catchUp(id, latest.commit)
      contents.parts[path] = part
      guard contents.task == nil else { return }
      contents.task = Task { [weak self] in await self?.follow(host) }
    }
  }

  func remove(_ subscription: StateSubscription) {
    contents.withLock { contents in
      let (path, id) = (subscription.path, ObjectIdentifier(subscription))
      contents.parts[path]?.inStep[id] = nil
      contents.parts[path]?.behind[id] = nil
      if contents.parts[path]?.isEmpty ?? false { contents.parts[path] = nil }
      guard contents.parts.isEmpty else { return }
      contents.task?.cancel()
      contents.task = nil
    }
  }

  /// Sends what a subscription has held back.
  func catchUp(_ subscription: StateSubscription) {
    contents.withLock { contents in
      guard let commit = contents.latest?.commit else { return }
      contents.parts[subscription.path]?.catchUp(ObjectIdentifier(subscription), commit)
    }
  }

  /// Returns the state after a commit that subscribers were told of; nil if it isn't known.
  func state(after commit: Int64) -> Value? {
    contents.withLock { $0.recent.state(after: commit) }
  }

  private func follow(_ host: Host) async {
    for await _ in await host.states(of: session) {
      guard let moment = await host.perform({ [session] in StateMoment(of: session, on: $0) })
      else { break }
      let start = ContinuousClock.now
      contents.withLock { $0.take(moment) }
      let pause = start.duration(to: .now) * Self.pauseFactor
      // Changes that come meanwhile go together, so that subscribers leave the app its time.
      try? await Task.sleep(for: min(max(pause, Self.pauseMin), Self.pauseMax))
    }
    guard !Task.isCancelled else { return }
    let parts = contents.withLock { contents in
      defer { contents.parts = [:] }
      return contents.parts
    }
    for part in parts.values {
      for subscription in part.inStep.values { subscription.tellEnd() }
      for (subscription, _) in part.behind.values { subscription.tellEnd() }
    }
    finish()
  }
}

/// The feeds of a host's sessions that somebody follows or has followed.
final class StateFeeds: Sendable {
  private let feeds = Mutex<[SessionID: StateFeed]>([:])

  subscript(session: SessionID) -> StateFeed {
    feeds.withLock { feeds in
      if let feed = feeds[session] { return feed }
      let feed = StateFeed(of: session) { [weak self] in self?.forget(session) }
      feeds[session] = feed
      return feed
    }
  }

  /// Forgets the states of a session that was closed.
  func forget(_ session: SessionID) { feeds.withLock { $0[session] = nil } }
}
