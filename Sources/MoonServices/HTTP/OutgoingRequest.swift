import Moonwire

/// A request that has been checked and can be sent.
struct OutgoingRequest: Sendable {
  /// The limits of a request and its answer.
  struct Limits: Sendable, Hashable {
    /// The maximum time for the connection, in seconds.
    var connect: Double
    /// The maximum time without a byte, in seconds; nil for no limit.
    var read: Double?
    /// The maximum time for the whole answer, or for its head if the body is read in parts.
    var whole: Double
    /// The maximum size of the body in bytes.
    var bytesMax: Int
    /// The maximum number of redirects; 0 returns the redirecting answer.
    var redirectCountMax: Int
    /// The upper limit of ``bytesMax``, whatever the script says.
    var bytesLimit = Int.max

    /// Whether the script may allow a larger body.
    var canBeRaised: Bool { bytesMax < bytesLimit }
    /// The maximum time without a byte; nil if the time for the whole answer is shorter.
    var readWithinWhole: Double? { read.flatMap { $0 < whole ? $0 : nil } }
  }

  /// The number of redirects followed, unless the script sets another.
  static let redirectCountMax = 10
  /// The seconds for a connection, unless the script sets others.
  static let connectSecondsMax = 10.0
  /// The seconds without a byte, unless the script sets others.
  static let readSecondsMax = 30.0
  /// The seconds for an answer, unless the script sets others.
  static let answerSecondsMax = 30.0

  var method: HTTPMethod
  var address: WebAddress
  var headers: HTTPHeaders
  var body: [UInt8]?
  var limits: Limits

  /// Returns the request that follows a redirect (RFC 9110 §15.4, and the fetch standard for the
  /// methods).
  ///
  /// Another server gets neither credentials nor cookies.
  func redirected(to next: WebAddress, status: Int) -> OutgoingRequest {
    var request = self
    request.address = next
    let becomesGet =
      status == 303 ? method != .head : [301, 302].contains(status) && method == .post
    if becomesGet, method != .get {
      request.method = .get
      request.body = nil
      for name in ["content-type", "content-encoding", "content-language", "content-location"] {
        request.headers.remove(name)
      }
    }
    if !next.hasSameOrigin(as: address) {
      request.headers.remove("authorization")
      request.headers.remove("cookie")
    }
    return request
  }
}

/// The body of a request, in one of the forms that scripts can write.
struct RequestBody: Sendable {
  var bytes: [UInt8]?
  var json: Value?
  var form: Map?

  /// Returns the bytes and their type.
  ///
  /// - Throws: ``HTTPFailure``.
  func encoded() throws(HTTPFailure) -> (bytes: [UInt8], type: String)? {
    guard [bytes != nil, json != nil, form != nil].count(where: { $0 }) <= 1 else {
      throw .severalBodies
    }
    if let json {
      do throws(JSONFailure) {
        return (Array(try JSONText.text(of: json).utf8), "application/json")
      } catch {
        throw .bodyNotJSON("\(error)")
      }
    }
    if let form {
      let text = try RequestFields.pairs(form, space: "+")
      return (Array(text.utf8), "application/x-www-form-urlencoded")
    }
    guard let bytes else { return nil }
    let isText = String(validating: bytes, as: UTF8.self) != nil
    return (bytes, isText ? "text/plain; charset=utf-8" : "application/octet-stream")
  }
}
