import Glibc
import MoonFiles

extension Descriptor {
  /// Returns the names in the directory except `.` and `..`, sorted by their bytes.
  ///
  /// - Throws: ``SystemError``, `EOVERFLOW` if there are more than `max`.
  func names(max: Int) throws(SystemError) -> [PathBytes] {
    // Reading closes its descriptor, and the copy shares the position.
    let copy = try duplicate()
    guard let stream = fdopendir(copy) else {
      let error = SystemError.latest
      close(copy)
      throw error
    }
    defer { closedir(stream) }
    rewinddir(stream)
    var names: [PathBytes] = []
    while let name = try Self.next(in: stream) {
      guard name != PathBytes("."), name != PathBytes("..") else { continue }
      guard names.count < max else { throw SystemError(code: EOVERFLOW) }
      names.append(name)
    }
    return names.sorted { $0.bytes.lexicographicallyPrecedes($1.bytes) }
  }

  private static func next(in stream: OpaquePointer) throws(SystemError) -> PathBytes? {
    errno = 0
    guard let entry = readdir(stream) else {
      guard errno == 0 else { throw .latest }
      return nil
    }
    return withUnsafeBytes(of: &entry.pointee.d_name) { PathBytes(readingName: $0) }
  }
}

extension Descriptor {
  /// Removes a name in the directory; with `AT_REMOVEDIR`, an empty directory.
  func unlink(_ name: PathBytes, _ flags: Int32 = 0) throws(SystemError) {
    guard unlinkat(number, name.characters, flags) == 0 else { throw .latest }
  }

  /// Renames an entry of the directory, replacing any entry of the new name.
  func rename(
    _ name: PathBytes, to newName: PathBytes, in directory: borrowing Descriptor
  ) throws(SystemError) {
    guard
      renameat(number, name.characters, directory.number, newName.characters) == 0
    else { throw .latest }
  }
}
