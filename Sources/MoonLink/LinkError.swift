package import Moonwire

/// The reason that a host's socket can't be made or used.
package enum LinkError: Error, Sendable, Equatable {
  /// The path of the socket is longer than the system allows.
  case pathTooLong(String)
  /// The folder of sockets isn't a directory that only this user can enter.
  case foreignFolder(String)
  /// There is something else at the path of the socket.
  case notASocket(String)
  /// Another host already answers at the path.
  case inUse(String)
  /// No host answers at the path.
  case noHost(String)
  /// The socket belongs to another user's program.
  case foreignHost(String)
  /// The host has taken no connection, or has given no answer, within the time for it.
  case silent
  /// The system refuses something; `code` is its `errno`.
  case system(String, code: Int32)
  /// The host has ended, or has ended the connection.
  case ended
  /// The host has answered with an error.
  case refused(code: Int64, message: String, data: Value?)
}

extension LinkError: CustomStringConvertible {
  /// One sentence.
  package var description: String {
    switch self {
    case .pathTooLong(let path):
      "the path of a socket has at most \(UnixSocket.pathBytesMax) bytes: \(path)"
    case .foreignFolder(let path): "\(path) isn't a directory that only you can enter"
    case .notASocket(let path): "\(path) is there, and isn't a socket"
    case .inUse(let path): "another host already serves at \(path)"
    case .noHost(let path): "no host serves at \(path)"
    case .foreignHost(let path): "the host at \(path) is another user's"
    case .silent: "the host doesn't answer"
    case .system(let what, let code): "\(what): \(SystemError(code: code))"
    case .ended: "the host has ended"
    case .refused(_, let message, _): message
    }
  }
}
