import Glibc

/// The resources that the process has used.
enum Usage {
  /// The processor time of all threads in seconds.
  static var processorTime: Double { seconds(CLOCK_PROCESS_CPUTIME_ID) }
  /// The time in seconds on a clock that never goes back.
  static var wallTime: Double { seconds(CLOCK_MONOTONIC) }

  /// The resident memory in bytes, from `/proc/self/statm`; 0 if there is no such file.
  static var residentBytes: Int {
    guard let file = fopen("/proc/self/statm", "r") else { return 0 }
    defer { fclose(file) }
    var line = [CChar](repeating: 0, count: 256)
    guard fgets(&line, 256, file) != nil else { return 0 }
    let text = String(decoding: line.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
    let pages = text.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0
    return pages * Int(sysconf(Int32(_SC_PAGESIZE)))
  }

  /// Returns freed memory to the system, so that resident memory is memory in use.
  static func giveBackFreedMemory() {
    // Looked up at run time, because Swift's module of the C library lacks <malloc.h>.
    guard let symbol = dlsym(nil, "malloc_trim") else { return }
    _ = unsafeBitCast(symbol, to: (@convention(c) (Int) -> CInt).self)(0)
  }

  private static func seconds(_ clock: clockid_t) -> Double {
    var time = timespec()
    clock_gettime(clock, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) * 1e-9
  }
}

/// A directory of scripts in the temporary folder, removed at the end.
struct ScriptFolder: ~Copyable {
  let path: String

  init(_ files: [String: String]) {
    var template = Array("/tmp/moonwire-bench-XXXXXX".utf8CString)
    self.init(mkdtemp(&template).map { String(cString: $0) } ?? "/tmp/moonwire-bench", files)
  }

  private init(_ path: String, _ files: [String: String]) {
    self.path = path
    for (name, text) in files { write(text, to: name) }
  }

  /// Makes a folder of scripts in this one, which must outlive it.
  borrowing func makeFolder(named name: String, _ files: [String: String]) -> ScriptFolder {
    mkdir("\(path)/\(name)", 0o755)
    return ScriptFolder("\(path)/\(name)", files)
  }

  deinit {
    guard let directory = opendir(path) else { return }
    while let entry = readdir(directory) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) {
        $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
      }
      if !name.hasPrefix(".") { unlink("\(path)/\(name)") }
    }
    closedir(directory)
    rmdir(path)
  }

  /// Writes a file in place; returns the time just before it was closed.
  @discardableResult
  func write(_ text: String, to name: String) -> Double {
    let descriptor = open("\(path)/\(name)", O_CREAT | O_WRONLY | O_TRUNC, 0o644)
    guard descriptor >= 0 else { return Usage.wallTime }
    var bytes = text
    bytes.withUTF8 { buffer in
      var offset = 0
      while offset < buffer.count {
        let count = Glibc.write(
          descriptor, buffer.baseAddress?.advanced(by: offset), buffer.count - offset)
        guard count > 0 else { break }
        offset += count
      }
    }
    let time = Usage.wallTime
    close(descriptor)
    return time
  }
}

/// Returns the sample at a fraction of a sorted array: 0.5 is the median.
func percentile(_ samples: [Double], _ share: Double) -> Double {
  guard !samples.isEmpty else { return 0 }
  let sorted = samples.sorted()
  return sorted[min(sorted.count - 1, Int(Double(sorted.count) * share))]
}
