import Moonwire

/// An answer whose body the script reads in parts.
final class HTTPDownload: Sendable {
  /// The maximum size of such a body in bytes, unless the script sets another.
  static let bytesMax = 1 << 30

  let address: WebAddress
  let status: Int
  let headers: HTTPHeaders
  private let body: BodyReader

  init(_ reply: HTTPNetwork.Reply<HTTPNetwork.Parts>, readSeconds: Double) {
    address = reply.address
    status = reply.head.status
    headers = reply.head.headers
    body = BodyReader(reply, readSeconds: readSeconds)
  }

  /// The declaration for scripts.
  static let handle = ServiceHandle<HTTPDownload>(
    "answer", "An answer whose body is read in parts.",
    methods: [
      .immediate("status", "Returns the status.", returns: "integer") { _, answer in
        .integer(answer.status)
      },
      .immediate("url", "Returns the URL that answered, after redirects.", returns: "string") {
        call, answer in .string(call.hidingSecrets(in: answer.address.text))
      },
      .immediate("headers", "Returns the headers by their names in lowercase.", returns: "map") {
        _, answer in .headers(answer.headers)
      },
      .asynchronous("next", "Waits for the next part; nil at the end.", returns: "string") {
        _, answer in
        guard let part = try await answer.body.next() else { return .nothing }
        return .bytes(part)
      },
    ],
    closing: { $0.body.close() })
}
