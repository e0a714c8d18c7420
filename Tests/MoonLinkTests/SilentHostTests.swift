import Glibc
import MoonTestSupport
import Moonwire
import Testing

@testable import MoonLink

/// Hosts that are stopped or hang: the system still takes connections for them.
@Suite(.ownThread, .timeLimit(.minutes(1))) struct SilentHostTests {
  private let folder: TemporaryFolder
  private let path: String
  private let silent: UnixSocket

  init() throws {
    folder = try TemporaryFolder()
    path = folder.path + "/s"
    silent = try UnixSocket.listening(at: path)
  }

  @Test func `a call with a limit ends the connection to a host that says nothing`() async throws {
    defer { silent.close() }
    let link = try HostLink(to: path)
    #expect(link.processID == getpid())
    await #expect(throws: LinkError.silent) {
      try await link.call("host/describe", within: .milliseconds(20))
    }
    await #expect(throws: LinkError.silent) { try await link.call("host/describe") }
  }

  @Test func `a host whose queue is full takes no connection, which is told in time`() throws {
    defer { silent.close() }
    // A queue of the shortest length, which one client fills.
    #expect(listen(silent.descriptor, 0) == 0)
    let first = try UnixSocket.connected(to: path)
    defer { first.close() }
    #expect(throws: LinkError.silent) {
      try UnixSocket.connected(to: path, within: .milliseconds(20)).close()
    }
  }

  @Test func `a call with a limit has the answer of a host that answers`() async throws {
    silent.close()
    let app = try await ServedApp()
    let link = try HostLink(to: app.path)
    #expect(try await link.call("host/describe", within: .seconds(50))["pid"] == 7)
    link.close()
    app.server.close()
  }
}
