/// An answer with a status, headers and a text, well-formed.
package struct TestAnswer: Sendable {
  package var status: Int
  package var headers: [(name: String, value: String)]
  package var text: String

  package init(
    _ text: String, status: Int = 200, headers: [(name: String, value: String)] = []
  ) {
    (self.text, self.status, self.headers) = (text, status, headers)
  }

  /// Whether a body may follow the head.
  ///
  /// A client would take one that may not for the next answer.
  fileprivate var mayHaveBody: Bool { status >= 200 && status != 204 && status != 304 }
}

/// A request, and the means to answer it.
final class Exchange {
  let connection: Connection
  private(set) var request: TestRequest
  private let note: () -> Int
  private var count: Int?
  private var isWhole = false

  /// `note` records the request; it returns how many like it there were.
  init(_ request: TestRequest, _ connection: Connection, noting note: @escaping () -> Int) {
    (self.request, self.connection, self.note) = (request, connection, note)
  }

  /// Reads the rest of the request and records it; returns how many like it there were.
  @discardableResult
  func readWhole() throws(ConnectionEnd) -> Int {
    if !isWhole { request.body = try connection.takeBody(of: request) }
    isWhole = true
    return noted()
  }

  private func noted() -> Int {
    let count = count ?? note()
    self.count = count
    return count
  }
}

/// The parts of answers.
extension Exchange {
  func send(_ answer: TestAnswer) throws(ConnectionEnd) {
    var headers = answer.headers
    if answer.mayHaveBody { headers.append(("content-length", "\(answer.text.utf8.count)")) }
    let head = Self.head(answer.status, headers)
    let hasBody = answer.mayHaveBody && request.method != "HEAD"
    try connection.write(Array((hasBody ? head + answer.text : head).utf8))
  }

  func send(_ answer: RawAnswer) throws(ConnectionEnd) {
    if answer.moment == .afterRequest { try readWhole() } else { _ = noted() }
    try answer.send(over: connection)
  }

  /// Begins an answer whose body follows in parts.
  func begin(_ headers: [(name: String, value: String)] = []) throws(ConnectionEnd) {
    try connection.write(
      Array(Self.head(200, headers + [("transfer-encoding", "chunked")]).utf8))
  }

  func write(_ text: String) throws(ConnectionEnd) {
    guard request.method != "HEAD", !text.isEmpty else { return }
    let size = String(text.utf8.count, radix: 16)
    try connection.write(Array("\(size)\r\n\(text)\r\n".utf8))
  }

  /// Ends an answer that came in parts.
  func finish() throws(ConnectionEnd) {
    if request.method != "HEAD" { try connection.write(Array("0\r\n\r\n".utf8)) }
  }

  static func head(_ status: Int, _ headers: [(name: String, value: String)]) -> String {
    "HTTP/1.1 \(status) \r\n" + headers.map { "\($0.name): \($0.value)\r\n" }.joined() + "\r\n"
  }
}
