import Glibc
import Moonwire

/// The service manager that has started the program, such as systemd, and what it is told.
///
/// It is the protocol of sd_notify(3): texts to the socket that `NOTIFY_SOCKET` names.
struct Supervisor: Sendable {
  /// The messages to a service manager.
  enum Message: Sendable {
    case ready(String)
    case reloading
    case stopping
    /// The host works.
    case alive

    fileprivate var text: String {
      switch self {
      case .ready(let status): "READY=1\nSTATUS=\(status)"
      case .reloading: "RELOADING=1\nMONOTONIC_USEC=\(Supervisor.monotonicMicroseconds)"
      case .stopping: "STOPPING=1"
      case .alive: "WATCHDOG=1"
      }
    }
  }

  /// The path of the socket, or its name after `@`; nil if nobody wants to be told.
  private let socketName: String?
  /// The time in which the manager wants to hear that the host works; nil if it doesn't.
  let watchdogTime: Duration?

  init(_ environment: [String: String]) {
    let name = environment["NOTIFY_SOCKET"] ?? ""
    socketName = name.hasPrefix("/") || name.hasPrefix("@") ? name : nil
    let isOurs = environment["WATCHDOG_PID"].map { $0 == String(getpid()) } ?? true
    let time = environment["WATCHDOG_USEC"].flatMap { Int64($0) } ?? 0
    watchdogTime = isOurs && time > 0 && socketName != nil ? .microseconds(time) : nil
  }

  /// Tells the manager something, if there is one; a failure has no effect.
  func tell(_ message: Message) {
    guard let socketName else { return }
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    var bytes = Array(socketName.utf8)
    guard bytes.count < MemoryLayout.size(ofValue: address.sun_path) else { return }
    // The abstract namespace, whose names begin with a zero and don't end with one.
    if bytes[0] == UInt8(ascii: "@") { bytes[0] = 0 }
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: bytes) }
    let offset = MemoryLayout<sockaddr_un>.offset(of: \.sun_path) ?? 0
    let size = socklen_t(offset + bytes.count)
    let type = Int32(SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue)
    let descriptor = socket(AF_UNIX, type, 0)
    guard descriptor >= 0 else { return }
    defer { close(descriptor) }
    let text = Array(message.text.utf8)
    withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        _ = sendto(descriptor, text, text.count, Int32(MSG_NOSIGNAL), $0, size)
      }
    }
  }

  /// The time of CLOCK_MONOTONIC.
  private static var monotonicMicroseconds: Int64 {
    BudgetClock.continuous.nanoseconds() / 1_000
  }
}
