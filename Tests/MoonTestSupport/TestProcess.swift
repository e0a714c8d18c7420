import Glibc

/// The resources of the test process, from the kernel.
///
/// Concurrent tests hold some of them.
package enum TestProcess {
  /// The resident memory in bytes.
  package static var residentBytes: Int {
    let fields = TextFile.contents(of: "/proc/self/statm").split(separator: " ")
    let pages = fields.dropFirst().first.flatMap { Int($0) }
    return (pages ?? 0) * Int(sysconf(Int32(_SC_PAGESIZE)))
  }

  /// The number of open descriptors, including the one for counting.
  package static var descriptorCount: Int { TextFile.names(in: "/proc/self/fd").count }
}
