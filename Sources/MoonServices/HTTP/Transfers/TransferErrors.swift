import CCrypto
import CCurl
import CMoonCurl
import Glibc

extension HTTPFailure {
  /// The system has no memory, thread or descriptor left.
  static func noResources(_ place: String) -> HTTPFailure {
    .failed(place, reason: "the system has no memory, thread or descriptor left")
  }

  /// Describes the code with which libcurl ended a transfer.
  init(_ code: CURLcode, of handle: TransferHandle, at place: String) {
    switch code {
    case CURLE_COULDNT_RESOLVE_HOST: self = .nameNotFound(place)
    case CURLE_COULDNT_CONNECT: self = Self.ofSystem(handle, at: place)
    // Only the connection has a limit that libcurl knows.
    case CURLE_OPERATION_TIMEDOUT: self = .timedOut(place, .connecting)
    case CURLE_PEER_FAILED_VERIFICATION:
      self = .badCertificate(place, reason: Self.certificateReason(handle))
    case CURLE_SSL_CONNECT_ERROR, CURLE_SSL_CIPHER, CURLE_SSL_ENGINE_NOTFOUND,
      CURLE_SSL_CACERT_BADFILE, CURLE_SSL_CERTPROBLEM, CURLE_SSL_ISSUER_ERROR:
      self = .badHandshake(place, reason: Self.handshakeReason(handle.message))
    case CURLE_RECV_ERROR where handle.message.contains("chunk"):
      self = .malformedAnswer(place, reason: "the size of a part of its body is wrong")
    case CURLE_GOT_NOTHING, CURLE_PARTIAL_FILE, CURLE_SEND_ERROR, CURLE_RECV_ERROR,
      CURLE_HTTP2_STREAM:
      self = .connectionLost(place)
    // The answer doesn't begin with HTTP/, as in the first version of HTTP.
    case CURLE_UNSUPPORTED_PROTOCOL: self = .malformedAnswer(place, reason: "it isn't HTTP")
    case CURLE_WEIRD_SERVER_REPLY, CURLE_HTTP2:
      self = .malformedAnswer(place, reason: Self.malformation(handle.message))
    // With the latter, libcurl refuses what follows the first part that was compressed by itself.
    case CURLE_BAD_CONTENT_ENCODING, CURLE_WRITE_ERROR:
      self = .malformedAnswer(place, reason: "it can't be decompressed")
    case CURLE_OUT_OF_MEMORY: self = .noResources(place)
    default:
      let text = handle.message
      self = .failed(place, reason: text.isEmpty ? String(cString: curl_easy_strerror(code)) : text)
    }
  }

  private static func ofSystem(_ handle: TransferHandle, at place: String) -> HTTPFailure {
    let code = Int32(clamping: mcurl_number(handle.easy, CURLINFO_OS_ERRNO))
    if code == ECONNREFUSED { return .connectionRefused(place) }
    let reason = code == 0 ? "no connection is possible" : String(cString: strerror(code))
    return .unreachable(place, reason: reason)
  }

  private static func certificateReason(_ handle: TransferHandle) -> String {
    let result = mcurl_number(handle.easy, CURLINFO_SSL_VERIFYRESULT)
    switch Int32(clamping: result) {
    case X509_V_OK: return "it is for another name"
    case X509_V_ERR_UNABLE_TO_GET_ISSUER_CERT_LOCALLY, X509_V_ERR_SELF_SIGNED_CERT_IN_CHAIN,
      X509_V_ERR_DEPTH_ZERO_SELF_SIGNED_CERT, X509_V_ERR_UNABLE_TO_VERIFY_LEAF_SIGNATURE:
      return "no authority that this system trusts has signed it"
    default: return String(cString: X509_verify_cert_error_string(result))
    }
  }

  /// Returns the last part of OpenSSL's text of an error: `wrong version number`.
  private static func handshakeReason(_ text: String) -> String {
    guard let colon = text.lastIndex(of: ":") else {
      return text.isEmpty ? "the handshake failed" : text
    }
    let reason = text[text.index(after: colon)...].drop { $0 == " " }
    return "the handshake failed (\(reason))"
  }

  private static func malformation(_ text: String) -> String {
    text.isEmpty ? "it breaks the rules of HTTP" : "it breaks the rules of HTTP (\(text))"
  }
}
