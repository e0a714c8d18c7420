package import Moonwire

/// A call of a method; without an id, nobody waits for the answer.
package struct Request: Sendable {
  package let id: Value?
  package let method: String
  package let parameters: Map

  /// The id as text, which tells it from others; nil without an id.
  var key: String? { id?.canonicalText }

  /// Reads a request.
  ///
  /// - Throws: ``ProtocolError`` with ``ProtocolError/Code/invalidRequest``
  package init(_ value: Value) throws(ProtocolError) {
    guard let map = value.mapValue else {
      throw ProtocolError(.invalidRequest, "a request is a JSON object")
    }
    guard map["jsonrpc"]?.stringValue == "2.0" else {
      throw ProtocolError(.invalidRequest, "a request has \"jsonrpc\":\"2.0\"")
    }
    guard let method = map["method"]?.stringValue else {
      throw ProtocolError(.invalidRequest, "a request has a method, which is a string")
    }
    switch map["params"] {
    case .map(let parameters)?: self.parameters = parameters
    case nil: parameters = Map()
    case .list(let list)? where list.isEmpty: parameters = Map()
    default:
      throw ProtocolError(.invalidRequest, "params is an object with the names of parameters")
    }
    self.method = method
    id = map["id"]
    guard id.map(Self.isID) ?? true else {
      throw ProtocolError(.invalidRequest, "an id is a string or a number, of 64 bits at most")
    }
  }

  /// The id of what may be a request; null if it has none that can be used.
  package static func id(of value: Value) -> Value {
    value["id"].flatMap { isID($0) ? $0 : nil } ?? .null
  }

  private static func isID(_ value: Value) -> Bool {
    switch value {
    case .int, .string: true
    // A larger number may not be the one that was written.
    case .double(let number): number.magnitude < 0x1p53
    default: false
    }
  }
}

/// One line of a client.
enum Message: Sendable {
  /// A request, or the error of what isn't one, with its id.
  case single(Result<Request, ProtocolError>, id: Value)
  /// Several, which are answered together.
  case batch([Entry])

  /// A request of a batch.
  struct Entry {
    let request: Result<Request, ProtocolError>
    let id: Value
    /// The answer; nil until it is carried out.
    var answer: Value?
  }

  /// Returns the message with the answers that a function gives to requests of a batch at once.
  func map(_ answer: (Request) -> Value?) -> Message {
    guard case .batch(var batch) = self else { return self }
    for index in batch.indices {
      batch[index].answer = (try? batch[index].request.get()).flatMap(answer)
    }
    return .batch(batch)
  }

  /// The maximum number of requests of a client that wait, and of those in a batch.
  static let countMax = 100

  /// The limits of a line; the parameters are nested in the request, and requests in a batch.
  private static let limits = ParseLimits(
    depthMax: Value.wrappedDepthMax, nodeCountMax: 1_000_000, byteCountMax: .max)

  /// Reads a line.
  ///
  /// - Throws: ``ProtocolError``
  init(_ line: [UInt8]) throws(ProtocolError) {
    let value: Value
    do throws(ParseError) {
      value = try Value(parsing: line, limits: Self.limits)
    } catch {
      throw ProtocolError(.parse, "column \(error.column): \(error.reason)")
    }
    guard let list = value.listValue else {
      self = .single(Self.request(value), id: Request.id(of: value))
      return
    }
    guard !list.isEmpty else { throw ProtocolError(.invalidRequest, "the batch is empty") }
    guard list.count <= Self.countMax else {
      throw ProtocolError(
        .tooMuch, "a batch has at most \(Self.countMax) requests")
    }
    self = .batch(list.map { Entry(request: Self.request($0), id: Request.id(of: $0)) })
  }

  private static func request(_ value: Value) -> Result<Request, ProtocolError> {
    Result { () throws(ProtocolError) in try Request(value) }
  }
}
