import Glibc

/// One record of an inotify queue; see inotify(7).
package struct InotifyRecord: Sendable {
  package let watch: Int32
  let mask: UInt32
  /// Empty when the record is about the watched directory itself; bytes that are not UTF-8 are
  /// replaced.
  package let name: String

  package static let closeWrite = UInt32(IN_CLOSE_WRITE)
  package static let created = UInt32(IN_CREATE)
  static let arrived = UInt32(IN_CREATE | IN_MOVED_TO)
  package static let left = UInt32(IN_DELETE | IN_MOVED_FROM)
  package static let isDirectory = UInt32(IN_ISDIR)
  package static let overflow = UInt32(IN_Q_OVERFLOW)
  /// The watched directory was renamed or moved.
  package static let moved = UInt32(IN_MOVE_SELF)
  /// The watched directory or its watch is gone for good.
  package static let ended = UInt32(IN_DELETE_SELF | IN_UNMOUNT | IN_IGNORED)

  package func has(_ bits: UInt32) -> Bool {
    mask & bits != 0
  }

  /// Parses the result of one read(2), up to a truncated record.
  static func records(in buffer: UnsafeRawBufferPointer) -> [Self] {
    var records: [Self] = []
    var offset = 0
    while offset + headerSize <= buffer.count {
      // Unaligned loads: the kernel pads names, but doesn't document it.
      let length = buffer.loadUnaligned(fromByteOffset: offset + 12, as: UInt32.self)
      let nameStart = offset + headerSize
      guard let nameEnd = Int(exactly: length).map({ nameStart + $0 }), nameEnd <= buffer.count
      else { break }
      records.append(
        Self(
          watch: buffer.loadUnaligned(fromByteOffset: offset, as: Int32.self),
          mask: buffer.loadUnaligned(fromByteOffset: offset + 4, as: UInt32.self),
          name: String(
            decoding: buffer[nameStart..<nameEnd].prefix { $0 != 0 }, as: UTF8.self)))
      offset = nameEnd
    }
    return records
  }

  /// The watch, the mask, a cookie that isn't needed here, and the length of the name's field.
  private static let headerSize = MemoryLayout<inotify_event>.size
}
