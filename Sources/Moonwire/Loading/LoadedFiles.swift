/// The files of one load, noted while it goes on: a library is found when it's required.
final class LoadedFiles {
  /// How many bytes the files of a module may have before it gets no more: the host keeps them, and
  /// no quota of the module's counts them.
  static let bytesMax = 16 << 20

  private(set) var sources: [String: LoadedSource] = [:]
  private(set) var byteCount = 0
  /// Files that would have been used had they been there.
  private var missing: Set<String> = []
  /// Whether the load is over: what a library is doesn't change from then on.
  private(set) var isClosed = false

  func close() { isClosed = true }

  func note(_ source: LoadedSource, for path: String) {
    byteCount += source.bytes.count
    sources[path] = source
  }
  func note(missing path: String) { missing.insert(path) }

  /// Whether one of these files, or one below one of these folders, was used or looked for.
  func useAny(of paths: Set<String>) -> Bool {
    paths.contains { path in
      sources[path] != nil || missing.contains(path)
        || sources.keys.contains { $0.hasPrefix(path + "/") }
        || missing.contains { $0.hasPrefix(path + "/") }
    }
  }

  /// Whether another load found the same.
  func isSame(as other: LoadedFiles) -> Bool {
    missing == other.missing
      && sources.mapValues(\.contentHash) == other.sources.mapValues(\.contentHash)
  }

  /// Whether a load now would find something else.
  func haveChanged(_ contentHash: (String) -> UInt64?) -> Bool {
    sources.contains { contentHash($0.key) != $0.value.contentHash }
      || missing.contains { contentHash($0) != nil }
  }
}

/// A file as it was when a generation was made of it.
struct LoadedSource {
  let bytes: [UInt8]
  let contentHash: UInt64
}
