import Glibc

/// The names of files that are being written, each until it takes the name of the file to replace.
///
/// A name says which process writes, so that what a killed one has left can be removed. No name
/// that people give is like it.
package enum DraftName {
  private static let start = ".moonwire-"
  /// The maximum number of names that are looked at in a directory, which takes milliseconds.
  static let nameCountMax = 10_000
  /// This process, with its beginning, since another may get its number.
  private static let process = "\(getpid())-\(beginning(of: getpid()) ?? "0")"

  /// Returns a new name.
  package static func random() -> String {
    start + process + "-" + String(UInt64.random(in: 0...UInt64.max), radix: 16)
  }

  /// Returns the path of a new name in the directory of a file.
  package static func beside(_ path: String) -> String { directory(of: path) + random() }

  /// Returns whether a name is one of these.
  package static func isOne(_ name: String) -> Bool { name.hasPrefix(start) }

  private static func directory(of path: String) -> String {
    path.lastIndex(of: "/").map { String(path[...$0]) } ?? "./"
  }

  // MARK: Clearing

  /// Removes what killed processes have left in the directory of a file, if that is possible.
  package static func clear(beside path: String) {
    let descriptor = open(directory(of: path), O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard descriptor >= 0 else { return }
    defer { close(descriptor) }
    clear(in: descriptor)
  }

  /// Removes what killed processes have left in an open directory, if that is possible.
  package static func clear(in directory: Int32) {
    // A position of its own.
    let descriptor = openat(directory, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard descriptor >= 0 else { return }
    guard let stream = fdopendir(descriptor) else {
      close(descriptor)
      return
    }
    defer { closedir(stream) }
    for _ in 0..<nameCountMax {
      guard let entry = readdir(stream) else { return }
      let name = withUnsafeBytes(of: &entry.pointee.d_name) { PathBytes(readingName: $0) }
      if let text = name.validText, isLeft(text) { unlinkat(directory, name.characters, 0) }
    }
  }

  /// Returns whether the process that has made a name has ended.
  package static func isLeft(_ name: String) -> Bool {
    let parts = name.dropFirst(start.count).split(separator: "-", omittingEmptySubsequences: false)
    guard isOne(name), parts.count == 3, let id = pid_t(parts[0]), id > 0 else { return false }
    if kill(id, 0) != 0, errno == ESRCH { return true }
    return beginning(of: id).map { $0 != parts[1] } ?? false
  }

  /// The field of `/proc/N/stat` with the beginning of the process, after the state.
  private static let beginningIndex = 19

  /// Returns when a process began, in ticks since the system did; nil if that isn't known.
  private static func beginning(of id: pid_t) -> String? {
    let descriptor = open("/proc/\(id)/stat", O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    var bytes = [UInt8](repeating: 0, count: 1_024)
    let count = read(descriptor, &bytes, bytes.count)
    // The name before the state may hold anything.
    guard count > 0, let end = bytes[..<count].lastIndex(of: UInt8(ascii: ")")) else { return nil }
    let fields = bytes[(end + 1)..<count].split(separator: UInt8(ascii: " "))
    guard fields.count > beginningIndex else { return nil }
    return String(decoding: fields[beginningIndex], as: UTF8.self)
  }
}
