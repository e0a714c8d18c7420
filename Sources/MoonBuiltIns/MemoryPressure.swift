import Dispatch
import Glibc
import Synchronization

/// The pressure stall information of Linux about memory
/// (Documentation/accounting/psi.rst of the kernel).
enum MemoryPressure {
  /// The condition of a warning: in 2 seconds, some task has waited 150 ms for memory.
  ///
  /// The kernel lets programs without privileges use multiples of 2 seconds only.
  private static let trigger = "some 150000 2000000"

  /// Calls `warn` on each warning until it returns false; returns false if the system has none.
  ///
  /// This uses a thread.
  static func watch(_ warn: @escaping @Sendable () async -> Bool) -> Bool {
    guard let file = files.lazy.compactMap(open).first else { return false }
    DispatchQueue(label: "moonwire.memory").async { wait(for: file, warn) }
    return true
  }

  /// The files to ask: that of the process's control group first, which limits it.
  private static var files: [String] {
    let groups = lines(of: "/proc/self/cgroup").filter { $0.hasPrefix("0::/") }
    return groups.map { "/sys/fs/cgroup\($0.dropFirst(3))/memory.pressure" } + [
      "/proc/pressure/memory"
    ]
  }

  private static func lines(of path: String) -> [Substring] {
    guard let file = fopen(path, "re") else { return [] }
    defer { fclose(file) }
    var bytes = [UInt8](repeating: 0, count: 4_096)
    let count = fread(&bytes, 1, bytes.count, file)
    return String(decoding: bytes[..<count], as: UTF8.self).split(separator: "\n")
  }

  private static func open(_ path: String) -> Int32? {
    let descriptor = Glibc.open(path, O_RDWR | O_NONBLOCK | O_CLOEXEC)
    guard descriptor >= 0 else { return nil }
    let bytes = Array(trigger.utf8) + [0]
    guard write(descriptor, bytes, bytes.count) == bytes.count else {
      close(descriptor)
      return nil
    }
    return descriptor
  }

  private static func wait(
    for descriptor: Int32, _ warn: @escaping @Sendable () async -> Bool
  ) {
    defer { close(descriptor) }
    while true {
      var source = pollfd(fd: descriptor, events: Int16(POLLPRI), revents: 0)
      let count = poll(&source, 1, -1)
      if count < 0, errno == EINTR { continue }
      guard count > 0, source.revents & Int16(POLLPRI) != 0 else { return }
      let answered = DispatchSemaphore(value: 0)
      let wish = Wish()
      Task {
        wish.isMore.store(await warn(), ordering: .relaxed)
        answered.signal()
      }
      answered.wait()
      guard wish.isMore.load(ordering: .relaxed) else { return }
    }
  }

  /// Whether further warnings are wanted.
  private final class Wish: Sendable {
    let isMore = Atomic(false)
  }
}
