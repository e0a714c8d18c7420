import Dispatch
import Glibc
import Synchronization

/// Linux's pressure stall information about memory (Documentation/accounting/psi.rst of the
/// kernel).
final class MemoryPressure: Sendable {
  /// The instance for the whole process.
  static let ofProcess = MemoryPressure()

  /// The condition for a warning: within 2 seconds, some task has waited 150 ms for memory.
  ///
  /// The kernel lets programs without privileges use only multiples of 2 seconds.
  private static let trigger = "some 150000 2000000"

  /// A function that receives warnings; returns whether it wants more.
  typealias Warning = @Sendable () async -> Bool

  private struct Watch {
    /// Whether a thread waits for warnings.
    var isBegun = false
    var warnings: [Warning] = []
  }

  private let current = Mutex(Watch())

  /// Calls `warn` on each warning until it returns false; returns false if the system has no
  /// warnings.
  ///
  /// One thread waits for all sessions of the process.
  func watch(_ warn: @escaping Warning) -> Bool {
    guard begin() else { return false }
    add(warn)
    return true
  }

  /// Starts the thread if the system has warnings.
  private func begin() -> Bool {
    current.withLock { watch in
      guard !watch.isBegun else { return true }
      guard let file = Self.files.lazy.compactMap(Self.open).first else { return false }
      watch.isBegun = true
      DispatchQueue(label: "moonwire.memory").async { self.wait(for: file) }
      return true
    }
  }

  /// Calls a function on each warning until it returns false.
  func add(_ warn: @escaping Warning) { current.withLock { $0.warnings.append(warn) } }

  /// Passes a warning to all functions that want one.
  func warn() async {
    let warnings = current.withLock { watch in
      defer { watch.warnings = [] }
      return watch.warnings
    }
    var wanted: [Warning] = []
    for warn in warnings where await warn() { wanted.append(warn) }
    current.withLock { [wanted] in $0.warnings += wanted }
  }

  /// The files to ask, starting with that of the process's control group, which limits it.
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

  private func wait(for descriptor: Int32) {
    defer {
      close(descriptor)
      current.withLock { $0.isBegun = false }
    }
    while true {
      var source = pollfd(fd: descriptor, events: Int16(POLLPRI), revents: 0)
      let count = poll(&source, 1, -1)
      if count < 0, errno == EINTR { continue }
      guard count > 0, source.revents & Int16(POLLPRI) != 0 else { return }
      let isTold = DispatchSemaphore(value: 0)
      Task {
        await self.warn()
        isTold.signal()
      }
      isTold.wait()
    }
  }
}
