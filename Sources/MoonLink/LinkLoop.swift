import Glibc
import MoonFiles
import MoonProtocol
import MoonServices
import Moonwire
import Synchronization

/// The thread of a server's socket.
final class LinkLoop: Sendable {
  private static let readBytesMax = 64 << 10
  private static let stackBytes = 512 << 10
  /// The milliseconds until another client is let in after the system had no descriptor left.
  private static let pauseMilliseconds = 100

  /// Wakes the thread from its wait.
  private let bell: Bell
  private let isEnding = Atomic(false)
  private let thread = Mutex<SystemThread?>(nil)

  /// What only the thread uses.
  private final class Work {
    let socket: UnixSocket
    let server: ProtocolServer
    var clients: [Int32: (client: ServedClient, connection: ClientConnection)] = [:]
    /// Whether the system had no descriptor left for the last client.
    var lacksDescriptors = false
    var bytes = [UInt8](repeating: 0, count: readBytesMax)

    init(_ socket: UnixSocket, _ server: ProtocolServer) {
      (self.socket, self.server) = (socket, server)
    }
  }

  /// Starts the thread; nil if the system has no thread or descriptor left.
  init?(_ socket: UnixSocket, for server: ProtocolServer) {
    guard let bell = Bell() else { return nil }
    self.bell = bell
    let thread = try? SystemThread(stackBytes: Self.stackBytes) { [self] in
      run(Work(socket, server))
    }
    guard let thread else { return nil }
    self.thread.withLock { $0 = thread }
  }

  /// Ends the thread; returns false if it was ended before.
  func end() -> Bool {
    guard !isEnding.exchange(true, ordering: .acquiringAndReleasing) else { return false }
    bell.ring()
    thread.withLock { $0.take() }?.join()
    return true
  }

  private func run(_ work: Work) {
    _ = fcntl(work.socket.descriptor, F_SETFL, O_NONBLOCK)
    while !isEnding.load(ordering: .acquiring) {
      var sources = [
        pollfd(fd: bell.descriptor, events: Int16(POLLIN), revents: 0),
        // A client that can't be let in would keep this ready.
        pollfd(
          fd: work.socket.descriptor, events: work.lacksDescriptors ? 0 : Int16(POLLIN),
          revents: 0),
      ]
      for (descriptor, (client, _)) in work.clients {
        let events = client.isWaiting ? POLLIN | POLLOUT : POLLIN
        sources.append(pollfd(fd: descriptor, events: Int16(events), revents: 0))
      }
      let time = work.lacksDescriptors ? Int32(Self.pauseMilliseconds) : -1
      let count = poll(&sources, nfds_t(sources.count), time)
      work.lacksDescriptors = false
      if count < 0, errno != EINTR { break }
      if sources[0].revents != 0 { bell.hush() }
      for source in sources.dropFirst(2) where source.revents != 0 { look(at: source, work) }
      for (descriptor, (client, _)) in work.clients where client.isOver {
        drop(descriptor, work)
      }
      if sources[1].revents != 0 { accept(work) }
    }
    work.socket.close()
    for descriptor in work.clients.keys { drop(descriptor, work) }
  }

  private func accept(_ work: Work) {
    let descriptor = Glibc.accept(work.socket.descriptor, nil, nil)
    guard descriptor >= 0 else {
      work.lacksDescriptors = errno == EMFILE || errno == ENFILE
      return
    }
    _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
    _ = fcntl(descriptor, F_SETFL, O_NONBLOCK)
    guard UnixSocket(accepted: descriptor).isOfSameUser else {
      Glibc.close(descriptor)
      return
    }
    let client = ServedClient(descriptor) { [bell] in bell.ring() }
    guard work.clients.count < LinkServer.clientCountMax else {
      let error = ProtocolError(
        .tooMuch, "a host has at most \(LinkServer.clientCountMax) clients")
      client.send(Reply.line(Reply.value(.failure(error), to: .null)))
      return client.close()
    }
    work.clients[descriptor] = (client, ClientConnection(to: work.server, client))
  }

  private func look(at source: pollfd, _ work: Work) {
    guard let (client, connection) = work.clients[source.fd] else { return }
    if source.revents & Int16(POLLOUT) != 0, client.sendMore() { connection.outputDrained() }
    guard source.revents & ~Int16(POLLOUT) != 0 else { return }
    let count = read(source.fd, &work.bytes, work.bytes.count)
    if count > 0 { return connection.receive(Array(work.bytes[..<count])) }
    if count == 0 || (errno != EAGAIN && errno != EINTR) { drop(source.fd, work) }
  }

  private func drop(_ descriptor: Int32, _ work: Work) {
    guard let (client, connection) = work.clients.removeValue(forKey: descriptor) else { return }
    connection.close()
    client.close()
  }
}
