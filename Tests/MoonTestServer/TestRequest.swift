import Foundation

/// A request that a server has got.
package struct TestRequest: Sendable {
  package let method: String
  /// The path and the query, as they were sent.
  package let target: String
  /// In the order in which they were sent.
  package let headers: [(name: String, value: String)]
  package internal(set) var body: [UInt8] = []
  let isOld: Bool

  /// Returns the value of the first header of a name, in whatever case.
  package func header(_ name: String) -> String? {
    headers.first { $0.name.lowercased() == name }?.value
  }

  /// The path without the query.
  package var path: String { URLComponents(string: target)?.path ?? "" }

  /// The fields of the query; of several with one name, the last.
  package var fields: [String: String] {
    let items = URLComponents(string: target)?.queryItems ?? []
    return Dictionary(items.map { ($0.name, $0.value ?? "") }, uniquingKeysWith: { $1 })
  }

  /// The body as a text.
  package var text: String { String(decoding: body, as: UTF8.self) }

  /// Whether the client may send another request afterwards.
  var keepsConnection: Bool { !isOld && header("connection")?.lowercased() != "close" }

  /// Whether it asks for a WebSocket.
  var wantsSocket: Bool {
    header("upgrade")?.lowercased() == "websocket" && header("sec-websocket-key") != nil
  }
}

/// Requests, read from a connection.
extension Connection {
  /// The maximum number of bytes of a request line and its headers.
  private static let headBytesMax = 1 << 17
  /// The maximum number of bytes of a body.
  private static let bodyBytesMax = 1 << 26
  /// The maximum number of bytes of the line that begins a chunk.
  private static let chunkLineBytesMax = 256
  /// The maximum number of bytes between a chunk and the end of its line.
  private static let returnBytesMax = 1

  /// Takes a request without its body; nil if the client has left.
  func takeRequest() throws(ConnectionEnd) -> TestRequest? {
    guard try peek() != nil else { return nil }
    var room = Self.headBytesMax
    let start = try takeHeadLine(&room).split(separator: " ", omittingEmptySubsequences: false)
    guard start.count == 3, start[2] == "HTTP/1.1" || start[2] == "HTTP/1.0" else {
      throw .malformed
    }
    var headers: [(name: String, value: String)] = []
    while true {
      let line = try takeHeadLine(&room)
      if line.isEmpty { break }
      guard let colon = line.firstIndex(of: ":"), colon > line.startIndex else { throw .malformed }
      let value = line[line.index(after: colon)...]
      headers.append((String(line[..<colon]), value.trimmingCharacters(in: .whitespaces)))
    }
    return TestRequest(
      method: String(start[0]), target: String(start[1]), headers: headers,
      isOld: start[2] == "HTTP/1.0")
  }

  private func takeHeadLine(_ room: inout Int) throws(ConnectionEnd) -> String {
    let line = try takeLine(bytesMax: room)
    room -= line.utf8.count + 2
    return line
  }

  /// Takes the body of a request.
  func takeBody(of request: TestRequest) throws(ConnectionEnd) -> [UInt8] {
    let isInChunks = request.header("transfer-encoding")?.lowercased() == "chunked"
    let length = request.header("content-length")
    if !isInChunks && length == nil { return [] }
    if request.header("expect")?.lowercased() == "100-continue" {
      try write(Array("HTTP/1.1 100 Continue\r\n\r\n".utf8))
    }
    if isInChunks { return try takeChunks() }
    guard let count = length.flatMap({ Int($0) }), 0...Self.bodyBytesMax ~= count else {
      throw .malformed
    }
    return try take(count)
  }

  private func takeChunks() throws(ConnectionEnd) -> [UInt8] {
    var body: [UInt8] = []
    while true {
      let line = try takeLine(bytesMax: Self.chunkLineBytesMax)
      guard let size = line.split(separator: ";").first,
        let count = Int(size.trimmingCharacters(in: .whitespaces), radix: 16),
        0...(Self.bodyBytesMax - body.count) ~= count
      else { throw .malformed }
      if count == 0 { break }
      body += try take(count)
      guard try takeLine(bytesMax: Self.returnBytesMax).isEmpty else { throw .malformed }
    }
    // Trailers.
    var room = Self.headBytesMax
    while try !takeHeadLine(&room).isEmpty {}
    return body
  }
}
