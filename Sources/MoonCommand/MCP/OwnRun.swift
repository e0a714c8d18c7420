import Dispatch
import Glibc

/// A run of this program with other arguments, for what it prints.
enum OwnRun {
  /// The number of bytes of output that are kept.
  static let bytesMax = 1 << 20

  /// Runs the program; returns both of its outputs together, and its exit code.
  static func output(_ words: [String]) async -> (text: String, code: Int32) {
    await withCheckedContinuation { continuation in
      // Reading blocks its thread.
      DispatchQueue(label: "moonwire.run").async {
        continuation.resume(returning: run(words))
      }
    }
  }

  private static func run(_ words: [String]) -> (text: String, code: Int32) {
    var path = [CChar](repeating: 0, count: Int(PATH_MAX) + 1)
    guard readlink("/proc/self/exe", &path, path.count - 1) > 0 else {
      return ("the program's file isn't known", 1)
    }
    let program = String(
      decoding: path.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    let line = ([program] + words).map(quoted).joined(separator: " ")
    // Standard input is the assistant's.
    guard let stream = popen("\(line) 2>&1 </dev/null", "re") else {
      return ("the program can't be started", 1)
    }
    var kept: [UInt8] = []
    var bytes = [UInt8](repeating: 0, count: 1 << 14)
    while true {
      let count = fread(&bytes, 1, bytes.count, stream)
      guard count > 0 else { break }
      kept += bytes.prefix(min(count, bytesMax - kept.count))
    }
    let status = pclose(stream)
    return (String(decoding: kept, as: UTF8.self), status >> 8 & 0xFF)
  }

  /// The word as a shell takes it without change.
  private static func quoted(_ word: String) -> String {
    "'" + word.replacing("'", with: "'\\''") + "'"
  }
}
