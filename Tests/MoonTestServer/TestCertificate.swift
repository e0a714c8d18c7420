import CSSL

/// The reason that no certificate could be made or used, from OpenSSL.
package enum CertificateError: Error {
  case refused(String)
}

/// A certificate for servers of tests, made by the test and signed by itself.
package struct TestCertificate: Sendable {
  /// The certificate, for a client that trusts no other.
  package let pem: String
  /// The private key.
  package let keyPEM: String
  /// The settings of a server that shows the certificate.
  package let server: ServerTLS

  private static let made = (
    localhost: Result { () throws(CertificateError) in
      try TestCertificate("localhost", alternatives: "DNS:localhost,IP:127.0.0.1", days: 0..<30)
    },
    other: Result { () throws(CertificateError) in
      try TestCertificate("other.example", alternatives: "DNS:other.example", days: 0..<30)
    },
    expired: Result { () throws(CertificateError) in
      try TestCertificate("localhost", alternatives: "DNS:localhost", days: -30 ..< -2)
    }
  )

  /// A certificate for `localhost` and 127.0.0.1.
  package static var localhost: TestCertificate {
    get throws(CertificateError) { try made.localhost.get() }
  }

  /// A certificate for `other.example`.
  package static var other: TestCertificate {
    get throws(CertificateError) { try made.other.get() }
  }

  /// A certificate for `localhost` that was valid until two days ago.
  package static var expired: TestCertificate {
    get throws(CertificateError) { try made.expired.get() }
  }

  /// Makes a key and its certificate, valid from the day before the first day, counted from today.
  private init(
    _ name: String, alternatives: String, days: Range<Int32>
  ) throws(CertificateError) {
    let key = try Self.makeKey()
    defer { EVP_PKEY_free(key) }
    guard let certificate = X509_new() else { throw .refused(ServerTLS.reason) }
    defer { X509_free(certificate) }
    let subject = X509_get_subject_name(certificate)
    let isFilled =
      X509_set_version(certificate, 2) == 1
      && ASN1_INTEGER_set(X509_get_serialNumber(certificate), 1) == 1
      && X509_NAME_add_entry_by_txt(subject, "CN", MBSTRING_FLAG | 1, name, -1, -1, 0) == 1
      && X509_set_issuer_name(certificate, subject) == 1
      && X509_set_pubkey(certificate, key) == 1
    guard isFilled,
      X509_time_adj_ex(X509_getm_notBefore(certificate), days.lowerBound - 1, 0, nil) != nil,
      X509_time_adj_ex(X509_getm_notAfter(certificate), days.upperBound, 0, nil) != nil
    else { throw .refused(ServerTLS.reason) }
    for (number, text) in [
      (NID_subject_alt_name, alternatives), (NID_basic_constraints, "critical,CA:TRUE"),
      (NID_subject_key_identifier, "hash"),
    ] { try Self.add(number, text, to: certificate) }
    guard X509_sign(certificate, key, EVP_sha256()) > 0 else { throw .refused(ServerTLS.reason) }
    server = try ServerTLS(certificate: certificate, key: key)
    pem = try Self.text { PEM_write_bio_X509($0, certificate) }
    keyPEM = try Self.text { PEM_write_bio_PrivateKey($0, key, nil, nil, 0, nil, nil) }
  }

  /// Makes a key on the curve P-256, which takes no time.
  private static func makeKey() throws(CertificateError) -> OpaquePointer {
    let context = EVP_PKEY_CTX_new_from_name(nil, "EC", nil)
    defer { EVP_PKEY_CTX_free(context) }
    var key: OpaquePointer?
    guard EVP_PKEY_keygen_init(context) == 1,
      EVP_PKEY_CTX_set_group_name(context, "P-256") == 1, EVP_PKEY_generate(context, &key) == 1,
      let key
    else { throw .refused(ServerTLS.reason) }
    return key
  }

  private static func add(
    _ number: Int32, _ text: String, to certificate: OpaquePointer
  ) throws(CertificateError) {
    var context = v3_ext_ctx()
    X509V3_set_ctx(&context, certificate, certificate, nil, nil, 0)
    let part = X509V3_EXT_conf_nid(nil, &context, number, text)
    defer { X509_EXTENSION_free(part) }
    guard let part, X509_add_ext(certificate, part, -1) == 1 else {
      throw .refused(ServerTLS.reason)
    }
  }

  /// Returns the text that a function of OpenSSL writes.
  private static func text(
    _ write: (OpaquePointer?) -> Int32
  ) throws(CertificateError) -> String {
    let output = BIO_new(BIO_s_mem())
    defer { BIO_free(output) }
    guard write(output) == 1 else { throw .refused(ServerTLS.reason) }
    var bytes = [UInt8](repeating: 0, count: BIO_ctrl_pending(output))
    let count = BIO_read(output, &bytes, Int32(clamping: bytes.count))
    return String(decoding: bytes.prefix(max(0, Int(count))), as: UTF8.self)
  }
}
