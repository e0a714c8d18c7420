public import Moonwire

extension Service {
  /// Requests over HTTP, streams of events and WebSockets, as `moon.http`.
  ///
  /// Each access makes a service with its own connections, which close with the host that offers
  /// it.
  public static var http: Service { http(over: HTTPNetwork()) }

  /// Makes the service on a network.
  package static func http(over network: HTTPNetwork) -> Service {
    let requests = HTTPFunctions(network: network)
    var service = Service(
      "http", "Sends requests over HTTP, and receives events and messages.",
      functions: [
        requests.reading("get", .get, "Fetches a URL."),
        requests.reading("head", .head, "Fetches the headers of a URL."),
        requests.sending("post", .post, "Sends a body to a URL."),
        requests.sending("put", .put, "Stores a body at a URL."),
        requests.sending("patch", .patch, "Changes what is at a URL."),
        requests.sending("delete", .delete, "Deletes what is at a URL."),
        requests.request, requests.open, requests.events, requests.websocket,
      ],
      mayBlock: false, closing: { await network.close() })
    service.executor = { network.lane(of: $0).thread }
    return service
  }
}

/// The functions of `moon.http`.
private struct HTTPFunctions {
  let network: HTTPNetwork

  /// The fields of an answer, for the documentation.
  private static let answer = "{status, ok, url, headers, text, json}"

  /// Declares a function for a method without a body.
  func reading(_ name: String, _ method: HTTPMethod, _ summary: String) -> ServiceFunction {
    .asynchronous(
      name, summary, HTTPParameter.url, HTTPParameter.query, HTTPParameter.headers,
      HTTPParameter.accept, JSONText.null, HTTPParameter.timeout, HTTPParameter.connectTimeout,
      HTTPParameter.readTimeout, HTTPParameter.bytesMax, HTTPParameter.redirects,
      returns: Self.answer
    ) {
      [network] call, url, query, headers, accept, null, timeout, connect, read, bytesMax, redirects
      in
      let draft = RequestDraft(url: url, query: query, headers: headers, accept: accept)
      return try await network.answer(
        to: draft, method, null, (timeout, connect, read, bytesMax, redirects), for: call)
    }
  }

  /// Declares a function for a method with a body.
  func sending(_ name: String, _ method: HTTPMethod, _ summary: String) -> ServiceFunction {
    .asynchronous(
      name, summary, HTTPParameter.url, HTTPParameter.body, HTTPParameter.json,
      HTTPParameter.form, HTTPParameter.query, HTTPParameter.headers, HTTPParameter.accept,
      JSONText.null, HTTPParameter.timeout, HTTPParameter.connectTimeout, HTTPParameter.readTimeout,
      HTTPParameter.bytesMax, HTTPParameter.redirects, returns: Self.answer
    ) {
      [network]
      call, url, body, json, form, query, headers, accept, null, timeout, connect, read,
      bytesMax, redirects in
      let draft = RequestDraft(
        url: url, query: query, headers: headers, accept: accept,
        body: RequestBody(bytes: body, json: json, form: form))
      return try await network.answer(
        to: draft, method, null, (timeout, connect, read, bytesMax, redirects), for: call)
    }
  }

  /// `moon.http.request`: any method.
  var request: ServiceFunction {
    .asynchronous(
      "request", "Sends a request of any method.", HTTPParameter.url, HTTPParameter.method,
      HTTPParameter.body, HTTPParameter.json, HTTPParameter.form, HTTPParameter.query,
      HTTPParameter.headers, HTTPParameter.accept, JSONText.null, HTTPParameter.timeout,
      HTTPParameter.connectTimeout, HTTPParameter.readTimeout, HTTPParameter.bytesMax,
      HTTPParameter.redirects, returns: Self.answer
    ) {
      [network]
      call, url, method, body, json, form, query, headers, accept, null, timeout, connect,
      read, bytesMax, redirects in
      let draft = RequestDraft(
        url: url, query: query, headers: headers, accept: accept,
        body: RequestBody(bytes: body, json: json, form: form))
      return try await network.answer(
        to: draft, RequestFields.method(method), null,
        (timeout, connect, read, bytesMax, redirects), for: call)
    }
  }

  /// `moon.http.open`: an answer whose body is read in parts.
  var open: ServiceFunction {
    .opening(
      "open", "Sends a request and returns the answer before its body, which is read in parts.",
      HTTPDownload.handle, HTTPParameter.url, HTTPParameter.method, HTTPParameter.body,
      HTTPParameter.json, HTTPParameter.form, HTTPParameter.query, HTTPParameter.headers,
      HTTPParameter.timeout, HTTPParameter.connectTimeout, HTTPParameter.readTimeout,
      HTTPParameter.downloadBytesMax, HTTPParameter.redirects
    ) {
      [network]
      call, url, method, body, json, form, query, headers, timeout, connect, read,
      bytesMax, redirects in
      let draft = RequestDraft(
        url: url, query: query, headers: headers,
        body: RequestBody(bytes: body, json: json, form: form))
      let limits = OutgoingRequest.Limits(
        connect: connect, read: nil, whole: timeout, bytesMax: bytesMax,
        redirectCountMax: redirects)
      let request = try await draft.request(RequestFields.method(method), limits, for: call)
      let reply = try await network.head(of: request, for: call)
      return HTTPDownload(reply, readSeconds: read)
    }
  }

  /// `moon.http.events`: server-sent events.
  var events: ServiceFunction {
    .stream(
      "events", "Receives the events that a server sends, and connects again when it is cut off.",
      HTTPParameter.url, HTTPParameter.query, HTTPParameter.headers, HTTPParameter.lastID,
      HTTPParameter.timeout, HTTPParameter.connectTimeout, HTTPParameter.silence,
      HTTPParameter.retries, of: "{type, data, id}"
    ) { [network] call, url, query, headers, lastID, timeout, connect, silence, retries in
      let draft = RequestDraft(
        url: url, query: query, headers: headers, type: "text/event-stream")
      let limits = OutgoingRequest.Limits(
        connect: connect, read: nil, whole: timeout, bytesMax: .max,
        redirectCountMax: OutgoingRequest.redirectCountMax)
      let source = EventSource(
        request: try await draft.request(.get, limits, for: call), network: network, call: call,
        readSeconds: silence, retryCountMax: retries)
      let lastID = try RequestFields.valid(lastID ?? "", of: EventSource.idHeader)
      return EventSequence(first: try await source.connect(after: lastID), after: lastID, source)
    }
  }

  /// `moon.http.websocket`: messages in both directions.
  var websocket: ServiceFunction {
    .opening(
      "websocket", "Opens a connection for messages in both directions.", WebSocket.handle,
      HTTPParameter.socketURL, HTTPParameter.query, HTTPParameter.headers,
      HTTPParameter.protocols, HTTPParameter.timeout, HTTPParameter.connectTimeout,
      HTTPParameter.messageBytesMax
    ) { [network] call, url, query, headers, protocols, timeout, connect, bytesMax in
      let draft = RequestDraft(url: url, query: query, headers: headers)
      let opening = try WebSocketOpening(
        address: draft.address(schemes: [.ws, .wss]),
        headers: RequestFields.headers(headers), protocols: protocols ?? [],
        connectSeconds: connect, bytesMax: bytesMax, in: call.memory)
      return try await network.webSocket(opening, within: timeout, for: call)
    }
  }
}

/// A request as a script writes it.
private struct RequestDraft {
  var url: String
  var query: Map?
  var headers: Map?
  var accept: String?
  /// The type to request, unless the script sets the header.
  var type: String?
  var body = RequestBody()

  func address(
    schemes: Set<WebAddress.Scheme> = WebAddress.requestSchemes
  ) throws(HTTPFailure) -> WebAddress {
    try WebAddress(url, schemes: schemes, query: try RequestFields.pairs(query))
  }

  /// Makes the request, off the connections' thread if it may take long.
  ///
  /// - Throws: ``HTTPFailure``.
  nonisolated(nonsending) func request(
    _ method: HTTPMethod, _ limits: OutgoingRequest.Limits, for call: ServiceCall
  ) async throws -> OutgoingRequest {
    if isSmall { return try made(method, limits) }
    return try await call.computingApart { try made(method, limits) }
  }

  /// Whether there is little to encode.
  private var isSmall: Bool {
    Self.isSmall(query) && Self.isSmall(headers) && Self.isSmall(body.form)
      && body.json?.storageCost ?? 0 <= HTTPNetwork.smallBytesMax
      && body.bytes?.count ?? 0 <= HTTPNetwork.smallBytesMax
  }

  private static func isSmall(_ map: Map?) -> Bool {
    map.map { Value.map($0).storageCost <= HTTPNetwork.smallBytesMax } ?? true
  }

  private func made(
    _ method: HTTPMethod, _ limits: OutgoingRequest.Limits
  ) throws(HTTPFailure) -> OutgoingRequest {
    var headers = try RequestFields.headers(headers)
    let encoded = try body.encoded()
    headers.addUnlessThere("accept", type ?? (accept == "json" ? "application/json" : "*/*"))
    headers.addUnlessThere("user-agent", "moonwire")
    if let encoded { headers.addUnlessThere("content-type", encoded.type) }
    return OutgoingRequest(
      method: method, address: try address(), headers: headers, body: encoded?.bytes,
      limits: limits)
  }
}

extension HTTPNetwork {
  /// Returns the whole answer to a request.
  nonisolated(nonsending) fileprivate func answer(
    to draft: RequestDraft, _ method: HTTPMethod, _ null: String?,
    _ given: (whole: Double, connect: Double, read: Double, bytesMax: Int?, redirects: Int),
    for call: ServiceCall
  ) async throws -> ServiceResult {
    let max = call.surroundings.answerBytesMax
    let limits = OutgoingRequest.Limits(
      connect: given.connect, read: given.read, whole: given.whole,
      bytesMax: min(given.bytesMax ?? max, max), redirectCountMax: given.redirects, bytesLimit: max)
    var request = try await draft.request(method, limits, for: call)
    let form = AnswerForm(draft.accept, null)
    // Reading has no effect, so repeating it needs no key.
    if let key = call.idempotencyKey, request.method != .get, request.method != .head {
      let header = "Idempotency-Key"
      request.headers.addUnlessThere(header, try RequestFields.valid(key.string, of: header))
    }
    let answer = try await send(request, by: .whole, for: call)
    if answer.body.bytes.count <= Self.smallBytesMax {
      return try answer.result(form, for: call)
    }
    return try await call.computingApart {
      let result = try answer.result(form, for: call)
      try answer.body.share?.grow(by: result.byteCount - answer.body.bytes.count)
      return result.held(by: answer.body.share)
    }
  }

  /// Returns the head of the answer to a request, with the parts of its body.
  func head(of request: OutgoingRequest, for call: ServiceCall) async throws -> Reply<Parts> {
    try await send(request, by: .inParts, for: call)
  }
}
