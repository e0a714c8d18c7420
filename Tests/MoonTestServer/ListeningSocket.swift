import Glibc

/// The reason that no server could be started.
package enum ServerError: Error {
  /// The system's `errno` of a call.
  case refused(call: String, code: Int32)
  /// A program that is the server has ended, or didn't listen in time.
  case noAnswer(program: String)
}

/// A socket that takes connections at a port of 127.0.0.1.
struct ListeningSocket {
  let descriptor: Int32
  let port: Int

  /// Listens at a port that the system chooses.
  init() throws(ServerError) {
    descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
    guard descriptor >= 0 else { throw .refused(call: "socket", code: errno) }
    let port = Self.listen(at: descriptor)
    guard let port else {
      let code = errno
      Glibc.close(descriptor)
      throw .refused(call: "listen", code: code)
    }
    self.port = port
  }

  private static func listen(at descriptor: Int32) -> Int? {
    var address = sockaddr_in.loopback(port: 0)
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let isDone = withUnsafeMutablePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(descriptor, $0, length) == 0 && Glibc.listen(descriptor, SOMAXCONN) == 0
          && getsockname(descriptor, $0, &length) == 0
      }
    }
    return isDone ? Int(UInt16(bigEndian: address.sin_port)) : nil
  }

  /// Waits for the next connection and returns its descriptor; nil after ``shutDown()``.
  func accept() -> Int32? {
    while true {
      let accepted = Glibc.accept(descriptor, nil, nil)
      if accepted >= 0 {
        _ = fcntl(accepted, F_SETFD, FD_CLOEXEC)
        return accepted
      }
      // A client may have left meanwhile, and other tests may hold all descriptors.
      guard [EINTR, ECONNABORTED, EMFILE, ENFILE].contains(errno) else { return nil }
    }
  }

  /// Refuses connections from now on.
  func shutDown() { _ = shutdown(descriptor, Int32(SHUT_RDWR)) }

  func close() { Glibc.close(descriptor) }

  /// Returns whether something listens at a port.
  static func isListening(at port: Int) -> Bool {
    let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
    defer { Glibc.close(descriptor) }
    var address = sockaddr_in.loopback(port: port)
    return withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
      }
    }
  }
}

extension sockaddr_in {
  static func loopback(port: Int) -> sockaddr_in {
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = INADDR_LOOPBACK.bigEndian
    address.sin_port = UInt16(truncatingIfNeeded: port).bigEndian
    return address
  }
}
