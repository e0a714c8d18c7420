import MoonFiles
import Moonwire

/// The function that watches.
enum FileWatching {
  private static let watches = DirectoryWatches()

  static let function = ServiceFunction.stream(
    "watch",
    "Returns the changes of a file, or of the entries of a directory, as they happen.",
    .string("path"), of: "{path, kind}"
  ) { call, path in
    let files = GrantedFiles(call)
    return try watch(try files.path(path), files)
  }

  private static func watch(_ path: GivenPath, _ files: GrantedFiles) throws -> FileWatch {
    let file = try files.open(path, for: .read)
    do {
      if file.status.kind == .directory {
        return try watches.watch(
          file.descriptor, at: file.place, name: nil, as: path.text,
          in: files.call.memory)
      }
      guard let entry = try file.entry() else { throw FileFailure.notFound(path.text) }
      return try watches.watch(
        entry.directory, at: entry.directoryPlace, name: entry.name.validText, as: path.text,
        in: files.call.memory)
    } catch let error as SystemError {
      throw FileFailure.unwatchable(path.text, error)
    }
  }
}

/// A change, as scripts receive it.
struct FileChange {
  enum Kind: String {
    /// The path has something new, or something else.
    case changed
    /// The path has nothing any more.
    case removed
    /// Changes were missed; the directory must be read again.
    case missed
  }

  let path: String
  let kind: Kind

  var result: ServiceResult {
    .fields([("path", .string(path)), ("kind", .string(kind.rawValue))])
  }
}

/// The changes of one file or directory for one script: an asynchronous sequence.
///
/// Changes that happen while the script is busy are merged: the latest for each path.
final class FileWatch: AsyncSequence, Sendable {
  typealias Element = ServiceResult

  struct Iterator: AsyncIteratorProtocol {
    // The watch ends with the last reference to it.
    let watch: FileWatch

    func next() async -> ServiceResult? {
      await watch.changes.next()?.result
    }
  }

  let changes: PendingChanges
  private let ending: @Sendable () -> Void

  init(_ changes: PendingChanges, ending: @escaping @Sendable () -> Void) {
    self.changes = changes
    self.ending = ending
  }

  deinit { ending() }

  func makeAsyncIterator() -> Iterator { Iterator(watch: self) }
}
