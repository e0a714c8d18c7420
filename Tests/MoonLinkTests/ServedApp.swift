import Glibc
import MoonLink
import MoonPrompt
import MoonProtocol
import MoonTestSupport
import Moonwire
import Synchronization

/// A host on a folder of scripts, at a socket.
struct ServedApp {
  let folder: ScriptFolder
  let host: Host
  let protocolServer: ProtocolServer
  let server: LinkServer
  var path: String { server.path }

  init(at path: String? = nil, in folder: ScriptFolder? = nil) async throws {
    let folder = try folder ?? ScriptFolder(["counter.lua": ScriptFolder.counter])
    self.folder = folder
    host = try Host(directory: folder.root, options: HostOptions())
    try await host.load()
    let session = await host.openSession()
    let prompt = PromptSession(host: host, id: session, log: LogRing(), cause: .prompt)
    protocolServer = ProtocolServer(prompt, Methods.all, directory: "/app", processID: 7)
    server = try LinkServer(
      at: SocketPlace(path: path ?? folder.path("../socket")), for: protocolServer)
  }
}

/// A client that sends and reads bytes as it likes.
final class RawClient {
  let descriptor: Int32

  init(_ path: String) throws {
    descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
    let size = socklen_t(MemoryLayout<sockaddr_un>.size)
    let code = withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { connect(descriptor, $0, size) }
    }
    if code != 0 { throw SystemError(code: errno) }
  }

  deinit { close(descriptor) }

  /// Sends text; returns false if the server has ended the connection.
  @discardableResult
  func send(_ text: String) -> Bool {
    var rest = Array(text.utf8)[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes {
        Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
      }
      if count <= 0 { return false }
      rest = rest.dropFirst(count)
    }
    return true
  }

  /// Reads what has come, at least one byte; empty at the end.
  func read() -> String {
    var bytes = [UInt8](repeating: 0, count: 1 << 16)
    let count = recv(descriptor, &bytes, bytes.count, 0)
    return String(decoding: bytes[..<max(0, count)], as: UTF8.self)
  }
}
