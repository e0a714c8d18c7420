import Foundation
import MoonLink
import MoonTestSupport
import Moonwire
import Testing

/// Hosts at sockets, and their clients.
@Suite(.ownThread) struct LinkTests {
  private static let count =
    #"{"jsonrpc":"2.0","id":1,"method":"state/get","params":{"path":"counter"}}"#

  @Test func `a client calls methods and gets notifications`() async throws {
    let app = try await ServedApp()
    let (notices, source) = AsyncStream.makeStream(of: String.self)
    let (ends, end) = AsyncStream.makeStream(of: Void.self)
    let link = try HostLink(
      to: app.path, notify: { method, parameters in source.yield("\(method) \(parameters)") },
      finish: { end.finish() })
    _ = try await link.call("state/subscribe", ["path": "counter.count"])
    let answer = try await link.call("action/dispatch", ["type": "counter/add"])
    #expect(answer["kind"] == "dispatch")
    let told = await notices.first { _ in true }
    #expect(told?.hasPrefix(#"state/changed {"commit":1,"patch":"#) ?? false, "\(told ?? "")")
    await #expect(throws: LinkError.self) { try await link.call("no/method") }
    app.server.close()
    for await _ in ends {}
    await #expect(throws: LinkError.ended) { try await link.call("state/get") }
    #expect(!FileManager.default.fileExists(atPath: app.path))
  }

  @Test func `clients that are silent, vanish or send nonsense cost the others nothing`()
    async throws
  {
    let app = try await ServedApp()
    let silent = try RawClient(app.path)
    silent.send(#"{"half a line"#)
    for _ in 0..<300 { try RawClient(app.path).send(Self.count) }
    let wrong = try RawClient(app.path)
    wrong.send("\u{0}nonsense\n")
    #expect(wrong.read().contains("-32700"))
    let link = try HostLink(to: app.path)
    #expect(try await link.call("state/get", ["path": "counter.count"])["value"] == 0)
    link.close()
  }

  @Test func `a line without an end ends its connection`() async throws {
    let app = try await ServedApp()
    let client = try RawClient(app.path)
    let piece = String(repeating: "x", count: 1 << 16)
    while client.send(piece) {}
    let link = try HostLink(to: app.path)
    #expect(try await link.call("session/list")["sessions"] == [1])
    link.close()
  }

  @Test func `a client that reads nothing loses its connection`() async throws {
    let big = "return { state = { text = string.rep('x', 900000) } }"
    let app = try await ServedApp(in: ScriptFolder(["big.lua": big]))
    let client = try RawClient(app.path)
    // Answers of a megabyte, for a few bytes each.
    let ask = #"{"jsonrpc":"2.0","id":1,"method":"state/get"}"# + "\n"
    while client.send(ask) {}
    let link = try HostLink(to: app.path)
    #expect(try await link.call("session/list")["sessions"] == [1])
    link.close()
  }

  @Test func `more clients than the limit are sent away, and the others stay`() async throws {
    let app = try await ServedApp()
    let clients = try (0..<LinkServer.clientCountMax).map { _ in try RawClient(app.path) }
    // Once the last is answered, all were let in.
    clients.last?.send(Self.count + "\n")
    #expect(clients.last?.read().contains("count") ?? false)
    #expect(try RawClient(app.path).read().contains("at most 256 clients"))
    let refused = await #expect(throws: LinkError.self) {
      try await HostLink(to: app.path).call("session/list")
    }
    #expect("\(refused.map { "\($0)" } ?? "")" == "a host has at most 256 clients")
    clients[0].send(Self.count + "\n")
    #expect(clients[0].read().contains("count"))
  }

  @Test func `the socket is only its user's, whatever the umask`() async throws {
    let app = try await ServedApp()
    var status = stat()
    #expect(lstat(app.path, &status) == 0 && status.st_mode & 0o777 == 0o600)
  }

  private static let isRoot =
    getuid() == 0 && Program.hasNobody && access("/usr/bin/python3", X_OK) == 0

  @Test(.enabled(if: isRoot, "only root can be another user"))
  func `another user's program is sent away, even if the socket's mode lets it in`() async throws {
    let app = try await ServedApp()
    try app.folder.admitOthers()
    chmod(app.path, 0o666)
    let run = try Program.shell(
      """
      \(Program.asNobody) /usr/bin/python3 -c 'import socket
      s = socket.socket(socket.AF_UNIX); s.connect("\(app.path)")
      try: s.sendall(b"{}\\n"); print(s.recv(100))
      except (BrokenPipeError, ConnectionResetError): print(b"")'
      """)
    #expect(run.lines == ["b''"], "\(run)")
    let link = try HostLink(to: app.path)
    #expect(try await link.call("session/list")["sessions"] == [1])
    link.close()
  }

  @Test func `a socket that a killed host has left is replaced, and one in use isn't`() async throws
  {
    let app = try await ServedApp()
    await #expect(throws: LinkError.inUse(app.path)) { try await ServedApp(at: app.path) }
    let link = try HostLink(to: app.path)
    #expect(try await link.call("session/list")["sessions"] == [1])
    link.close()
    // Nobody listens at it any more, and the file is there.
    let stale = app.folder.path("../stale")
    try FileManager.default.linkItem(atPath: app.path, toPath: stale)
    app.server.close()
    #expect(throws: LinkError.noHost(stale)) { try HostLink(to: stale) }
    let next = try await ServedApp(at: stale)
    let again = try HostLink(to: stale)
    #expect(try await again.call("session/list")["sessions"] == [1])
    again.close()
    next.server.close()
  }

  @Test func `what can't be a socket says why`() async throws {
    let folder = try ScriptFolder(["file": "text"])
    let long = folder.path(String(repeating: "x", count: 108))
    await #expect(throws: LinkError.pathTooLong(long)) { try await ServedApp(at: long) }
    let file = folder.path("file")
    await #expect(throws: LinkError.notASocket(file)) { try await ServedApp(at: file) }
    let nowhere = folder.path("none/socket")
    await #expect(throws: LinkError.system(nowhere, code: ENOENT)) {
      try await ServedApp(at: nowhere)
    }
    #expect(throws: LinkError.noHost(folder.path("no"))) { try HostLink(to: folder.path("no")) }
  }

  @Test func `the folder of sockets must be only its user's`() async throws {
    let folder = try ScriptFolder()
    let place = SocketPlace(of: folder.root, ["XDG_RUNTIME_DIR": folder.outside])
    #expect(place.path.hasPrefix(folder.outside + "/moonwire/app-"))
    try FileManager.default.createDirectory(
      atPath: folder.path("../moonwire"), withIntermediateDirectories: true)
    chmod(folder.path("../moonwire"), 0o755)
    let app = try await ServedApp()
    #expect(throws: LinkError.foreignFolder(folder.path("../moonwire"))) {
      try LinkServer(at: place, for: app.protocolServer)
    }
    chmod(folder.path("../moonwire"), 0o700)
    let server = try LinkServer(at: place, for: app.protocolServer)
    let all = SocketPlace.all(["XDG_RUNTIME_DIR": folder.outside])
    #expect(all.map(\.path) == [place.path])
    server.close()
  }
}
