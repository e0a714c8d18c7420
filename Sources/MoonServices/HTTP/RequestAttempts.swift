import Moonwire

/// The attempts to get an answer to a request: what was tried, and what comes next.
struct RequestAttempts {
  /// The request after any redirects.
  private(set) var request: OutgoingRequest
  /// The places that have redirected.
  private var origins: [String] = []
  /// Whether this is the second attempt at the present place, over a connection that must be new.
  private(set) var isRepeated = false

  init(_ request: OutgoingRequest) {
    self.request = request
  }

  /// Prepares the next attempt after a failed one.
  ///
  /// A server may close a connection at any time, and the close may cross a request on its way. So
  /// the request is sent again on a new connection, as browsers do (RFC 9110 §9.2.2), if that can
  /// do no harm.
  ///
  /// - Throws: The reason that there is no next attempt.
  mutating func next(after failure: Transfer.Failure) throws {
    switch failure {
    case .unanswered where !isRepeated && request.method.isIdempotent: isRepeated = true
    case .failed(let reason), .unanswered(let reason): throw reason
    case .refused(let refusal): throw self.failure(for: refusal)
    case .cancelled: throw CancellationError()
    }
  }

  /// Follows a redirect; returns false if the answer is the one to the request.
  ///
  /// - Throws: ``HTTPFailure``.
  mutating func follow(_ head: AnswerHead) throws(HTTPFailure) -> Bool {
    let max = request.limits.redirectCountMax
    guard max > 0, head.isRedirect, let location = head.headers.first("location") else {
      return false
    }
    let place = request.address.place
    let next: WebAddress
    do throws(HTTPFailure) {
      next = try request.address.following(location)
    } catch {
      throw .badRedirect(from: place, reason: "\(error)")
    }
    origins.append(place)
    guard origins.count <= max else { throw .tooManyRedirects(place, max: max) }
    request = request.redirected(to: next, status: head.status)
    isRepeated = false
    return true
  }

  /// Returns the error for a script that may not reach the place.
  func failure(for refusal: GrantRefusal) -> any Error {
    guard let origin = origins.last else { return refusal }
    return HTTPFailure.redirectRefused(from: origin, refusal)
  }
}
