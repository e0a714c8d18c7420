import MoonPrompt
import MoonProtocol
import MoonServices
import MoonTestSupport
import MoonTesting
import Moonwire
import Synchronization

/// A client of a host on a folder of scripts, without a socket.
final class ProtocolClient: Sendable {
  let host: Host
  let connection: ClientConnection
  let received: Received
  private let server: ProtocolServer
  private let folder: ScriptFolder

  /// What the server has sent to a client.
  final class Received: ClientOutput {
    private struct Contents {
      var lines: [String] = []
      var waiter: (count: Int, continuation: CheckedContinuation<Void, Never>)?
      var isCongested = false
      var isEnded = false
    }

    private let contents = Mutex(Contents())

    func send(_ line: [UInt8]) {
      contents.withLock { contents in
        contents.lines.append(String(decoding: line, as: UTF8.self))
        guard let waiter = contents.waiter, contents.lines.count >= waiter.count else { return }
        waiter.continuation.resume()
        contents.waiter = nil
      }
    }

    func post(_ line: [UInt8]) { send(line) }

    var isCongested: Bool {
      get { contents.withLock { $0.isCongested } }
      set { contents.withLock { $0.isCongested = newValue } }
    }
    var isEnded: Bool { contents.withLock { $0.isEnded } }
    var count: Int { contents.withLock { $0.lines.count } }
    func end() { contents.withLock { $0.isEnded = true } }

    /// Waits for a number of lines, and takes them.
    func take(_ count: Int = 1) async -> [String] {
      await withCheckedContinuation { continuation in
        contents.withLock { contents in
          if contents.lines.count >= count { return continuation.resume() }
          contents.waiter = (count, continuation)
        }
      }
      return contents.withLock { contents in
        defer { contents.lines.removeFirst(count) }
        return Array(contents.lines.prefix(count))
      }
    }
  }

  /// Makes the first client; `loading` is called for each host that checks or tests load.
  init(
    _ folder: ScriptFolder, options: HostOptions = HostOptions(),
    loading: @escaping @Sendable () -> Void = {}
  ) async throws {
    self.folder = folder
    host = try Host(directory: folder.root, options: options)
    try await host.load()
    let session = await host.openSession()
    let prompt = PromptSession(host: host, id: session, log: LogRing(), cause: .prompt)
    let settings = ConfiguredSettings(set: [:], file: nil, environment: [:])
    server = ProtocolServer(
      prompt, Methods.all, directory: "/app", processID: 7,
      inspection: AppInspection(of: folder.root, settings, options: { options }) { _ in loading() })
    received = Received()
    connection = ClientConnection(to: server, received)
  }

  private init(besides first: ProtocolClient) {
    (host, server, folder) = (first.host, first.server, first.folder)
    received = Received()
    connection = ClientConnection(to: server, received)
  }

  /// Returns another client of the same host.
  func other() -> ProtocolClient { ProtocolClient(besides: self) }

  /// Sends text as it is.
  func send(_ text: String) { connection.receive(Array(text.utf8)) }

  /// Sends a line, and returns the one that comes next.
  func ask(_ line: String) async -> String {
    send(line + "\n")
    return await received.take()[0]
  }

  /// Calls a method; returns its result, or nil for an error.
  func call(_ method: String, _ parameters: String = "{}") async throws -> Value {
    let reply = await ask(
      #"{"jsonrpc":"2.0","id":1,"method":"\#(method)","params":\#(parameters)}"#)
    let value = try Value(parsing: reply)
    return value["result"] ?? value["error"] ?? .null
  }
}
