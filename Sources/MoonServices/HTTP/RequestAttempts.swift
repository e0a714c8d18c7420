import Moonwire

/// The attempts to get an answer to a request: what was tried, and what is next.
struct RequestAttempts {
  /// The request as it is after the redirects.
  private(set) var request: OutgoingRequest
  /// The places that have redirected.
  private var origins: [String] = []
  /// Whether the present place is tried for the second time, over a connection that must be new.
  private(set) var isRepeated = false

  init(_ request: OutgoingRequest) {
    self.request = request
  }

  /// Prepares the next attempt after one that has failed.
  ///
  /// A server may close a connection at any time, and the request may cross that on its way. So it
  /// is sent again on a new connection, as browsers do (RFC 9110 §9.2.2), if that can do no harm.
  ///
  /// - Throws: The reason that there is none.
  mutating func next(after failure: Transfer.Failure) throws {
    switch failure {
    case .unanswered where !isRepeated && request.method.isIdempotent: isRepeated = true
    case .failed(let reason), .unanswered(let reason): throw reason
    case .refused(let refusal): throw self.failure(for: refusal)
    case .cancelled: throw CancellationError()
    }
  }

  /// Goes on to where an answer redirects; returns false if it is the answer to the request.
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

  /// Returns what a script is told when it may not reach the place.
  func failure(for refusal: GrantRefusal) -> any Error {
    guard let origin = origins.last else { return refusal }
    return HTTPFailure.redirectRefused(from: origin, refusal)
  }
}
