import CCurl
import CMoonCurl
import Moonwire

/// The certificates that a network trusts.
package enum CertificateTrust: Sendable, Hashable {
  /// The certificates that the system trusts.
  case system
  /// The certificates in a PEM text, and no others.
  case only(pem: String)
}

/// A handle of libcurl, for one transfer at a time.
final class TransferHandle {
  let easy: UnsafeMutableRawPointer
  private let errorText: UnsafeMutablePointer<CChar>
  private var list: UnsafeMutablePointer<curl_slist>?
  private var addresses: UnsafeMutablePointer<curl_slist>?

  /// Makes a handle with the settings that all transfers share; nil if memory has run out.
  init?(trusting trust: CertificateTrust) {
    guard let easy = curl_easy_init() else { return nil }
    self.easy = easy
    errorText = .allocate(capacity: Int(CURL_ERROR_SIZE))
    errorText.initialize(repeating: 0, count: Int(CURL_ERROR_SIZE))
    guard setCommonOptions(trust) else { return nil }
  }

  deinit {
    curl_easy_cleanup(easy)
    curl_slist_free_all(list)
    curl_slist_free_all(addresses)
    errorText.deallocate()
  }

  private func setCommonOptions(_ trust: CertificateTrust) -> Bool {
    var isSet =
      mcurl_set_pointer(easy, CURLOPT_ERRORBUFFER, errorText) == CURLE_OK
      && set(CURLOPT_NOSIGNAL, 1)
      // No proxy, whatever the environment says.
      && set(CURLOPT_PROXY, "") && set(CURLOPT_PATH_AS_IS, 1)
      && set(CURLOPT_MAXAGE_CONN, ConnectionPool.idleSeconds)
    if case .only(let pem) = trust {
      let bytes = Array(pem.utf8)
      isSet =
        isSet && set(CURLOPT_CAINFO, nil) && set(CURLOPT_CAPATH, nil)
        && mcurl_set_bytes(easy, CURLOPT_CAINFO_BLOB, bytes, bytes.count) == CURLE_OK
    }
    return isSet
  }

  /// The purpose of a transfer.
  enum Purpose {
    case wholeAnswer, partsOfAnswer, webSocket
  }

  /// Sets everything that differs between transfers; returns false if memory has run out.
  func prepare(
    for transfer: Transfer, _ purpose: Purpose, _ callbacks: mcurl_callbacks,
    _ context: UnsafeMutableRawPointer
  ) -> Bool {
    let request = transfer.request
    errorText.pointee = 0
    var callbacks = callbacks
    return mcurl_set_callbacks(easy, &callbacks, context) == CURLE_OK
      && set(CURLOPT_URL, request.address.requestText)
      && setMethod(request) && setHeaders(request) && setAddresses(transfer)
      && set(CURLOPT_CONNECTTIMEOUT_MS, Self.milliseconds(request.limits.connect))
      && set(CURLOPT_FRESH_CONNECT, transfer.isAlone ? 1 : 0)
      && set(CURLOPT_CONNECT_ONLY, purpose == .webSocket ? 1 : 0)
      // A body that is read in parts blocks its connection, which must carry nothing else.
      && set(
        CURLOPT_HTTP_VERSION,
        Int(purpose == .wholeAnswer ? CURL_HTTP_VERSION_2TLS : CURL_HTTP_VERSION_1_1))
      && set(CURLOPT_ACCEPT_ENCODING, purpose == .wholeAnswer ? "gzip, deflate" : nil)
  }

  /// Releases the resources of an ended transfer.
  func release() {
    _ = mcurl_set_pointer(easy, CURLOPT_POSTFIELDS, nil)
    _ = set(CURLOPT_HTTPGET, 1)
  }

  /// The socket of a connection over which nothing has been sent.
  var socket: Int32? {
    let socket = mcurl_socket(easy)
    return socket == CURL_SOCKET_BAD ? nil : socket
  }

  /// The result of moving bytes over a connection for which libcurl only provides security.
  enum Moved {
    case bytes(Int)
    /// The system has no bytes, or takes none, at present.
    case nothing
    case end
  }

  func receive(into buffer: inout [UInt8]) -> Moved {
    var count = 0
    let code = buffer.withUnsafeMutableBytes {
      curl_easy_recv(easy, $0.baseAddress, $0.count, &count)
    }
    if code == CURLE_AGAIN { return .nothing }
    return code == CURLE_OK && count > 0 ? .bytes(count) : .end
  }

  func send(_ bytes: ArraySlice<UInt8>) -> Moved {
    var count = 0
    let code = bytes.withUnsafeBytes { curl_easy_send(easy, $0.baseAddress, $0.count, &count) }
    if code == CURLE_AGAIN { return .nothing }
    return code == CURLE_OK ? .bytes(count) : .end
  }

  /// libcurl's text of an error; empty if it gives none.
  var message: String { String(cString: errorText) }

  private func setMethod(_ request: OutgoingRequest) -> Bool {
    let method = request.method
    guard method != .head else {
      return set(CURLOPT_CUSTOMREQUEST, nil) && set(CURLOPT_NOBODY, 1)
    }
    guard set(CURLOPT_NOBODY, 0), set(CURLOPT_CUSTOMREQUEST, method.name) else { return false }
    guard let body = request.body ?? (method.announcesNoBody ? [] : nil) else {
      return set(CURLOPT_HTTPGET, 1)
    }
    return mcurl_set_size(easy, CURLOPT_POSTFIELDSIZE_LARGE, curl_off_t(body.count)) == CURLE_OK
      && body.withUnsafeBytes { bytes in
        // An empty array may have no address; this one isn't read.
        mcurl_set_pointer(
          easy, CURLOPT_COPYPOSTFIELDS,
          UnsafeMutableRawPointer(mutating: bytes.baseAddress ?? UnsafeRawPointer(errorText)))
          == CURLE_OK
      }
  }

  private func setHeaders(_ request: OutgoingRequest) -> Bool {
    curl_slist_free_all(list)
    list = nil
    // libcurl would ask the server whether it wants a large body, and wait a second for the answer.
    guard append("Expect:", to: \.list) else { return false }
    if !request.headers.contains("content-type") {
      guard append("Content-Type:", to: \.list) else { return false }
    }
    for field in request.headers.fields {
      // libcurl leaves out a header without a value unless it is written with a semicolon.
      let line = field.value.isEmpty ? "\(field.name);" : "\(field.name): \(field.value)"
      guard append(line, to: \.list) else { return false }
    }
    return mcurl_set_list(easy, CURLOPT_HTTPHEADER, list) == CURLE_OK
  }

  /// Tells libcurl the addresses of the host, so it never looks one up.
  private func setAddresses(_ transfer: Transfer) -> Bool {
    curl_slist_free_all(addresses)
    addresses = nil
    if !transfer.addresses.isEmpty {
      let all = transfer.addresses.map(\.text).joined(separator: ",")
      let address = transfer.request.address
      guard append("+\(address.host):\(address.port):\(all)", to: \.addresses) else { return false }
    }
    return mcurl_set_list(easy, CURLOPT_RESOLVE, addresses) == CURLE_OK
  }

  private func append(
    _ line: String,
    to path: ReferenceWritableKeyPath<TransferHandle, UnsafeMutablePointer<curl_slist>?>
  ) -> Bool {
    guard let longer = curl_slist_append(self[keyPath: path], line) else { return false }
    self[keyPath: path] = longer
    return true
  }

  private func set(_ option: CURLoption, _ number: Int) -> Bool {
    mcurl_set_number(easy, option, number) == CURLE_OK
  }

  private func set(_ option: CURLoption, _ text: String?) -> Bool {
    mcurl_set_text(easy, option, text) == CURLE_OK
  }

  private static func milliseconds(_ seconds: Double) -> Int {
    max(1, Int(clamping: Int64(seconds.clamped(to: 0...1e9) * 1_000)))
  }
}

extension Double {
  fileprivate func clamped(to range: ClosedRange<Double>) -> Double {
    min(max(self, range.lowerBound), range.upperBound)
  }
}
