import Moonwire
import Synchronization

/// A client's subscription to a part of the state.
///
/// It misses no change: a client that doesn't read gets all that it missed at once.
final class StateSubscription: Sendable {
  private struct Contents {
    var sent: Value?
    var commit: Int64
  }

  let number: Int64
  let path: Path
  private let output: any ClientOutput
  private let contents: Mutex<Contents>

  init(number: Int64, path: Path, from moment: StateMoment, to output: any ClientOutput) {
    (self.number, self.path, self.output) = (number, path, output)
    contents = Mutex(Contents(sent: moment.state.value(at: path), commit: moment.commit))
  }

  /// Sends what has changed since the last notification, unless the client doesn't read.
  func send(_ moment: StateMoment, sharing patches: inout SharedPatch) {
    guard !output.isCongested else { return }
    let value = patches.value(at: path, of: moment)
    let sent = contents.withLock { contents -> Value?? in
      guard contents.commit <= moment.commit, contents.sent != value else { return .none }
      defer { (contents.sent, contents.commit) = (value, moment.commit) }
      return .some(contents.sent)
    }
    guard let sent else { return }
    let patch = patches.text(at: path, from: sent, to: value)
    let start = #"{"jsonrpc":"2.0","method":"state/changed","params":{"commit":\#(moment.commit)"#
    output.send(Array(#"\#(start),"patch":\#(patch),"subscription":\#(number)}}"#.utf8))
  }

  /// Tells that the session was closed.
  func tellEnd() {
    output.send(Reply.notification("state/ended", ["subscription": .int(number)]))
  }
}

/// The patches of one moment, of which subscriptions to the same path share one.
struct SharedPatch {
  private var values: [Path: Value?] = [:]
  private var texts: [Path: (from: Value?, text: String)] = [:]

  mutating func value(at path: Path, of moment: StateMoment) -> Value? {
    if let value = values[path] { return value }
    let value = moment.state.value(at: path)
    values[path] = .some(value)
    return value
  }

  mutating func text(at path: Path, from old: Value?, to new: Value?) -> String {
    if let known = texts[path], isSame(known.from, old) { return known.text }
    let text = Value.list(List(StatePatch.operations(from: old, to: new))).canonicalText
    texts[path] = (old, text)
    return text
  }

  private func isSame(_ left: Value?, _ right: Value?) -> Bool {
    guard let left, let right else { return left == nil && right == nil }
    return left.isIdentical(to: right)
  }
}

/// The subscriptions of all clients to states: each session is followed once, while anyone does.
final class StateFeeds: Sendable {
  private struct Feed {
    var subscriptions: [ObjectIdentifier: StateSubscription] = [:]
    var latest: StateMoment?
    var task: Task<Void, Never>?
  }

  private let feeds = Mutex<[SessionID: Feed]>([:])

  func add(_ subscription: StateSubscription, of session: SessionID, on host: Host) {
    feeds.withLock { feeds in
      var feed = feeds[session] ?? Feed()
      feed.subscriptions[ObjectIdentifier(subscription)] = subscription
      if feed.task == nil {
        feed.task = Task { [weak self] in await self?.follow(session, on: host) }
      }
      feeds[session] = feed
    }
    // The state may have changed since the value was read.
    catchUp(subscription, of: session)
  }

  func remove(_ subscription: StateSubscription, of session: SessionID) {
    feeds.withLock { feeds in
      feeds[session]?.subscriptions[ObjectIdentifier(subscription)] = nil
      guard feeds[session]?.subscriptions.isEmpty ?? false else { return }
      feeds.removeValue(forKey: session)?.task?.cancel()
    }
  }

  /// Sends what a subscription has held back.
  func catchUp(_ subscription: StateSubscription, of session: SessionID) {
    guard let latest = feeds.withLock({ $0[session]?.latest }) else { return }
    var patches = SharedPatch()
    subscription.send(latest, sharing: &patches)
  }

  private func follow(_ session: SessionID, on host: Host) async {
    for await _ in await host.states(of: session) {
      guard let moment = await host.perform({ StateMoment(of: session, on: $0) }) else { break }
      let subscriptions = feeds.withLock { feeds in
        feeds[session]?.latest = moment
        return feeds[session].map { Array($0.subscriptions.values) } ?? []
      }
      var patches = SharedPatch()
      for subscription in subscriptions { subscription.send(moment, sharing: &patches) }
    }
    guard !Task.isCancelled else { return }
    for subscription in feeds.withLock({ $0.removeValue(forKey: session) })?.subscriptions.values
      ?? [:].values
    { subscription.tellEnd() }
  }
}
