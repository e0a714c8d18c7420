/// The files that one load has read, collected while it runs.
final class LoadedFiles {
  /// The maximum total size of a module's files in bytes.
  ///
  /// The host keeps their contents, and the module's memory quota doesn't count them.
  static let bytesMax = 16 << 20

  private(set) var sources: [String: LoadedSource] = [:]
  private(set) var byteCount = 0
  /// The files that were looked for and didn't exist.
  private var missing: Set<String> = []
  /// Whether the load is over, so that the contents of libraries are fixed.
  private(set) var isClosed = false

  func close() { isClosed = true }

  func note(_ source: LoadedSource, for path: String) {
    byteCount += source.bytes.count
    sources[path] = source
  }
  func note(missing path: String) { missing.insert(path) }

  /// Whether the load used or looked for one of these files, or one below one of these folders.
  func useAny(of paths: Set<String>) -> Bool {
    paths.contains { path in
      sources[path] != nil || missing.contains(path)
        || sources.keys.contains { $0.hasPrefix(path + "/") }
        || missing.contains { $0.hasPrefix(path + "/") }
    }
  }

  /// Whether another load found the same files with the same contents.
  func isSame(as other: LoadedFiles) -> Bool {
    missing == other.missing
      && sources.mapValues(\.contentHash) == other.sources.mapValues(\.contentHash)
  }

  /// Whether a load at this moment would find different files or contents.
  func haveChanged(_ contentHash: (String) -> UInt64?) -> Bool {
    sources.contains { contentHash($0.key) != $0.value.contentHash }
      || missing.contains { contentHash($0) != nil }
  }
}

/// A file as it was when a generation was loaded from it.
struct LoadedSource {
  let bytes: [UInt8]
  let contentHash: UInt64
}
