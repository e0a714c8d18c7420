import Moonwire

/// A server that sends events.
///
/// Source: WHATWG HTML, §9.2 (server-sent events).
struct EventSource: Sendable {
  /// The time between two readings of a stream that has sent more bytes than an event may have, but
  /// no event: what means nothing isn't read as fast as it comes.
  static let emptyInterval = Duration.milliseconds(50)
  /// The number of successive attempts to reconnect that may fail, unless the script sets another.
  static let retryCountMax = 10
  /// The milliseconds before reconnecting, unless the server sets others.
  static let retryMilliseconds = 3_000
  /// The minimum number of milliseconds before reconnecting.
  static let retryMillisecondsMin = 100
  /// The maximum number of milliseconds before reconnecting.
  static let retryMillisecondsMax = 60_000

  /// The header with the id of the event after which to begin.
  static let idHeader = "Last-Event-ID"

  let request: OutgoingRequest
  let network: HTTPNetwork
  let call: ServiceCall
  let readSeconds: Double?
  let retryCountMax: Int

  /// Connects, and requests the events after one.
  ///
  /// Returns nil if the server says that there are no more (status 204).
  ///
  /// - Throws: ``HTTPFailure/notAnEventStream(_:reason:)``, and the errors of requests.
  func connect(after lastID: String) async throws -> BodyReader? {
    var request = request
    if !lastID.isEmpty {
      request.headers.replace(Self.idHeader, with: lastID)
    }
    let reply = try await network.head(of: request, for: call)
    let place = reply.address.place
    switch reply.head.status {
    case 204: return nil
    case 200: break
    case let status: throw HTTPFailure.notAnEventStream(place, reason: "the status is \(status)")
    }
    let type = reply.head.headers.mediaType
    guard type == "text/event-stream" else {
      throw HTTPFailure.notAnEventStream(
        place, reason: "the type is \(type ?? "unknown"), not text/event-stream")
    }
    return BodyReader(reply, readSeconds: readSeconds)
  }

  /// Returns the time to wait before reconnecting, after a number of failures.
  static func delay(_ wish: Int?, failureCount: Int) -> Duration {
    let first = min(max(wish ?? retryMilliseconds, retryMillisecondsMin), retryMillisecondsMax)
    let factor = 1 << min(max(failureCount - 1, 0), 10)
    return .milliseconds(min(first * factor, retryMillisecondsMax))
  }
}

/// The events of a server, across connections.
struct EventSequence: AsyncSequence, Sendable {
  private let first: BodyReader?
  private let lastID: String
  private let source: EventSource

  /// Makes the events of a connection, beginning after one.
  init(first: BodyReader?, after lastID: String, _ source: EventSource) {
    self.first = first
    self.lastID = lastID
    self.source = source
  }

  func makeAsyncIterator() -> Iterator { Iterator(body: first, after: lastID, source) }

  struct Iterator: AsyncIteratorProtocol {
    private var body: BodyReader?
    private let source: EventSource
    private var parser: EventParser
    private var events: ArraySlice<EventParser.Event> = []
    private var failureCount = 0

    fileprivate init(body: BodyReader?, after lastID: String, _ source: EventSource) {
      self.body = body
      self.source = source
      parser = EventParser(lastID: lastID)
    }

    /// Returns the next event; nil when the server has no more.
    mutating func next() async throws -> ServiceResult? {
      while true {
        if let event = events.popFirst() { return event.result }
        guard let body else { return nil }
        do {
          guard let part = try await body.next() else {
            guard source.retryCountMax > 0 else { return nil }
            try await reconnect(after: .connectionLost(body.place))
            continue
          }
          guard let found = parser.read(part) else {
            throw HTTPFailure.eventTooLarge(body.place, max: EventParser.eventBytesMax)
          }
          if !found.isEmpty { failureCount = 0 }
          events = found[...]
          if parser.bytesSinceEvent > EventParser.eventBytesMax {
            try await Task.sleep(for: EventSource.emptyInterval)
          }
        } catch let failure as HTTPFailure where failure.isWorthRetrying {
          try await reconnect(after: failure)
        }
      }
    }

    /// Reconnects, until it succeeds or has failed too often.
    private mutating func reconnect(after reason: HTTPFailure) async throws {
      var reason = reason
      while true {
        failureCount += 1
        guard failureCount <= source.retryCountMax else { throw reason }
        try await Task.sleep(
          for: EventSource.delay(parser.retryMilliseconds, failureCount: failureCount))
        do {
          body = try await source.connect(after: parser.lastID)
          parser.restart()
          return
        } catch let failure as HTTPFailure where failure.isWorthRetrying {
          reason = failure
        }
      }
    }
  }
}

extension EventParser.Event {
  fileprivate var result: ServiceResult {
    .fields([
      ("type", .string(type)), ("data", .string(data)),
      ("id", id.isEmpty ? .nothing : .string(id)),
    ])
  }
}

extension HTTPFailure {
  /// Whether another attempt may succeed.
  fileprivate var isWorthRetrying: Bool {
    switch self {
    case .connectionLost, .connectionRefused, .unreachable, .timedOut, .nameNotFound: true
    default: false
    }
  }
}
