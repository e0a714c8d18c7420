package import MoonFiles

/// The contents of files, each read once.
///
/// A check of the directory has one, from the change of a file to the swap of its modules.
package final class FileContents {
  /// The directory to read; nil for contents that are all known.
  private let directory: ScriptDirectory?
  private var known: [String: Result<LoadedSource, FilesError>]

  /// Makes the contents of a directory, as they are when they are first asked for.
  package init(of directory: ScriptDirectory) {
    self.directory = directory
    known = [:]
  }

  /// Makes the contents that a load has found, and no others.
  package init(of files: LoadedFiles) {
    directory = nil
    known = files.sources.mapValues { .success($0) }
  }

  /// Returns a file without its byte order mark; `former` itself, if that is the same.
  ///
  /// - Throws: ``FilesError``
  func source(_ path: String, since former: LoadedSource? = nil) throws(FilesError) -> LoadedSource
  {
    if let known = known[path] { return try known.get() }
    do throws(FilesError) {
      guard let directory else { throw .notFound(path: path) }
      let read = try directory.read(path)
      let source = former.flatMap { $0.contentHash == read.contentHash ? $0 : nil }
      let found = source ?? LoadedSource(read)
      known[path] = .success(found)
      return found
    } catch {
      known[path] = .failure(error)
      throw error
    }
  }

  /// Returns whether there is a file that can be read.
  package func have(_ path: String) -> Bool { (try? source(path)) != nil }
}
