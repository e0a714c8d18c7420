public import Moonwire

/// The reason that a request has no answer, or no usable one.
public enum HTTPFailure: ServiceFailure, Equatable {
  /// The text isn't a URL that can be requested.
  case badURL(String, reason: String)
  /// The method isn't a word, or scripts may not use it.
  case badMethod(String)
  /// A header has an invalid name or value, or only the host may set it.
  case badHeader(String, reason: String)
  /// A value of a query or form isn't a text, number or boolean, or a list of these.
  case badField(String)
  /// There are several bodies.
  case severalBodies
  /// The value can't be written as JSON.
  case bodyNotJSON(String)
  /// The host name has no address.
  case nameNotFound(String)
  /// Nothing listens at the address.
  case connectionRefused(String)
  /// The address can't be reached.
  case unreachable(String, reason: String)
  /// The certificate isn't valid for the host, or not trusted.
  case badCertificate(String, reason: String)
  /// TLS failed for another reason.
  case badHandshake(String, reason: String)
  /// A time limit has passed.
  case timedOut(String, Phase)
  /// The connection ended too early.
  case connectionLost(String)
  /// The answer isn't HTTP.
  case malformedAnswer(String, reason: String)
  /// The answer is larger than allowed.
  case answerTooLarge(String, max: Int, canBeRaised: Bool)
  /// The host holds as much memory for the module as it may.
  case memoryFull(String, ServiceRefusal)
  /// A server-sent event is larger than allowed.
  case eventTooLarge(String, max: Int)
  /// The answer isn't JSON.
  case notJSON(String, status: Int, reason: String)
  /// There are more redirects than allowed.
  case tooManyRedirects(String, max: Int)
  /// A redirect leads to a place that the module may not reach.
  case redirectRefused(from: String, GrantRefusal)
  /// A redirect leads to something that isn't a URL.
  case badRedirect(from: String, reason: String)
  /// The answer isn't a stream of events.
  case notAnEventStream(String, reason: String)
  /// The server doesn't speak WebSocket at this URL.
  case notAWebSocket(String, reason: String)
  /// The WebSocket is closed.
  case socketClosed(code: Int?, reason: String)
  /// Something else.
  case failed(String, reason: String)

  /// The part of a request whose time limit has passed.
  public enum Phase: Sendable, Equatable {
    /// Waiting for the connection.
    case connecting
    /// Waiting for the next bytes.
    case reading
    /// Waiting for the whole answer, or its head.
    case answering(seconds: Double)
  }

  /// A word for scripts to compare.
  public var code: String {
    switch self {
    case .badURL: "bad_url"
    case .badMethod, .badField, .severalBodies, .bodyNotJSON: "bad_argument"
    case .badHeader: "bad_header"
    case .nameNotFound: "name_not_found"
    case .connectionRefused: "connection_refused"
    case .unreachable: "unreachable"
    case .badCertificate, .badHandshake: "bad_certificate"
    case .timedOut: "timed_out"
    case .connectionLost: "connection_lost"
    case .malformedAnswer: "malformed_answer"
    case .answerTooLarge: "answer_too_large"
    case .memoryFull(_, let refusal): refusal.code
    case .eventTooLarge: "event_too_large"
    case .notJSON: "not_json"
    case .tooManyRedirects: "too_many_redirects"
    case .redirectRefused, .badRedirect: "redirect_refused"
    case .notAnEventStream: "not_an_event_stream"
    case .notAWebSocket: "not_a_websocket"
    case .socketClosed: "socket_closed"
    case .failed: "failed"
    }
  }

  /// One phrase: the place and the problem.
  public var description: String {
    switch self {
    case .badURL(let text, let reason): "'\(Self.short(text))' can't be requested: \(reason)"
    case .badMethod(let method): "'\(Self.short(method))' isn't a method: write one such as GET"
    case .badHeader(let name, let reason): "the header '\(Self.short(name))' \(reason)"
    case .badField(let name):
      "'\(Self.short(name))' must be a string, a number, a boolean, or a list of these"
    case .severalBodies: "there is one body: pass 'body', 'json' or 'form'"
    case .bodyNotJSON(let reason): "'json' can't be sent: \(reason)"
    case .nameNotFound(let host): "the name \(host) isn't found"
    case .connectionRefused(let place): "nothing listens at \(place): the connection was refused"
    case .unreachable(let place, let reason): "\(place) can't be reached: \(reason)"
    case .badCertificate(let place, let reason):
      "the certificate of \(place) isn't valid: \(reason)"
    case .badHandshake(let place, let reason):
      "no secure connection to \(place) is possible: \(reason)"
    case .timedOut(let place, let phase): "\(place) \(phase)"
    case .connectionLost(let place): "\(place) closed the connection before the answer ended"
    case .malformedAnswer(let place, let reason):
      "the answer of \(place) isn't valid: \(reason)"
    case .answerTooLarge(let place, let max, let canBeRaised):
      "the answer of \(place) is larger than \(max) bytes: "
        + (canBeRaised ? "raise max_bytes, or " : "") + "read it in parts with moon.http.open"
    case .memoryFull(let place, let refusal): "the answer of \(place) can't be kept: \(refusal)"
    case .eventTooLarge(let place, let max): "\(place) sends an event of more than \(max) bytes"
    case .notJSON(let place, let status, let reason):
      "the answer of \(place) (status \(status)) isn't JSON: \(reason)"
    case .tooManyRedirects(let place, let max):
      "\(place) redirects once more, after \(max) times"
    case .redirectRefused(let place, let refusal): "\(place) redirects where \(refusal)"
    case .badRedirect(let place, let reason):
      "\(place) redirects to something that isn't a URL: \(reason)"
    case .notAnEventStream(let place, let reason): "\(place) doesn't send events: \(reason)"
    case .notAWebSocket(let place, let reason): "\(place) doesn't open a WebSocket: \(reason)"
    case .socketClosed(let code, let reason):
      "the connection is closed" + (code.map { " (\($0))" } ?? "")
        + (reason.isEmpty ? "" : ": \(reason)")
    case .failed(let place, let reason): "the request to \(place) failed: \(reason)"
    }
  }

  /// The maximum number of characters of an argument in a message.
  private static let shownMax = 80

  private static func short(_ text: String) -> String {
    text.count > shownMax ? text.prefix(shownMax) + "…" : text
  }
}

extension HTTPFailure.Phase: CustomStringConvertible {
  /// The end of a sentence about a place.
  public var description: String {
    switch self {
    case .connecting: "didn't accept a connection in time"
    case .reading: "sent nothing more in time"
    case .answering(let seconds): "didn't answer within \(HTTPFailure.text(of: seconds)) s"
    }
  }
}

extension HTTPFailure {
  fileprivate static func text(of seconds: Double) -> String {
    Int(exactly: seconds).map(String.init) ?? "\(seconds)"
  }
}
