/// The directory with the scripts: lists them and reads them, and never leaves it.
///
/// A value that knows a path; nothing is kept open, and the directory may come and go.
public struct ScriptDirectory: Hashable, Sendable {
  /// How many files and problems a listing can have; a directory with more is somebody's mistake.
  public static let fileCountMax = 20_000
  /// How many directories are looked into; inotify's default is of the same size.
  public static let directoryCountMax = 20_000
  /// How many directories deep below the root a file may lie; each costs an open descriptor.
  public static let depthMax = 16
  /// How many bytes a script may have; a script is written by hand.
  public static let fileSizeMax = 1 << 20

  /// The absolute path, as it was given; it may itself be a symbolic link.
  public let root: String
  /// The absolute paths of the directories outside the root that symbolic links may lead into.
  public let linkedDirectories: [String]

  /// Names the directory at `root`, which needn't be there yet.
  ///
  /// Relative paths are taken from the working directory of this moment.
  ///
  /// - Parameters:
  ///   - root: The path of the directory.
  ///   - linkedDirectories: Paths of directories outside of it: symbolic links below the root may
  ///     lead into them. One that isn't there when it is needed allows nothing.
  public init(root: String, followingLinksInto linkedDirectories: [String] = []) {
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
  /// Hidden names, editors' backups, swap and temporary files are left out; symbolic links are
  /// followed as long as they end inside the root or ``linkedDirectories``. What can't be listed
  /// is a problem of the listing. A file that is removed meanwhile may be in the listing or not.
  ///
  /// - Throws: ``FilesError/rootMissing(path:)``, ``FilesError/rootNotDirectory(path:)``,
  ///   ``FilesError/rootUnreadable(path:cause:)``, or ``FilesError/refusedPath(path:fault:)`` for
  ///   a root with a NUL byte.
  /// - Complexity: O(n log n) for the n names below the root.
  public func scan() throws(FilesError) -> Listing {
    var walk = DirectoryWalk(try confines())
    if let cause = walk.run(from: "", announcing: { _ in .go }) {
      throw rootError(cause)
    }
    return walk.listing
  }

  /// Reads one file below the root, of any name, at most ``fileSizeMax`` bytes.
  ///
  /// The bytes come as they are, with a byte order mark if there is one, and may be those of a file
  /// that is being written. They are those of one file inside the root or ``linkedDirectories``,
  /// even if symbolic links are exchanged during the call.
  ///
  /// - Parameter relativePath: Components separated by single slashes, none of them `.` or `..`.
  /// - Returns: The bytes and what the file system says about them.
  /// - Throws: ``FilesError``, every case but the watcher's; one for the root first.
  /// - Complexity: O(bytes of the file).
  public func read(_ relativePath: String) throws(FilesError) -> Source {
    if let fault = PathFault(of: relativePath) {
      throw .refusedPath(path: relativePath, fault: fault)
    }
    return try SourceFile(relativePath, within: try confines()).read()
  }

  /// Where scripts may lie at this moment; the root is a directory.
  func confines() throws(FilesError) -> Confines {
    Confines(root: try resolvedRoot(), linked: linkedDirectories)
  }

  /// The root without symbolic links; it is a directory.
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
