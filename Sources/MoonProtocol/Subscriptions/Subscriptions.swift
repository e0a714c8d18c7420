import Moonwire
import Synchronization

/// The subscriptions of a client.
final class Subscriptions: Sendable {
  /// The maximum number of subscriptions of one client.
  static let countMax = 1_000

  private struct Entry {
    let wake: (@Sendable () -> Void)?
    let settle: (@Sendable () async -> Void)?
    let end: @Sendable () -> Void
  }

  private struct Contents {
    var entries: [Int64: Entry] = [:]
    var last: Int64 = 0
    var isClosed = false
  }

  private let contents = Mutex(Contents())

  func reserve() throws(ProtocolError) -> Int64 {
    try contents.withLock { contents throws(ProtocolError) in
      guard contents.entries.count < Self.countMax else {
        throw ProtocolError(.tooMuch, "a client has at most \(Self.countMax) subscriptions")
      }
      contents.last += 1
      return contents.last
    }
  }

  func keep(
    _ number: Int64, wake: (@Sendable () -> Void)?, settle: (@Sendable () async -> Void)?,
    end: @escaping @Sendable () -> Void
  ) {
    let isClosed = contents.withLock { contents in
      if !contents.isClosed {
        contents.entries[number] = Entry(wake: wake, settle: settle, end: end)
      }
      return contents.isClosed
    }
    if isClosed { end() }
  }

  func end(_ number: Int64) -> Bool {
    let entry = contents.withLock { $0.entries.removeValue(forKey: number) }
    entry?.end()
    return entry != nil
  }

  func wake() {
    for entry in contents.withLock({ Array($0.entries.values) }) { entry.wake?() }
  }

  /// Waits until the client has been told of what it sees now.
  func settle() async {
    for entry in contents.withLock({ Array($0.entries.values) }) { await entry.settle?() }
  }

  func endAll() {
    let entries = contents.withLock { contents in
      contents.isClosed = true
      defer { contents.entries = [:] }
      return Array(contents.entries.values)
    }
    for entry in entries { entry.end() }
  }
}

/// The notifications of a subscription to what can't be asked for again.
///
/// A client that doesn't read misses some, and is told how many.
final class Notices: Sendable {
  private let method: String
  private let number: Int64
  private let output: any ClientOutput
  private let missed = Mutex(0)

  init(_ method: String, _ number: Int64, to output: any ClientOutput) {
    (self.method, self.number, self.output) = (method, number, output)
  }

  /// Notes that there were some more, which can't be sent.
  func skip(_ count: Int) { missed.withLock { $0 += count } }

  func send(_ parameters: Map) { if !offer(parameters) { skip(1) } }

  /// Sends one unless the client doesn't read; returns whether it was sent.
  func offer(_ parameters: Map) -> Bool {
    if output.isCongested { return false }
    var parameters = parameters
    parameters["subscription"] = .int(number)
    let count = missed.withLock { missed in
      defer { missed = 0 }
      return missed
    }
    if count > 0 { parameters["missed"] = .int(Int64(count)) }
    output.post(Reply.notification(method, parameters))
    return true
  }
}
