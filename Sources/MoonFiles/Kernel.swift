import Glibc

/// The system calls of inotify, replaceable so that tests can make them fail.
///
/// Each returns the result of the system call, or the negated error number.
struct Kernel: Sendable {
  var openQueue: @Sendable () -> Int32 = {
    let descriptor = inotify_init1(Int32(IN_CLOEXEC) | Int32(IN_NONBLOCK))
    return descriptor < 0 ? -errno : descriptor
  }

  var addWatch: @Sendable (_ queue: Int32, _ path: PathBytes, _ mask: UInt32) -> Int32 = {
    let watch = inotify_add_watch($0, $1.characters, $2)
    return watch < 0 ? -errno : watch
  }

  var removeWatch: @Sendable (_ queue: Int32, _ watch: Int32) -> Int32 = {
    inotify_rm_watch($0, $1) < 0 ? -errno : 0
  }

  var readQueue: @Sendable (_ queue: Int32, _ buffer: UnsafeMutableRawBufferPointer) -> Int = {
    let count = read($0, $1.baseAddress, $1.count)
    return count < 0 ? -Int(errno) : count
  }
}
