import Glibc

/// The memory that the system still lets this process take.
///
/// A machine keeps to its quota by granting a little more and ending the call. A system that grants
/// less than that makes an allocation of Swift's fail, and with it the process.
package struct MemoryAllowance: Equatable, Sendable {
  /// What sets a limit.
  package enum Limit: Equatable, Sendable {
    /// `ulimit -v`: what the process may map.
    case addressSpace
    /// A control group of Linux, as containers and services have it.
    case controlGroup
  }

  package let limit: Limit
  /// How many bytes are left below it.
  package let bytesLeft: Int

  /// What must be left for a machine to be kept within its quota, threads of the host included.
  ///
  /// Lua may take twice the quota before a call is ended, and what it hands over is decoded while
  /// Lua still has it.
  package static func bytesNeeded(quota: Int) -> Int {
    let (times, overflows) = max(quota, 0).multipliedReportingOverflow(by: 4)
    return overflows || times > Int.max - reserveBytes ? Int.max : times + reserveBytes
  }

  /// What a host takes beside its modules: stacks of its threads, and its own data.
  static let reserveBytes = 192 << 20

  /// The limit that leaves the least; nil when there is none.
  ///
  /// Reads a few files of `/proc` and `/sys`; where there are none, no limit of that kind is known.
  package static func current() -> MemoryAllowance? {
    [addressSpace(), controlGroup { text(ofFile: $0) }].compactMap { $0 }
      .min { $0.bytesLeft < $1.bytesLeft }
  }

  private static func addressSpace() -> MemoryAllowance? {
    var limit = rlimit()
    guard getrlimit(__rlimit_resource_t(RLIMIT_AS.rawValue), &limit) == 0,
      limit.rlim_cur != .max, let mapped = mappedBytes(text(ofFile: "/proc/self/statm"))
    else { return nil }
    return MemoryAllowance(
      limit: .addressSpace, bytesLeft: max(0, Int(clamping: limit.rlim_cur) - mapped))
  }

  /// What `/proc/self/statm` says is mapped, in bytes.
  static func mappedBytes(_ text: String) -> Int? {
    text.split(separator: " ").first.flatMap { Int($0) }.map { pages in
      let (bytes, overflows) = pages.multipliedReportingOverflow(
        by: Int(sysconf(Int32(_SC_PAGESIZE))))
      return overflows ? Int.max : bytes
    }
  }

  private static func text(ofFile path: String) -> String {
    guard let file = fopen(path, "re") else { return "" }
    defer { fclose(file) }
    var bytes = [UInt8](repeating: 0, count: 64 * 1024)
    let count = fread(&bytes, 1, bytes.count, file)
    return String(decoding: bytes[..<count], as: UTF8.self)
  }
}

extension MemoryAllowance {
  /// The tightest limit of this process's control groups, of version 2 or 1.
  ///
  /// `read` gives a file's text, empty when there is none.
  static func controlGroup(_ read: (String) -> String) -> MemoryAllowance? {
    let lines = read("/proc/self/cgroup").split(separator: "\n")
    let left = lines.compactMap { line -> Int? in
      let parts = line.split(separator: ":", maxSplits: 2, omittingEmptySubsequences: false)
      guard parts.count == 3 else { return nil }
      if parts[0] == "0" && parts[1].isEmpty { return unified.left(parts[2], read) }
      guard parts[1].split(separator: ",").contains("memory") else { return nil }
      return legacy.left(parts[2], read)
    }
    return left.min().map { MemoryAllowance(limit: .controlGroup, bytesLeft: $0) }
  }

  private static let unified = Hierarchy(
    root: "/sys/fs/cgroup", limitFile: "memory.max", used: "anon ")
  private static let legacy = Hierarchy(
    root: "/sys/fs/cgroup/memory", limitFile: "memory.limit_in_bytes", used: "total_rss ")

  /// Where a version of control groups keeps its numbers.
  private struct Hierarchy {
    let root: String
    let limitFile: String
    /// The line of `memory.stat` with what can't be given back, unlike the cache of files.
    let used: String

    /// What the group and those above it leave; nil when none has a limit.
    ///
    /// In a container the group's path may name folders that only the system outside has.
    func left(_ path: Substring, _ read: (String) -> String) -> Int? {
      var names = path.split(separator: "/")
      var found: [Int] = []
      while true {
        let folder = ([root] + names.map(String.init)).joined(separator: "/")
        if let left = left(in: folder, read) { found.append(left) }
        if names.isEmpty { return found.min() }
        names.removeLast()
      }
    }

    private func left(in folder: String, _ read: (String) -> String) -> Int? {
      let text = read("\(folder)/\(limitFile)")
      // Without a limit it says "max", or as many pages as an integer counts.
      guard let limit = Int(text.prefix { $0.isNumber }), limit < Int.max - (1 << 24) else {
        return nil
      }
      let lines = read("\(folder)/memory.stat").split(separator: "\n")
      let used = lines.first { $0.hasPrefix(self.used) }.flatMap {
        Int($0.dropFirst(self.used.count))
      }
      return max(0, limit - (used ?? 0))
    }
  }
}
