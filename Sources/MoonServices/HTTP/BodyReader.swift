import AsyncAlgorithms
import AsyncHTTPClient
import NIOCore

/// The body of an answer, read in parts and one part ahead.
///
/// Several tasks may read from it; each part goes to one of them.
final class BodyReader: Sendable {
  let place: String
  private let channel = AsyncThrowingChannel<ByteBuffer, any Error>()
  private let producer: Task<Void, Never>
  private let readSeconds: Double?
  private let limits: TimeLimits

  init(_ reply: HTTPNetwork.Reply<HTTPNetwork.Parts>, readSeconds: Double?, max: Int) {
    let place = reply.address.place
    self.place = place
    self.readSeconds = readSeconds
    limits = reply.limits
    producer = Task { [channel] in
      // Keeps the client until the body has ended.
      let lease = reply.lease
      var left = max
      do {
        for try await part in reply.body where part.readableBytes > 0 {
          left -= part.readableBytes
          guard left >= 0 else {
            throw HTTPFailure.answerTooLarge(place, max: max, canBeRaised: true)
          }
          await channel.send(part)
        }
        channel.finish()
      } catch {
        channel.fail(HTTPFailure(error, at: place) ?? error)
      }
      withExtendedLifetime(lease) {}
    }
  }

  deinit { close() }

  /// Returns the next part; nil at the end.
  ///
  /// - Throws: ``HTTPFailure``, `CancellationError`.
  func next() async throws -> ByteBuffer? {
    let channel = channel
    return try await limits.limit(to: readSeconds, orThrow: .timedOut(place, .reading)) {
      var iterator = channel.makeAsyncIterator()
      return try await iterator.next()
    }
  }

  /// Ends the connection unless the body has ended.
  func close() {
    producer.cancel()
    channel.finish()
  }
}
