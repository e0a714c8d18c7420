import Glibc

/// The resources of this process, from the kernel.
enum ProcessUse {
  /// The resident memory in bytes.
  static var residentBytes: Int {
    let pages = text("/proc/self/statm").split(separator: " ").dropFirst().first
    return (pages.flatMap { Int($0) } ?? 0) * Int(sysconf(Int32(_SC_PAGESIZE)))
  }

  /// Returns the pages that the allocator keeps for later use to the kernel.
  ///
  /// They are resident, and would look like growth. Glibc's module in Swift lacks this function.
  static func returnFreePages() {
    guard let symbol = dlsym(nil, "malloc_trim") else { return }
    typealias Trim = @convention(c) (Int) -> Int32
    _ = unsafeBitCast(symbol, to: Trim.self)(0)
  }

  /// The number of open descriptors, except those that libdispatch creates once for its first
  /// timers.
  static var descriptorCount: Int {
    let ofDispatch = ["anon_inode:[eventpoll]", "anon_inode:[eventfd]", "anon_inode:[timerfd]"]
    return entries("/proc/self/fd").filter { name in
      var target = [CChar](repeating: 0, count: 64)
      let count = readlink("/proc/self/fd/\(name)", &target, target.count)
      // The descriptor used for the listing is closed by now.
      guard count > 0 else { return false }
      let text = String(decoding: target.prefix(count).map(UInt8.init(bitPattern:)), as: UTF8.self)
      return !ofDispatch.contains(text)
    }.count
  }

  /// The number of threads.
  static var threadCount: Int { entries("/proc/self/task").count }

  /// The time in seconds on a clock that never goes back.
  static var seconds: Double {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) * 1e-9
  }

  private static func text(_ path: String) -> String {
    guard let file = fopen(path, "r") else { return "" }
    defer { fclose(file) }
    var bytes = [UInt8](repeating: 0, count: 4096)
    let count = fread(&bytes, 1, bytes.count, file)
    return String(decoding: bytes.prefix(count), as: UTF8.self)
  }

  private static func entries(_ path: String) -> [String] {
    guard let directory = opendir(path) else { return [] }
    defer { closedir(directory) }
    var names: [String] = []
    while let entry = readdir(directory) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) {
        $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
      }
      if !name.hasPrefix(".") { names.append(name) }
    }
    return names
  }
}
