import AsyncHTTPClient
import Glibc
import NIOCore
import NIOHTTP1
import NIOHTTPCompression
import NIOPosix
import NIOSSL

extension HTTPFailure {
  /// Whether no byte of the request was sent, so that another address may be tried.
  var isBeforeSending: Bool {
    switch self {
    case .connectionRefused, .unreachable, .timedOut(_, .connecting): true
    default: false
    }
  }

  /// Describes an error of the client or of a connection; nil for a cancellation and for errors
  /// that have a description of their own.
  init?(_ error: any Error, at place: String) {
    switch error {
    case let error as HTTPClientError:
      guard let failure = Self.of(error, at: place) else { return nil }
      self = failure
    case let error as IOError: self = Self.of(error, at: place)
    case let error as ChannelError:
      if case .connectTimeout = error {
        self = .timedOut(place, .connecting)
      } else {
        self = .connectionLost(place)
      }
    case let error as NIOConnectionError:
      let inner = error.connectionErrors.first?.error
      self = inner.flatMap { HTTPFailure($0, at: place) } ?? .nameNotFound(place)
    case HTTPParserError.invalidEOFState: self = .connectionLost(place)
    case let error as HTTPParserError:
      self = .malformedAnswer(place, reason: Self.reason(of: error))
    case let error as NIOHTTPClientUpgradeError:
      self = .notAWebSocket(place, reason: Self.reason(of: error))
    case is NIOHTTPDecompression.DecompressionError:
      self = .malformedAnswer(place, reason: "it can't be decompressed, or is too large then")
    default:
      guard let failure = Self.ofTLS(error, at: place) else { return nil }
      self = failure
    }
  }

  private static func reason(of error: HTTPParserError) -> String {
    switch error {
    case .invalidConstant, .invalidMethod, .strictModeAssertion: "it isn't HTTP"
    case .invalidVersion: "its version of HTTP isn't known"
    case .invalidStatus: "its status isn't a number of three digits"
    case .headerOverflow: "its headers are too long"
    case .invalidHeaderToken, .lfExpected, .invalidCharactersUsed:
      "a header has characters that it may not have"
    case .invalidContentLength, .unexpectedContentLength: "its content-length is wrong"
    case .invalidChunkSize: "the size of a part of its body is wrong"
    case .trailingGarbage, .closedConnection: "there is more after its end"
    default: "it breaks the rules of HTTP"
    }
  }

  private static func reason(of error: NIOHTTPClientUpgradeError) -> String {
    switch error {
    case .upgraderDeniedUpgrade:
      "its answer doesn't prove that it is one: Sec-WebSocket-Accept is wrong or missing"
    case .responseProtocolNotFound: "its answer doesn't say that it changes to WebSocket"
    default: "its answer breaks the rules for changing to WebSocket"
    }
  }

  private static func of(_ error: HTTPClientError, at place: String) -> HTTPFailure? {
    switch error {
    case .cancelled: nil
    case .connectTimeout, .getConnectionFromPoolTimeout, .tlsHandshakeTimeout:
      .timedOut(place, .connecting)
    case .readTimeout, .writeTimeout: .timedOut(place, .reading)
    case .remoteConnectionClosed, .uncleanShutdown, .requestStreamCancelled:
      .connectionLost(place)
    default: .failed(place, reason: error.shortDescription)
    }
  }

  private static func of(_ error: IOError, at place: String) -> HTTPFailure {
    switch error.errnoCode {
    case ECONNREFUSED: .connectionRefused(place)
    case ECONNRESET, EPIPE: .connectionLost(place)
    default: .unreachable(place, reason: String(cString: strerror(error.errnoCode)))
    }
  }

  private static func ofTLS(_ error: any Error, at place: String) -> HTTPFailure? {
    switch error {
    case let error as NIOSSLExtraError:
      if error == .failedToValidateHostname {
        return .badCertificate(place, reason: "it is for another name")
      }
      return .badHandshake(place, reason: "\(error)")
    case NIOSSLError.handshakeFailed(let cause):
      let text = "\(cause)"
      guard text.contains("CERTIFICATE_VERIFY_FAILED") else {
        return .badHandshake(place, reason: "the handshake failed (\(reason(in: text)))")
      }
      return .badCertificate(place, reason: "no authority that this system trusts has signed it")
    case NIOSSLError.uncleanShutdown: return .connectionLost(place)
    case let error as NIOSSLError: return .badHandshake(place, reason: "\(error)")
    default: return nil
    }
  }

  /// Returns the symbols in BoringSSL's text of an error: `WRONG_VERSION_NUMBER`.
  private static func reason(in text: String) -> String {
    let symbols = text.matches(of: /[A-Z0-9]+(?:_[A-Z0-9]+)+/).map { String($0.output) }
    return symbols.last ?? "for a reason that the server doesn't tell"
  }
}
