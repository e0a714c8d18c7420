import Glibc

/// The memory that the system still grants this process.
///
/// A machine enforces its quota by granting somewhat more and then ending the call. If the system
/// grants less than that, an allocation in Swift fails and ends the process.
package struct MemoryAllowance: Equatable, Sendable {
  /// The source of a limit.
  package enum Limit: Equatable, Sendable {
    /// `ulimit -v`, the address space of the process.
    case addressSpace
    /// A control group of Linux, as used for containers and services.
    case controlGroup
  }

  package let limit: Limit
  /// The number of bytes that the limit leaves.
  package let bytesLeft: Int

  /// The memory needed to enforce a quota, including the host's own.
  ///
  /// Lua may use twice the quota before a call ends, and the host decodes results while Lua still
  /// holds them.
  package static func bytesNeeded(quota: Int) -> Int {
    let (times, overflows) = max(quota, 0).multipliedReportingOverflow(by: 4)
    return overflows || times > Int.max - reserveBytes ? Int.max : times + reserveBytes
  }

  /// The largest quota that this much memory is enough for; 0 if it is enough for none.
  ///
  /// Leaves some of it, because what a process has mapped differs a little from run to run.
  package static func quota(withBytes bytes: Int) -> Int {
    max(0, bytes - reserveBytes - 32 << 20) / 4
  }

  /// The memory of a host without modules: the stacks of its threads and its own data.
  static let reserveBytes = 192 << 20

  /// The limit that leaves the least; nil if there is none.
  ///
  /// Reads a few files in `/proc` and `/sys`. Without them, control groups have no limit.
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

  /// The mapped address space in bytes, from the text of `/proc/self/statm`.
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
  /// The tightest limit of this process's control groups, version 2 or 1.
  ///
  /// `read` returns the text of a file, or an empty text if there is none.
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

  /// The files of a version of control groups.
  private struct Hierarchy {
    let root: String
    let limitFile: String
    /// The line of `memory.stat` with the memory that can't be reclaimed, unlike the file cache.
    let used: String

    /// The bytes that a group and its ancestors leave; nil if none has a limit.
    ///
    /// In a container, the path may contain folders that exist outside only.
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
      // Without a limit this is "max", or the largest multiple of a page.
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
