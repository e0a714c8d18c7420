import Glibc

/// An inotify queue, closed on deinitialization.
package final class WatchQueue {
  /// The events of each directory: saved files, added and removed names, and its own removal.
  package static let mask = UInt32(
    IN_CLOSE_WRITE | IN_MOVED_TO | IN_MOVED_FROM | IN_CREATE | IN_DELETE | IN_DELETE_SELF
      | IN_MOVE_SELF | IN_ONLYDIR | IN_MASK_ADD)
  /// The events of the directories above the root: the same without saved files.
  static let outerMask = mask & ~UInt32(IN_CLOSE_WRITE)
  /// The events of a directory that is itself moved or removed.
  static let movesMask = UInt32(IN_DELETE_SELF | IN_MOVE_SELF | IN_ONLYDIR | IN_MASK_ADD)
  /// The size of the buffer for one read; about 2,000 records with short names.
  private static let bufferSize = 64 << 10

  /// Readable while records are waiting.
  package let descriptor: Int32

  private let kernel: Kernel
  private let buffer: UnsafeMutableRawBufferPointer

  /// Makes a queue of the system.
  package convenience init() throws(SystemError) { try self.init(kernel: Kernel()) }

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

  /// Watches a directory, or adds events to an existing watch.
  package func add(_ directory: PathBytes, _ mask: UInt32) throws(SystemError) -> Int32 {
    let watch = kernel.addWatch(descriptor, directory, mask)
    guard watch >= 0 else { throw SystemError(code: -watch) }
    return watch
  }

  /// Removes a watch.
  ///
  /// It is not an error if the watch disappeared with its directory.
  package func remove(_ watch: Int32) {
    _ = kernel.removeWatch(descriptor, watch)
  }

  /// The waiting records, up to the size of the buffer; nil if there are none.
  package func read() throws(SystemError) -> [InotifyRecord]? {
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
  /// Whether the system has no more watches, queues or memory.
  var meansExhausted: Bool {
    [ENOSPC, ENOMEM, EMFILE, ENFILE].contains(code)
  }

  /// The kernel setting that limits inotify, if this error means that its limit was reached.
  package var inotifySetting: String? {
    switch code {
    case ENOSPC: "fs.inotify.max_user_watches"
    case EMFILE: "fs.inotify.max_user_instances"
    default: nil
    }
  }
}
