import MoonLink
import Moonwire
import Synchronization

/// A host that may end and come back, for a program that goes on meanwhile.
final class ReturningHost: Sendable {
  let named: RunningHost
  private let link = Mutex<HostLink?>(nil)

  init(_ named: RunningHost) { self.named = named }

  /// Calls a method, on a new connection if the last one has ended.
  ///
  /// - Throws: ``LinkError``
  func call(_ method: String, _ parameters: Map = Map()) async throws(LinkError) -> Value {
    try await connected().call(method, parameters)
  }

  func close() { link.withLock { $0.take() }?.close() }

  private func connected() throws(LinkError) -> HostLink {
    try link.withLock { link throws(LinkError) in
      if let link, link.isOpen { return link }
      let new = try HostLink(to: named.path)
      link = new
      return new
    }
  }
}
