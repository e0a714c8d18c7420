import CSSL

/// The settings of a server that shows a certificate.
///
/// It agrees on no protocol by ALPN, so that clients speak HTTP/1.1.
package final class ServerTLS: Sendable {
  // Nothing changes the settings after they are made, and OpenSSL counts who holds them atomically.
  private nonisolated(unsafe) let context: OpaquePointer

  init(certificate: OpaquePointer, key: OpaquePointer) throws(CertificateError) {
    guard let context = SSL_CTX_new(TLS_server_method()) else { throw .refused(Self.reason) }
    self.context = context
    guard SSL_CTX_use_certificate(context, certificate) == 1,
      SSL_CTX_use_PrivateKey(context, key) == 1
    else { throw .refused(Self.reason) }
  }

  deinit { SSL_CTX_free(context) }

  /// What OpenSSL says about the last call of this thread that failed.
  static var reason: String {
    var text = [CChar](repeating: 0, count: 256)
    ERR_error_string_n(ERR_get_error(), &text, text.count)
    return String(decoding: text.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
  }

  func accept(_ descriptor: Int32) throws(ConnectionEnd) -> TLSStream {
    guard let stream = SSL_new(context) else { throw .closed }
    return try TLSStream(stream, descriptor)
  }
}

/// The server's end of TLS on a descriptor.
final class TLSStream {
  private let stream: OpaquePointer
  /// Whether the client has left or a call has failed, after which OpenSSL allows no other.
  private var hasEnded = false

  fileprivate init(_ stream: OpaquePointer, _ descriptor: Int32) throws(ConnectionEnd) {
    self.stream = stream
    guard SSL_set_fd(stream, descriptor) == 1, call({ SSL_accept(stream) }) == 1 else {
      throw .closed
    }
  }

  deinit { SSL_free(stream) }

  /// Returns the number of bytes, 0 at the end on which the client has agreed, or a negative number.
  func read(_ room: UnsafeMutableRawBufferPointer) -> Int {
    call { SSL_read(stream, room.baseAddress, Int32(clamping: room.count)) }
  }

  /// Returns the number of bytes that were written, or no positive number.
  func write(_ bytes: UnsafeRawBufferPointer) -> Int {
    call { SSL_write(stream, bytes.baseAddress, Int32(clamping: bytes.count)) }
  }

  /// Says that no more is coming, once.
  func shutDown() {
    // The second call would wait for the client.
    if !hasEnded, SSL_get_shutdown(stream) & SSL_SENT_SHUTDOWN == 0 { SSL_shutdown(stream) }
  }

  /// Calls until no signal interrupts the call.
  private func call(_ body: () -> Int32) -> Int {
    while !hasEnded {
      // OpenSSL looks for the reason among the errors of the thread.
      ERR_clear_error()
      let result = body()
      if result > 0 { return Int(result) }
      let error = SSL_get_error(stream, result)
      if [SSL_ERROR_WANT_READ, SSL_ERROR_WANT_WRITE].contains(error) { continue }
      hasEnded = true
      if error == SSL_ERROR_ZERO_RETURN { return 0 }
    }
    return -1
  }
}
