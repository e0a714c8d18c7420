import Moonwire

/// The parameters that several functions of `moon.http` share.
enum HTTPParameter {
  static let url = ServiceParameter<String>.string("url", "http://… or https://…")
  static let socketURL = ServiceParameter<String>.string("url", "ws://… or wss://…")
  static let query = ServiceParameter<Map?>.option(.map("query", "Fields for the query"))
  static let headers = ServiceParameter<Map?>.option(.map("headers"))
  static let method = ServiceParameter<String>.option(.string("method"), or: "GET")
  static let body = ServiceParameter<[UInt8]?>.option(.bytes("body", "The body as it is"))
  static let json = ServiceParameter<Value?>.option(.any("json", "A value, sent as JSON"))
  static let form = ServiceParameter<Map?>.option(.map("form", "Fields, sent as a form"))
  static let accept = ServiceParameter<String?>.option(
    .choice(
      "accept", ["json", "text"],
      "json: fail unless the answer is JSON; text: never read it as JSON"))
  static let timeout = ServiceParameter<Double>.option(
    seconds("timeout", "Seconds for the answer"), or: OutgoingRequest.answerSecondsMax)
  static let connectTimeout = ServiceParameter<Double>.option(
    seconds("connect_timeout", "Seconds for the connection"), or: OutgoingRequest.connectSecondsMax)
  static let readTimeout = ServiceParameter<Double>.option(
    seconds("read_timeout", "Seconds without a byte"), or: OutgoingRequest.readSecondsMax)
  static let silence = ServiceParameter<Double?>.option(
    seconds("read_timeout", "Seconds without a byte, no limit otherwise"))
  static let bytesMax = ServiceParameter<Int?>.option(
    .integer("max_bytes", in: 0...Int.max, "Size of the body; no more than of any answer"))
  static let downloadBytesMax = ServiceParameter<Int>.option(
    .integer("max_bytes", in: 0...Int.max, "Size of the body"), or: HTTPDownload.bytesMax)
  static let messageBytesMax = ServiceParameter<Int>.option(
    .integer("max_bytes", in: 1...WebSocket.messageBytesLimit, "Size of a message"),
    or: WebSocket.messageBytesMax)
  static let redirects = ServiceParameter<Int>.option(
    .integer("redirects", in: 0...100, "How many are followed; 0 returns the answer itself"),
    or: OutgoingRequest.redirectCountMax)
  static let lastID = ServiceParameter<String?>.option(
    .string("last_id", "The id of the event after which to begin"))
  static let retries = ServiceParameter<Int>.option(
    .integer("retries", in: 0...1_000_000, "How many attempts may fail one after another"),
    or: EventSource.retryCountMax)
  static let protocols = ServiceParameter<[String]?>.option(
    .strings("protocols", "Subprotocols, the preferred ones first"))

  private static func seconds(_ name: String, _ summary: String) -> ServiceParameter<Double> {
    .number(name, in: 0.001...86_400, summary)
  }
}
