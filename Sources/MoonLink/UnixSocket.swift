import Glibc
import Moonwire

/// A UNIX socket, for one connection or for accepting them.
struct UnixSocket {
  /// The maximum number of bytes of a path, which the system has set.
  static let pathBytesMax = 107
  /// The maximum time that a host may take to accept a connection.
  ///
  /// The system accepts it for the host, unless the queue of a host that hangs is full.
  static let connectTimeMax: Duration = .seconds(5)

  let descriptor: Int32

  /// Makes a socket that accepts connections at a path, which only this user can use.
  ///
  /// A socket that a killed host has left there is replaced.
  ///
  /// - Throws: ``LinkError``
  static func listening(at path: String) throws(LinkError) -> UnixSocket {
    let socket = try UnixSocket()
    do throws(LinkError) {
      // The file gets the mode of the socket, whatever the umask.
      guard fchmod(socket.descriptor, PrivateFile.mode) == 0 else {
        throw .system(path, code: errno)
      }
      if try !socket.bind(to: path) {
        try removeStale(path)
        guard try socket.bind(to: path) else { throw .inUse(path) }
      }
      guard listen(socket.descriptor, SOMAXCONN) == 0 else { throw .system(path, code: errno) }
      return socket
    } catch {
      socket.close()
      throw error
    }
  }

  /// Connects to the host at a path.
  ///
  /// - Throws: ``LinkError``
  static func connected(
    to path: String, within time: Duration = connectTimeMax
  ) throws(LinkError) -> UnixSocket {
    let socket = try UnixSocket()
    do throws(LinkError) {
      socket.limitWaits(to: time)
      let code = try withAddress(of: path) { connect(socket.descriptor, $0, $1) == 0 ? 0 : errno }
      socket.limitWaits(to: .zero)
      switch code {
      case 0: break
      case ENOENT, ECONNREFUSED, ENOTDIR: throw .noHost(path)
      case EAGAIN: throw .silent
      default: throw .system(path, code: code)
      }
      guard socket.isOfSameUser else { throw .foreignHost(path) }
      return socket
    } catch {
      socket.close()
      throw error
    }
  }

  private init() throws(LinkError) {
    let type = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue)
    descriptor = socket(AF_UNIX, type, 0)
    guard descriptor >= 0 else { throw .system("a socket", code: errno) }
  }

  init(accepted descriptor: Int32) { self.descriptor = descriptor }

  /// Ends the connection, or the accepting of connections, and closes the descriptor.
  ///
  /// A process that is being started has a copy of the descriptor until it runs its program, and
  /// closing ours alone would leave the socket open for that time.
  func close() {
    shutdown(descriptor, Int32(SHUT_RDWR))
    Glibc.close(descriptor)
  }

  /// Whether the program at the other end is of the user of this one.
  var isOfSameUser: Bool { peer?.user == geteuid() }

  /// The id of the process that accepts connections at the other end; nil if it isn't known.
  var processID: Int32? { peer?.process }

  private var peer: (process: pid_t, user: uid_t, group: gid_t)? {
    // The system's `ucred`, which the module of the C library leaves out.
    var peer: (process: pid_t, user: uid_t, group: gid_t) = (0, 0, 0)
    var size = socklen_t(MemoryLayout.size(ofValue: peer))
    return getsockopt(descriptor, SOL_SOCKET, SO_PEERCRED, &peer, &size) == 0 ? peer : nil
  }

  /// Sets how long connecting and sending may wait; 0 means for ever.
  private func limitWaits(to time: Duration) {
    let (seconds, attoseconds) = time.components
    var value = timeval(
      tv_sec: Int(clamping: seconds), tv_usec: Int(clamping: attoseconds / 1_000_000_000_000))
    setsockopt(
      descriptor, SOL_SOCKET, SO_SNDTIMEO, &value, socklen_t(MemoryLayout.size(ofValue: value)))
  }

  /// Returns false if something is at the path.
  private func bind(to path: String) throws(LinkError) -> Bool {
    let code = try Self.withAddress(of: path) {
      Glibc.bind(descriptor, $0, $1) == 0 ? 0 : errno
    }
    if code == EADDRINUSE { return false }
    guard code == 0 else { throw .system(path, code: code) }
    return true
  }

  /// Removes a socket at which nobody answers.
  private static func removeStale(_ path: String) throws(LinkError) {
    var status = stat()
    guard lstat(path, &status) == 0 else { return }
    guard status.st_mode & S_IFMT == S_IFSOCK else { throw .notASocket(path) }
    do throws(LinkError) {
      try connected(to: path).close()
    } catch {
      guard case .noHost = error else { throw error }
      unlink(path)
      return
    }
    throw .inUse(path)
  }

  private static func withAddress(
    of path: String, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Int32
  ) throws(LinkError) -> Int32 {
    guard path.utf8.count <= pathBytesMax else { throw .pathTooLong(path) }
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
    return withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        body($0, socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    }
  }
}
