import CCrypto
import Foundation
import Moonwire

/// A WebSocket to be opened: the handshake of the client and the server (RFC 6455 §4).
struct WebSocketOpening: Sendable {
  /// The number of unread messages at which receiving stops.
  static let messageCountMax = 64

  let address: WebAddress
  let headers: HTTPHeaders
  let protocols: [String]
  let connectSeconds: Double
  let bytesMax: Int
  /// The mailbox for the messages.
  let mailbox: Mailbox<WebSocketMessage>
  /// Where what has arrived comes into the memory of the module.
  let inlet: HeldMemory.Inlet
  /// Lets the connection go on that has waited for room in the memory; called on any thread.
  var goOn: @Sendable (HeldMemory.Share?) -> Void = { _ in }
  /// A random text that only a server that speaks WebSocket answers correctly.
  private let key: String

  /// - Throws: ``HTTPFailure/badHeader(_:reason:)`` for a subprotocol that isn't a word.
  init(
    address: WebAddress, headers: HTTPHeaders, protocols: [String], connectSeconds: Double,
    bytesMax: Int, in memory: HeldMemory
  ) throws(HTTPFailure) {
    guard protocols.allSatisfy(RequestFields.isToken) else {
      throw .badHeader("Sec-WebSocket-Protocol", reason: "can't hold such a subprotocol")
    }
    self.address = address
    self.headers = headers
    self.protocols = protocols
    self.connectSeconds = connectSeconds
    self.bytesMax = bytesMax
    inlet = HeldMemory.Inlet(into: memory)
    mailbox = Mailbox(countMax: Self.messageCountMax, bytesMax: bytesMax)
    key = Data((0..<16).map { _ in UInt8.random(in: .min ... .max) }).base64EncodedString()
  }

  /// The request that libcurl connects for; it sends nothing.
  var request: OutgoingRequest {
    OutgoingRequest(
      method: .get, address: address, headers: HTTPHeaders(), body: nil,
      limits: OutgoingRequest.Limits(
        connect: connectSeconds, read: nil, whole: 0, bytesMax: 0, redirectCountMax: 0))
  }

  /// The bytes that request the protocol switch (RFC 6455 §4.1).
  var requestBytes: [UInt8] {
    var headers = headers
    headers.addUnlessThere("User-Agent", "moonwire")
    headers.replace("Host", with: address.place)
    headers.replace("Connection", with: "Upgrade")
    headers.replace("Upgrade", with: "websocket")
    headers.replace("Sec-WebSocket-Version", with: "13")
    headers.replace("Sec-WebSocket-Key", with: key)
    if !protocols.isEmpty {
      headers.replace("Sec-WebSocket-Protocol", with: protocols.joined(separator: ", "))
    }
    var text = "GET \(address.target) HTTP/1.1\r\n"
    for field in headers.fields { text += "\(field.name): \(field.value)\r\n" }
    return Array((text + "\r\n").utf8)
  }

  /// Reads the answer of the server (RFC 6455 §4.2.2).
  ///
  /// - Throws: ``HTTPFailure/notAWebSocket(_:reason:)``.
  func agreement(in head: AnswerHead) throws(HTTPFailure) -> WebSocketAgreement {
    let place = address.place
    guard head.status == 101 else {
      throw .notAWebSocket(place, reason: "the status is \(head.status) instead of 101")
    }
    guard head.headers.first("upgrade")?.lowercased() == "websocket",
      Self.tokens(head.headers.first("connection")).contains("upgrade")
    else {
      throw .notAWebSocket(
        place, reason: "its answer doesn't say that it changes to WebSocket")
    }
    guard head.headers.first("sec-websocket-accept") == proof else {
      throw .notAWebSocket(
        place,
        reason: "its answer doesn't prove that it is one: Sec-WebSocket-Accept is wrong or missing"
      )
    }
    guard !head.headers.contains("sec-websocket-extensions") else {
      throw .notAWebSocket(place, reason: "it uses an extension that wasn't offered")
    }
    let subprotocol = head.headers.first("sec-websocket-protocol")
    guard subprotocol.map(protocols.contains) ?? true else {
      throw .notAWebSocket(place, reason: "it chose the subprotocol '\(subprotocol ?? "")'")
    }
    return WebSocketAgreement(subprotocol: subprotocol)
  }

  /// The server's correct answer to the key.
  private var proof: String {
    let text = Array((key + "258EAFA5-E914-47DA-95CA-C5AB0DC85B11").utf8)
    var digest = [UInt8](repeating: 0, count: Int(SHA_DIGEST_LENGTH))
    guard EVP_Digest(text, text.count, &digest, nil, EVP_sha1(), nil) == 1 else { return "" }
    return Data(digest).base64EncodedString()
  }

  private static func tokens(_ text: String?) -> [String] {
    (text ?? "").lowercased().split { $0 == "," || $0 == " " || $0 == "\t" }.map(String.init)
  }
}

/// What both sides of a WebSocket agreed on.
struct WebSocketAgreement: Sendable {
  let subprotocol: String?
}

/// A message that a WebSocket has received.
struct WebSocketMessage: Sendable {
  let bytes: [UInt8]
  let isBinary: Bool
  /// What holds the bytes; nil if they are few.
  let share: HeldMemory.Share?
}
