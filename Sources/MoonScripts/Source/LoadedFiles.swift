import MoonFiles
package import MoonValues

/// The files that one load has read, collected while it runs.
package final class LoadedFiles {
  /// The maximum total size of a module's files in bytes.
  ///
  /// The host keeps their contents, and the module's memory quota doesn't count them.
  static let bytesMax = 16 << 20

  package private(set) var sources: [String: LoadedSource] = [:]
  private(set) var byteCount = 0
  /// The files that were looked for and didn't exist.
  private var missing: Set<String> = []
  /// Whether the load is over, so that the contents of libraries are fixed.
  var isClosed: Bool { contents == nil }
  /// The files to read; nil once the load is over.
  private var contents: FileContents?

  package init(from contents: FileContents? = nil) { self.contents = contents }

  func close() { contents = nil }

  /// Reads a file for the load.
  ///
  /// - Throws: ``FilesError``
  func read(_ path: String) throws(FilesError) -> [UInt8] {
    guard let contents else { throw .notFound(path: path) }
    let source = try contents.source(path)
    note(source, for: path)
    return source.bytes
  }

  /// Returns whether there is a file that the load could read.
  func canRead(_ path: String) -> Bool { contents?.have(path) ?? false }

  func note(_ source: LoadedSource, for path: String) {
    byteCount += source.bytes.count
    sources[path] = source
  }
  func note(missing path: String) { missing.insert(path) }

  /// Returns whether the load used or looked for one of these files, or one below one of these
  /// folders.
  package func useAny(of paths: Set<String>) -> Bool {
    paths.contains { path in
      sources[path] != nil || missing.contains(path)
        || sources.keys.contains { $0.hasPrefix(path + "/") }
        || missing.contains { $0.hasPrefix(path + "/") }
    }
  }

  /// Returns whether another load found the same files with the same contents.
  package func isSame(as other: LoadedFiles) -> Bool {
    missing == other.missing
      && sources.mapValues(\.contentHash) == other.sources.mapValues(\.contentHash)
  }

  /// Returns the first line of a place's file, at or after the place, that has a word in quotes or
  /// assigns it.
  package func place(of word: String, from start: SourcePlace) -> SourcePlace? {
    guard let index = sources[start.file]?.index else { return nil }
    let first = max(0, start.line - 1)
    let lines = [
      index.line(quoting: word.utf8, from: first), index.line(assigning: word.utf8, from: first),
    ]
    return lines.compactMap(\.self).min().map { SourcePlace(file: start.file, line: $0 + 1) }
  }

  /// Returns the libraries whose contents differ from those of an earlier load, or that it didn't
  /// find.
  package func changedLibraries(since earlier: LoadedFiles, besides file: String) -> [String] {
    sources.filter { path, source in
      guard path != file else { return false }
      guard let old = earlier.sources[path] else { return earlier.missing.contains(path) }
      return old.contentHash != source.contentHash
    }.keys.sorted()
  }

  /// Returns whether a load at this moment would find different files or contents.
  package func haveChanged(in contents: FileContents) -> Bool {
    sources.contains { path, source in
      (try? contents.source(path, since: source))?.contentHash != source.contentHash
    } || missing.contains(where: contents.have)
  }
}

/// A file as it was when a generation was loaded from it.
package final class LoadedSource {
  let bytes: [UInt8]
  let contentHash: ContentHash
  /// What the bytes lack of those of the file.
  private let byteOrderMark: [UInt8]
  /// The name in journals of earlier versions; made on first use.
  private lazy var formerHash = ContentHash(formerlyOf: byteOrderMark + bytes)
  /// The facts that the file's text shows about names; read on first use.
  private(set) lazy var facts = SourceFacts(bytes)
  /// The lines that assign names or have texts in quotes; indexed when it is first needed.
  private(set) lazy var index = SourceIndex(bytes)

  init(bytes: [UInt8], contentHash: ContentHash, byteOrderMark: [UInt8] = []) {
    self.bytes = bytes
    self.contentHash = contentHash
    self.byteOrderMark = byteOrderMark
  }

  /// Makes the file without its byte order mark, which the hash counts.
  convenience init(_ source: ScriptDirectory.Source) {
    let bytes = source.bytes.withoutByteOrderMark
    self.init(
      bytes: bytes, contentHash: source.contentHash,
      byteOrderMark: Array(source.bytes.dropLast(bytes.count)))
  }
}

extension LoadedSource {
  /// The name of the contents in a journal.
  package var hashText: String { contentHash.digits }

  /// Returns whether a journal names these contents so, be it one of an earlier version.
  package func isNamed(_ hashText: String) -> Bool {
    hashText == contentHash.digits || hashText == formerHash.digits
  }
}
