/// The beginning of an answer: its status and headers.
struct AnswerHead: Sendable, Equatable {
  let status: Int
  let headers: HTTPHeaders

  /// Whether it redirects the request.
  var isRedirect: Bool {
    switch status {
    case 301, 302, 303, 307, 308: headers.contains("location")
    default: false
    }
  }
}

/// Reads the heads of answers, line by line (RFC 9112 §4 and §5).
///
/// Nothing from a server is trusted: anything that isn't a head is a fault.
struct AnswerHeadReader {
  /// The maximum number of bytes in the heads of one answer, including interim ones.
  static let bytesMax = 128 << 10
  /// The statuses of interim answers.
  private static let interim = 100...199
  /// The status of a protocol switch, which is final despite its number.
  private static let switching = 101

  private var byteCount = 0
  private var isComplete = false
  private var status: Int?
  private var headers = HTTPHeaders()

  /// Whether anything has been read.
  var hasBegun: Bool { byteCount > 0 }

  /// Reads a line with its end; returns the head if it is complete and final.
  ///
  /// After the head, it reads the fields after the body, which scripts don't see.
  mutating func read(_ line: UnsafeRawBufferPointer) throws(AnswerHeadFault) -> AnswerHead? {
    byteCount += line.count
    guard byteCount <= Self.bytesMax else { throw .tooLong }
    if isComplete { return nil }
    let line = Self.withoutEnd(line)
    guard let status else {
      self.status = try Self.status(of: line)
      return nil
    }
    if line.isEmpty {
      defer { (self.status, headers) = (nil, HTTPHeaders()) }
      if Self.interim.contains(status), status != Self.switching { return nil }
      guard Self.hasOneLength(headers) else { throw .badLength }
      isComplete = true
      return AnswerHead(status: status, headers: headers)
    }
    try add(line)
    return nil
  }

  private mutating func add(_ line: Slice<UnsafeRawBufferPointer>) throws(AnswerHeadFault) {
    guard line.allSatisfy({ $0 == 9 || ($0 >= 32 && $0 != 127) }) else { throw .badField }
    if Self.isSpace(line[line.startIndex]) {
      // A folded line continues the value before it (RFC 9112 §5.2).
      let rest = Self.trimmed(line)
      guard !headers.fields.isEmpty else { throw .badField }
      if !rest.isEmpty { headers.extendLast(by: " " + String(decoding: rest, as: UTF8.self)) }
      return
    }
    guard let colon = line.firstIndex(of: UInt8(ascii: ":")) else { throw .badField }
    let name = String(decoding: line[..<colon], as: UTF8.self)
    guard RequestFields.isToken(name) else { throw .badField }
    let value = Self.trimmed(line[line.index(after: colon)...])
    headers.add(name, String(decoding: value, as: UTF8.self))
  }

  /// Returns whether all lengths of the body in the headers are the same number (RFC 9112 §6.3).
  private static func hasOneLength(_ headers: HTTPHeaders) -> Bool {
    var length: String?
    for field in headers.fields where field.isNamed("content-length") {
      let isLength =
        field.value.utf8.allSatisfy { (48...57).contains($0) } && Int(field.value) != nil
      guard isLength, length ?? field.value == field.value else { return false }
      length = field.value
    }
    return length == nil || !headers.contains("transfer-encoding")
  }

  /// Returns the status of a first line: `HTTP/1.1 200 OK`.
  private static func status(
    of line: Slice<UnsafeRawBufferPointer>
  ) throws(AnswerHeadFault) -> Int {
    guard line.starts(with: "HTTP/".utf8) else { throw .notHTTP }
    let parts = line.split(separator: UInt8(ascii: " "), maxSplits: 2)
    guard parts.count >= 2 else { throw .badStatus }
    let digits = parts[1]
    guard digits.count == 3, digits.allSatisfy({ (48...57).contains($0) }) else { throw .badStatus }
    let status = digits.reduce(0) { $0 * 10 + Int($1 - 48) }
    guard (100...999).contains(status) else { throw .badStatus }
    return status
  }

  private static func withoutEnd(
    _ line: UnsafeRawBufferPointer
  ) -> Slice<UnsafeRawBufferPointer> {
    var line = line[...]
    if line.last == UInt8(ascii: "\n") { line.removeLast() }
    if line.last == UInt8(ascii: "\r") { line.removeLast() }
    return line
  }

  private static func trimmed(
    _ text: Slice<UnsafeRawBufferPointer>
  ) -> Slice<UnsafeRawBufferPointer> {
    var text = text.drop(while: isSpace)
    while let last = text.last, isSpace(last) { text.removeLast() }
    return text
  }

  private static func isSpace(_ byte: UInt8) -> Bool { byte == 32 || byte == 9 }
}

/// Finds the lines of a head in bytes that may be cut anywhere.
struct AnswerLineReader {
  private var reader = AnswerHeadReader()
  private var line: [UInt8] = []

  /// Takes bytes up to the end of the head; returns the head if it is complete.
  mutating func read(_ bytes: inout ArraySlice<UInt8>) throws(AnswerHeadFault) -> AnswerHead? {
    while let byte = bytes.popFirst() {
      line.append(byte)
      guard line.count <= AnswerHeadReader.bytesMax else { throw .tooLong }
      guard byte == UInt8(ascii: "\n") else { continue }
      let head = try line.withUnsafeBufferPointer { (line) throws(AnswerHeadFault) in
        try reader.read(UnsafeRawBufferPointer(line))
      }
      line = []
      if let head { return head }
    }
    return nil
  }
}

/// The reason that a server's text isn't a head.
enum AnswerHeadFault: Error, Equatable {
  case notHTTP, badStatus, badField, badLength, tooLong
}

extension AnswerHeadFault: CustomStringConvertible {
  /// The problem, as a part of a sentence.
  var description: String {
    switch self {
    case .notHTTP: "it isn't HTTP"
    case .badStatus: "its status isn't a number from 100 to 999"
    case .badField: "a header has characters that it may not have"
    case .badLength: "its headers say no possible length of its body"
    case .tooLong: "its headers are too long"
    }
  }
}
