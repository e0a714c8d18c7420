/// The body of an answer, read in parts and one part ahead.
///
/// Several tasks may read from it; each part goes to one of them.
final class BodyReader: Sendable {
  let place: String
  private let parts: HTTPNetwork.Parts
  private let readSeconds: Double?
  private let limits: TimeLimits

  init(_ reply: HTTPNetwork.Reply<HTTPNetwork.Parts>, readSeconds: Double?) {
    place = reply.address.place
    parts = reply.body
    limits = reply.limits
    self.readSeconds = readSeconds
  }

  deinit { close() }

  /// Returns the next part; nil at the end.
  ///
  /// - Throws: ``HTTPFailure``, `CancellationError`.
  func next() async throws -> [UInt8]? {
    let parts = parts
    return try await limits.limit(to: readSeconds, orThrow: .timedOut(place, .reading)) {
      try await parts.next()
    }
  }

  /// Ends the connection unless the body has ended.
  func close() { parts.close() }
}
