import Glibc

/// The memory of the journal that a script directory was last run with: a file with its path.
struct LastJournal {
  /// The maximum number of bytes of a path that is read.
  private static let byteCountMax = 64 << 10

  private let directory: String
  private var file: String { "\(directory)/last-journal" }

  /// Makes the memory in the directory for what a script directory's modules keep.
  init(in directory: String) { self.directory = directory }

  /// The path; nil if none is known.
  var path: String? {
    let descriptor = open(file, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    var bytes = [UInt8](repeating: 0, count: Self.byteCountMax)
    let count = read(descriptor, &bytes, bytes.count)
    return count > 0 ? String(decoding: bytes[..<count], as: UTF8.self) : nil
  }

  /// Remembers a path, as far as the system lets it.
  func note(_ path: String) {
    guard let resolved = realpath(path, nil) else { return }
    defer { free(resolved) }
    makeDirectory(directory)
    let temporary = "\(file).\(getpid())"
    let descriptor = open(temporary, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { return }
    let count = write(descriptor, resolved, strlen(resolved))
    close(descriptor)
    if count != strlen(resolved) || rename(temporary, file) != 0 { unlink(temporary) }
  }

  /// Makes a directory with those above it, which only their owner can enter.
  private func makeDirectory(_ path: String) {
    guard access(path, F_OK) != 0, let slash = path.lastIndex(of: "/") else { return }
    makeDirectory(String(path[..<slash]))
    mkdir(path, 0o700)
  }
}
