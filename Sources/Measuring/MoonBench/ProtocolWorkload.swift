import Dispatch
import Glibc
import MoonLink
import MoonPrompt
import MoonProtocol
import Moonwire

/// Dispatches beside a socket, and through it.
enum ProtocolWorkload: String {
  /// Dispatches in the process, each awaited.
  case inside
  /// Dispatches through a socket, each awaited.
  case attached
  /// Dispatches in the process beside subscriptions to what they change.
  case beside

  private static let action = Action("m/inc", ["by": 1])

  /// Does the work `count` times, for `beside` with a number of subscriptions.
  func run(count: Int, subscriptions: Int) async throws {
    let folder = ScriptFolder(["m.lua": Scripts.increment])
    let host = try Host(directory: folder.path, options: .unlimited)
    try await host.load()
    let session = await host.openSession()
    let prompt = PromptSession(host: host, id: session, log: LogRing(), cause: .commandLine)
    let server = try LinkServer(
      at: SocketPlace(path: "\(folder.path)/socket"),
      for: ProtocolServer(prompt, Methods.all, directory: folder.path, processID: 1))
    let subscriber = self == .beside ? Subscriber(to: server.path, subscriptions) : nil
    let link = self == .attached ? try HostLink(to: server.path) : nil
    let start = Usage.wallTime
    for _ in 0..<count {
      if let link {
        _ = try await link.call("action/dispatch", ["type": "m/inc", "payload": ["by": 1]])
      } else {
        try await host.perform { host throws(DispatchError) in
          _ = try host.dispatch(Self.action, to: session)
        }
      }
    }
    let seconds = Usage.wallTime - start
    print(
      """
      {"what":"protocol","work":"\(rawValue)","subscriptions":\(subscriptions),"n":\(count),\
      "wall_s":\(seconds)}
      """)
    link?.close()
    subscriber?.close()
    server.close()
    await host.close()
  }
}

/// A client that reads what it is told, and does nothing with it.
private final class Subscriber: Sendable {
  private let descriptor: Int32

  /// Subscribes to the same path a number of times.
  init(to path: String, _ count: Int) {
    descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
    withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        _ = connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    }
    for number in 0..<count {
      let line =
        #"{"jsonrpc":"2.0","id":\#(number),"method":"state/subscribe","params":{"path":"m"}}"#
      _ = Array((line + "\n").utf8).withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
      // One answer at a time, since only some requests may wait.
      read(untilLine: true)
    }
    DispatchQueue(label: "subscriber").async { [self] in read(untilLine: false) }
  }

  func close() { shutdown(descriptor, Int32(SHUT_RDWR)) }

  private func read(untilLine: Bool) {
    var bytes = [UInt8](repeating: 0, count: 1 << 18)
    while true {
      let count = recv(descriptor, &bytes, bytes.count, 0)
      if count <= 0 || (untilLine && bytes[count - 1] == UInt8(ascii: "\n")) { return }
    }
  }
}
