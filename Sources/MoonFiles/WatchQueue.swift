import Glibc

/// An inotify queue, open as long as this is referred to.
final class WatchQueue {
  /// What is asked of each directory: files that were saved, names that came and went, its own end.
  static let mask = UInt32(
    IN_CLOSE_WRITE | IN_MOVED_TO | IN_MOVED_FROM | IN_CREATE | IN_DELETE | IN_DELETE_SELF
      | IN_MOVE_SELF | IN_ONLYDIR | IN_MASK_ADD)
  /// What is asked of the directories above the root: the same without the files' contents.
  static let outerMask = mask & ~UInt32(IN_CLOSE_WRITE)
  /// The size of the buffer for one read; about 2,000 records with short names.
  private static let bufferSize = 64 << 10

  /// Readable when records are waiting.
  let descriptor: Int32

  private let kernel: Kernel
  private let buffer: UnsafeMutableRawBufferPointer

  init(kernel: Kernel) throws(SystemError) {
    let descriptor = kernel.openQueue()
    guard descriptor >= 0 else { throw SystemError(code: -descriptor) }
    self.descriptor = descriptor
    self.kernel = kernel
    buffer = .allocate(byteCount: Self.bufferSize, alignment: 8)
  }

  deinit {
    close(descriptor)
    buffer.deallocate()
  }

  /// Watches a directory, or watches more of one that is watched.
  func add(_ directory: PathBytes, _ mask: UInt32) throws(SystemError) -> Int32 {
    let watch = kernel.addWatch(descriptor, directory, mask)
    guard watch >= 0 else { throw SystemError(code: -watch) }
    return watch
  }

  /// A watch whose directory is gone has gone with it; that is no error.
  func remove(_ watch: Int32) {
    _ = kernel.removeWatch(descriptor, watch)
  }

  /// The records that are waiting, as many as the buffer holds; nil when there are none.
  func read() throws(SystemError) -> [InotifyRecord]? {
    let count = kernel.readQueue(descriptor, buffer)
    guard count < 0 else {
      return InotifyRecord.records(in: UnsafeRawBufferPointer(rebasing: buffer[..<count]))
    }
    let error = SystemError(code: Int32(-count))
    guard error.code == EAGAIN || error.code == EINTR else { throw error }
    return nil
  }
}

extension SystemError {
  /// Whether the system has no more watches, queues or memory to give.
  var meansExhausted: Bool {
    [ENOSPC, ENOMEM, EMFILE, ENFILE].contains(code)
  }

  /// The kernel setting to raise after this error came from inotify.
  var inotifySetting: String? {
    switch code {
    case ENOSPC: "fs.inotify.max_user_watches"
    case EMFILE: "fs.inotify.max_user_instances"
    default: nil
    }
  }
}
