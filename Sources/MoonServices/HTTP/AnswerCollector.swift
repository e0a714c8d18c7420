import AsyncHTTPClient
import NIOCore
import NIOHTTP1
import Synchronization

/// Collects a whole answer as the client receives it.
///
/// The client calls it on its event loop, so that no task is woken before the answer has ended.
final class AnswerCollector: HTTPClientResponseDelegate {
  /// An answer; its body is a failure if that didn't arrive.
  typealias Response = HTTPNetwork.Answer<HTTPNetwork.Whole>

  /// The end of an answer of which nobody needs the body.
  struct Unread: Error {}

  private struct Contents {
    var head: HTTPResponseHead?
    var body = ByteBuffer()
  }

  private let request: OutgoingRequest
  private let contents = Mutex(Contents())

  private init(for request: OutgoingRequest) {
    self.request = request
  }

  /// Sends a request and returns its answer.
  ///
  /// - Throws: The client's errors if no head has arrived; ``TimeLimits/Passed`` if the answer
  ///   hasn't ended at `end`; `CancellationError`.
  nonisolated(nonsending) static func answer(
    to request: OutgoingRequest, from client: HTTPClient, _ limits: TimeLimits,
    until end: NIODeadline
  ) async throws -> Response {
    let collector = AnswerCollector(for: request)
    let exchange = client.execute(
      request: try HTTPClient.Request(request), delegate: collector)
    do {
      return try await limits.limit(until: end) {
        exchange.cancel()
      } to: {
        try await exchange.futureResult.get()
      }
    } catch let error as TimeLimits.Passed {
      throw error
    } catch {
      try Task.checkCancellation()
      guard let head = collector.contents.withLock({ $0.head }) else { throw error }
      return Response(head: head, body: .failure(error))
    }
  }

  func didReceiveHead(
    task: HTTPClient.Task<Response>, _ head: HTTPResponseHead
  ) -> EventLoopFuture<Void> {
    contents.withLock { $0.head = head }
    if request.limits.redirectCountMax > 0, head.isRedirect {
      return task.eventLoop.makeFailedFuture(Unread())
    }
    let announced = head.headers.first(name: "content-length").flatMap { Int($0) } ?? 0
    guard request.method == .HEAD || announced <= request.limits.bytesMax else {
      return task.eventLoop.makeFailedFuture(tooLarge)
    }
    return task.eventLoop.makeSucceededVoidFuture()
  }

  func didReceiveBodyPart(
    task: HTTPClient.Task<Response>, _ part: ByteBuffer
  ) -> EventLoopFuture<Void> {
    let fits = contents.withLock { contents in
      guard part.readableBytes <= request.limits.bytesMax - contents.body.readableBytes else {
        return false
      }
      if contents.body.readableBytes == 0 {
        contents.body = part
      } else {
        contents.body.writeImmutableBuffer(part)
      }
      return true
    }
    guard fits else { return task.eventLoop.makeFailedFuture(tooLarge) }
    return task.eventLoop.makeSucceededVoidFuture()
  }

  func didFinishRequest(task: HTTPClient.Task<Response>) throws -> Response {
    try contents.withLock { contents in
      guard let head = contents.head else { throw HTTPClientError.remoteConnectionClosed }
      return Response(head: head, body: .success(contents.body))
    }
  }

  private var tooLarge: HTTPFailure {
    .answerTooLarge(
      request.address.place, max: request.limits.bytesMax,
      canBeRaised: request.limits.canBeRaised)
  }
}

extension HTTPResponseHead {
  /// Whether it says where else to send the request.
  var isRedirect: Bool {
    switch status.code {
    case 301, 302, 303, 307, 308: headers.contains(name: "location")
    default: false
    }
  }
}

extension HTTPClient.Request {
  fileprivate init(_ request: OutgoingRequest) throws {
    try self.init(
      url: request.address.url, method: request.method, headers: request.headers,
      body: request.body.map { .byteBuffer($0) })
  }
}
