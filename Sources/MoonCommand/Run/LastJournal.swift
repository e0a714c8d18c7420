import Glibc
import Moonwire

/// A file that remembers the path of the journal that a script directory was last run with.
struct LastJournal {
  /// The maximum number of bytes of a path that is read.
  private static let byteCountMax = 64 << 10

  private let directory: String
  private var file: String { "\(directory)/last-journal" }

  /// Makes the memory in the directory for the data of a script directory's modules.
  init(in directory: String) { self.directory = directory }

  /// The path; nil if none is known.
  var path: String? {
    let bytes = try? WholeFile.bytes(of: file, upTo: Self.byteCountMax)
    return bytes.flatMap { $0.isEmpty ? nil : String(decoding: $0, as: UTF8.self) }
  }

  /// Remembers a path if the system allows it.
  func note(_ path: String) {
    guard let resolved = realpath(path, nil) else { return }
    defer { free(resolved) }
    // If it fails, `--resume last` asks for the name.
    try? PrivateFile.replace(file, with: Array(String(cString: resolved).utf8))
  }
}
