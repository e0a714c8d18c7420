import Glibc
package import MoonProtocol
import Moonwire
import Synchronization

/// The socket at which a host serves clients, and the thread that reads what they send.
///
/// The thread does nothing but that: requests are carried out elsewhere, and a client that sends or
/// reads slowly holds up nobody.
package final class LinkServer: Sendable {
  /// The maximum number of clients; further ones are sent away.
  package static let clientCountMax = 256

  package let path: String
  private let loop: LinkLoop
  private let file: (device: UInt, number: UInt)

  /// Begins to serve at a place.
  ///
  /// - Throws: ``LinkError``
  package init(
    at place: SocketPlace, for server: ProtocolServer
  ) throws(LinkError) {
    try place.prepareFolder()
    path = place.path
    // Two hosts that start at once must not take a socket from each other.
    let lock = place.isStandard ? try Self.lock(beside: path) : nil
    defer { lock?.release() }
    let socket = try UnixSocket.listening(at: path)
    file = Self.identity(of: path)
    guard let loop = LinkLoop(socket, for: server) else {
      socket.close()
      unlink(path)
      throw .system("a thread", code: EAGAIN)
    }
    self.loop = loop
  }

  deinit { close() }

  /// Ends the connections and removes the socket, unless it is another's by now.
  package func close() {
    guard loop.end() else { return }
    if Self.identity(of: path) == file { unlink(path) }
  }

  private static func lock(beside path: String) throws(LinkError) -> FileLock {
    let folder = path[..<(path.lastIndex(of: "/") ?? path.startIndex)]
    do throws(SystemError) {
      return try FileLock("\(folder)/lock", creating: true, within: 5)
    } catch {
      throw .system("\(folder)/lock", code: error.code)
    }
  }

  private static func identity(of path: String) -> (device: UInt, number: UInt) {
    var status = stat()
    return lstat(path, &status) == 0 ? (status.st_dev, status.st_ino) : (0, 0)
  }
}
