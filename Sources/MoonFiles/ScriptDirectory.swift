/// A directory of scripts.
///
/// It lists and reads the files inside the directory, and no others. It holds only a path: no file
/// is kept open, and the directory may disappear and return.
package struct ScriptDirectory: Hashable, Sendable {
  /// The maximum number of files and problems of a listing.
  ///
  /// A larger directory is likely a mistake.
  package static let fileCountMax = 20_000
  /// The maximum number of directories read, similar to inotify's default limit.
  package static let directoryCountMax = 20_000
  /// The maximum depth of directories below the root.
  ///
  /// Each level costs an open descriptor.
  package static let depthMax = 16
  /// The maximum size of a script in bytes.
  ///
  /// Scripts are written by hand.
  package static let fileSizeMax = 1 << 20

  /// The path of the annotations that the host writes for editors, which no listing has.
  package static let annotationsPath = "types/moonwire.lua"

  /// The absolute path as given.
  ///
  /// It may be a symbolic link.
  package let root: String
  /// The absolute paths of the directories outside the root that symbolic links may lead into.
  package let linkedDirectories: [String]

  /// Makes a value for the directory at `root`, which needn't exist yet.
  ///
  /// Relative paths are resolved against the current working directory.
  ///
  /// - Parameters:
  ///   - root: The path of the directory.
  ///   - linkedDirectories: Paths of directories outside of it that symbolic links below the root
  ///     may lead into. A directory that doesn't exist when it is needed allows nothing.
  package init(root: String, followingLinksInto linkedDirectories: [String] = []) {
    self.root = Self.absolute(root)
    self.linkedDirectories = linkedDirectories.filter { !$0.utf8.contains(0) }.map(Self.absolute)
  }

  private static func absolute(_ root: String) -> String {
    let components = root.utf8.split(separator: UInt8(ascii: "/")).map { String($0) ?? "" }
      .filter { $0 != "." }
    let path = components.joined(separator: "/")
    if root.utf8.first == UInt8(ascii: "/") {
      return "/" + path
    } else {
      let base = (try? PathBytes(resolving: PathBytes(".")))?.text ?? "/"
      return path.isEmpty ? base : (base == "/" ? "" : base) + "/" + path
    }
  }

  /// Lists the `.lua` files below the root, at any depth.
  ///
  /// Hidden names, editors' backups, swap and temporary files are omitted. Symbolic links are
  /// followed if they end inside the root or ``linkedDirectories``. Files that can't be listed
  /// become problems of the listing. A file that is removed during the call may or may not be
  /// listed.
  ///
  /// - Throws: ``FilesError/rootMissing(path:)``, ``FilesError/rootNotDirectory(path:)``,
  ///   ``FilesError/rootUnreadable(path:cause:)``, or ``FilesError/refusedPath(path:fault:)`` for
  ///   a root with a NUL byte.
  /// - Complexity: O(n log n) for the n names below the root.
  package func scan() throws(FilesError) -> Listing {
    var walk = DirectoryWalk(try confines())
    if let cause = walk.run(from: "", announcing: { _ in .go }) {
      throw rootError(cause)
    }
    return walk.listing
  }

  /// Reads one file below the root, of any name, at most ``fileSizeMax`` bytes.
  ///
  /// The bytes are returned unchanged, including a byte order mark, and may be those of a file that
  /// is still being written. They always come from one file inside the root or
  /// ``linkedDirectories``, even if symbolic links are replaced during the call.
  ///
  /// - Parameter relativePath: Components separated by single slashes, none of them `.` or `..`.
  /// - Returns: The bytes and the file's metadata.
  /// - Throws: ``FilesError``, any case but `watcherUnavailable`. Errors of the root come first.
  /// - Complexity: O(bytes of the file).
  package func read(_ relativePath: String) throws(FilesError) -> Source {
    if let fault = PathFault(of: relativePath) {
      throw .refusedPath(path: relativePath, fault: fault)
    }
    return try SourceFile(relativePath, within: try confines()).read()
  }

  /// Returns where the folder of a path lies, if symbolic links lead out of the root and the
  /// ``linkedDirectories``; nil if it lies inside, or where nothing is yet.
  ///
  /// What writes or removes a file asks this first, since the system would follow the links.
  package func exit(fromFolderOf relativePath: String) -> String? {
    guard let inside = try? confines() else { return nil }
    var parts = relativePath.split(separator: "/").dropLast()
    while !parts.isEmpty {
      let folder = inside.root.appending(parts.joined(separator: "/"))
      if let resolved = try? PathBytes(resolving: folder) {
        return inside.contains(resolved) ? nil : resolved.text
      }
      parts.removeLast()
    }
    return nil
  }

  /// Returns the directories in which scripts may lie at this moment; the root is a directory.
  func confines() throws(FilesError) -> AllowedDirectories {
    AllowedDirectories(root: try resolvedRoot(), linked: linkedDirectories)
  }

  /// Returns the root's path without symbolic links; it is a directory.
  func resolvedRoot() throws(FilesError) -> PathBytes {
    guard !root.utf8.contains(0) else { throw .refusedPath(path: root, fault: .nulByte) }
    let status: FileStatus
    let resolved: PathBytes
    do {
      resolved = try PathBytes(resolving: PathBytes(root))
      status = try FileStatus(following: resolved)
    } catch {
      throw rootError(error)
    }
    guard status.kind == .directory else { throw .rootNotDirectory(path: root) }
    return resolved
  }

  private func rootError(_ cause: SystemError) -> FilesError {
    cause.meansAbsent ? .rootMissing(path: root) : .rootUnreadable(path: root, cause: cause)
  }
}

extension PathFault {
  fileprivate init?(of path: String) {
    let components = path.utf8.split(
      separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
    if path.isEmpty {
      self = .empty
    } else if path.utf8.contains(0) {
      self = .nulByte
    } else if path.utf8.first == UInt8(ascii: "/") {
      self = .absolute
    } else if components.contains(where: { $0.elementsEqual("..".utf8) }) {
      self = .parentComponent
    } else if components.contains(where: { $0.isEmpty || $0.elementsEqual(".".utf8) }) {
      self = .notNormalized
    } else {
      return nil
    }
  }
}
