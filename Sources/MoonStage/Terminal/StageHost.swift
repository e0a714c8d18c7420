package import MoonLink
package import MoonProtocol
import Moonwire
import Synchronization

/// The host of a stage: one at a socket, which may end and come back, or one in this program.
package final class StageHost: Sendable {
  /// The time between two attempts to find a host that has ended.
  private static let retryTime: Duration = .milliseconds(500)

  private struct Contents {
    var link: HostLink?
    var isClosed = false
  }

  /// The path of the socket; nil for a host in this program.
  private let path: String?
  private let server: ProtocolServer?
  private let contents = Mutex(Contents())
  /// What takes the events of the connection.
  private let take = Mutex<(@Sendable (StageEvent) -> Void)?>(nil)

  /// Connects to the host at a socket.
  ///
  /// - Throws: ``LinkError``
  package init(at path: String) throws(LinkError) {
    (self.path, server) = (path, nil)
    try connect()
  }

  /// Connects to a host in this program.
  package init(_ server: ProtocolServer) {
    (path, self.server) = (nil, server)
    let link = HostLink(to: server) { [weak self] in self?.tell(.told(method: $0, $1)) }
    contents.withLock { $0.link = link }
  }

  func begin(_ take: @escaping @Sendable (StageEvent) -> Void) { self.take.withLock { $0 = take } }

  func call(_ call: StageCall) async -> Result<Value, StageRefusal> {
    guard let link = contents.withLock({ $0.link }) else {
      return .failure(StageRefusal("the host has ended"))
    }
    do throws(LinkError) {
      return .success(try await link.call(call.method, call.parameters))
    } catch {
      if case .refused(_, let message, let data) = error {
        return .failure(StageRefusal(message, data: data))
      }
      return .failure(StageRefusal("\(error)"))
    }
  }

  /// Checks that the host answers.
  ///
  /// - Throws: ``LinkError``
  package func check() async throws(LinkError) {
    guard let link = contents.withLock({ $0.link }) else { throw .ended }
    _ = try await link.call("host/describe", within: HostLink.descriptionTimeMax)
  }

  func cancelCalls() { contents.withLock { $0.link }?.cancelCalls() }

  package func close() {
    let link = contents.withLock { contents in
      contents.isClosed = true
      return contents.link.take()
    }
    link?.close()
  }

  private func tell(_ event: StageEvent) { take.withLock { $0 }?(event) }

  private func connect() throws(LinkError) {
    guard let path else { return }
    let link = try HostLink(
      to: path, notify: { [weak self] in self?.tell(.told(method: $0, $1)) },
      finish: { [weak self] in self?.lose() })
    contents.withLock { $0.link = link }
  }

  /// Tells that the host has ended, and waits for another in its place.
  private func lose() {
    let isOurs = contents.withLock { contents in
      contents.link = nil
      return contents.isClosed
    }
    guard !isOurs else { return }
    tell(.lost)
    Task { [weak self] in
      while let self, !self.contents.withLock({ $0.isClosed }) {
        try? await Task.sleep(for: Self.retryTime)
        guard (try? self.connect()) != nil else { continue }
        return self.tell(.back)
      }
    }
  }
}
