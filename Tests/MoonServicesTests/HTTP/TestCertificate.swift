import NIOSSL

/// Certificates for servers of tests, signed by themselves and valid until 2120.
struct TestCertificate {
  private let certificatePEM: String
  private let keyPEM: String

  /// A certificate for `localhost` and 127.0.0.1.
  static let localhost = TestCertificate(
    certificatePEM: """
      -----BEGIN CERTIFICATE-----
      MIIBaDCCAQ2gAwIBAgIBATAKBggqhkjOPQQDAjAUMRIwEAYDVQQDDAlsb2NhbGhv
      c3QwIBcNMjAwMTAxMDAwMDAwWhgPMjEyMDAxMDEwMDAwMDBaMBQxEjAQBgNVBAMM
      CWxvY2FsaG9zdDBZMBMGByqGSM49AgEGCCqGSM49AwEHA0IABDiqxZs9G15E/Vu7
      I7pOnjMrfnFifhPslpz29/c/+Rns2AKrmQmqzaTh0yZlnTp9fG4JvsqKX/uvhnKb
      p+I5zwOjTjBMMBoGA1UdEQQTMBGCCWxvY2FsaG9zdIcEfwAAATAPBgNVHRMBAf8E
      BTADAQH/MB0GA1UdDgQWBBSZ0LdraRD5rb1T55dfgB6eDk2lTTAKBggqhkjOPQQD
      AgNJADBGAiEA0pH6mDlSyXCFDQQaDTHWAJsCvIor0JMu6Q3Gyw7MskMCIQCKvceG
      yL0HckbRRLyRGesiY98J5SNg6MAkdrtJdXnmWQ==
      -----END CERTIFICATE-----
      """,
    keyPEM: """
      -----BEGIN PRIVATE KEY-----
      MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQghUhXpJ8KnAPago06
      Ozs7bUvzs3oTLIxO31eAhBjxcDKhRANCAAQ4qsWbPRteRP1buyO6Tp4zK35xYn4T
      7Jac9vf3P/kZ7NgCq5kJqs2k4dMmZZ06fXxuCb7Kil/7r4Zym6fiOc8D
      -----END PRIVATE KEY-----
      """)

  /// A certificate for `other.example`.
  static let other = TestCertificate(
    certificatePEM: """
      -----BEGIN CERTIFICATE-----
      MIIBbTCCAROgAwIBAgIBATAKBggqhkjOPQQDAjAYMRYwFAYDVQQDDA1vdGhlci5l
      eGFtcGxlMCAXDTIwMDEwMTAwMDAwMFoYDzIxMjAwMTAxMDAwMDAwWjAYMRYwFAYD
      VQQDDA1vdGhlci5leGFtcGxlMFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAE/5lE
      tRBbK3arvFlpVLl6ZEJDHZ5/U7fuQZJguYDup5YRJqCJRMgdjfYLHUFVRYOb9Hyg
      SdpG3EsOBWmBVc6/gqNMMEowGAYDVR0RBBEwD4INb3RoZXIuZXhhbXBsZTAPBgNV
      HRMBAf8EBTADAQH/MB0GA1UdDgQWBBQfwT8EoafWI7/XlA+OfhKihPPNsTAKBggq
      hkjOPQQDAgNIADBFAiEAg6tSvygDpKiUOvuxma308f1zZoXG1DfJIXAWCFHj9h0C
      IEGNWeP9G2rZITyhtLX9bLxz3g2HXNyksmdRBuefAwb8
      -----END CERTIFICATE-----
      """,
    keyPEM: """
      -----BEGIN PRIVATE KEY-----
      MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQg8m+x+TVIHFdGkdLv
      aeezvi4DDMUf5vLiHBpH+9YTVWShRANCAAT/mUS1EFsrdqu8WWlUuXpkQkMdnn9T
      t+5BkmC5gO6nlhEmoIlEyB2N9gsdQVVFg5v0fKBJ2kbcSw4FaYFVzr+C
      -----END PRIVATE KEY-----
      """)

  /// The certificate as the only one that a client trusts.
  var trust: NIOSSLTrustRoots {
    get throws { .certificates([try certificate]) }
  }

  /// The settings of a server that shows the certificate.
  var server: NIOSSLContext {
    get throws {
      let key = try NIOSSLPrivateKey(bytes: Array(keyPEM.utf8), format: .pem)
      return try NIOSSLContext(
        configuration: .makeServerConfiguration(
          certificateChain: [.certificate(try certificate)], privateKey: .privateKey(key)))
    }
  }

  private var certificate: NIOSSLCertificate {
    get throws { try NIOSSLCertificate(bytes: Array(certificatePEM.utf8), format: .pem) }
  }
}
