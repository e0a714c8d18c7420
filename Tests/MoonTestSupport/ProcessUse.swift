import Glibc

/// What the process that runs the tests holds, as the kernel tells it.
///
/// Tests beside the one that asks hold some of it.
package enum ProcessUse {
  /// Bytes of memory in use.
  package static var residentBytes: Int {
    let fields = TextFile.contents(of: "/proc/self/statm").split(separator: " ")
    let pages = fields.dropFirst().first.flatMap { Int($0) }
    return (pages ?? 0) * Int(sysconf(Int32(_SC_PAGESIZE)))
  }

  /// Open descriptors, the one for counting among them.
  package static var descriptorCount: Int { TextFile.names(in: "/proc/self/fd").count }
}
