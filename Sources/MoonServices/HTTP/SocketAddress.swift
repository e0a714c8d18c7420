import Glibc

/// An IP address with a port.
package struct SocketAddress: Sendable, Hashable {
  /// The address as the system writes it, without a scope: `127.0.0.1`, `::1`.
  package let text: String
  package let port: Int
  /// The number of the interface of a link-local address; 0 for none.
  package let scope: UInt32

  /// Reads the text of an address; nil if it is something else.
  package init?(_ text: String, port: Int) {
    var bytes = [UInt8](repeating: 0, count: 16)
    let family = text.utf8.contains(UInt8(ascii: ":")) ? AF_INET6 : AF_INET
    guard inet_pton(family, text, &bytes) == 1, let text = Self.text(of: family, &bytes) else {
      return nil
    }
    (self.text, self.port, scope) = (text, port, 0)
  }

  /// Reads an address from the system; nil for another family.
  init?(_ address: UnsafePointer<sockaddr>?) {
    guard let address else { return nil }
    let raw = UnsafeRawPointer(address)
    switch Int32(address.pointee.sa_family) {
    case AF_INET:
      var inner = raw.loadUnaligned(as: sockaddr_in.self)
      guard let text = Self.text(of: AF_INET, &inner.sin_addr) else { return nil }
      (self.text, port, scope) = (text, Int(UInt16(bigEndian: inner.sin_port)), 0)
    case AF_INET6:
      var inner = raw.loadUnaligned(as: sockaddr_in6.self)
      guard let text = Self.text(of: AF_INET6, &inner.sin6_addr) else { return nil }
      (self.text, port) = (text, Int(UInt16(bigEndian: inner.sin6_port)))
      scope = inner.sin6_scope_id
    default: return nil
    }
  }

  /// Returns whether both are the same address and port, whatever the scope.
  func isSame(as other: SocketAddress) -> Bool { text == other.text && port == other.port }

  private static func text(of family: Int32, _ address: UnsafeRawPointer) -> String? {
    withUnsafeTemporaryAllocation(of: CChar.self, capacity: Int(INET6_ADDRSTRLEN)) { buffer in
      let length = socklen_t(buffer.count)
      return inet_ntop(family, address, buffer.baseAddress, length).map { String(cString: $0) }
    }
  }
}
