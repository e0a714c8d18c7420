import Glibc
import MoonFiles
import Moonwire

/// The functions that change the contents of directories.
enum DirectoryChanges {
  /// The maximum depth of directories that can be removed.
  ///
  /// Each level costs an open descriptor.
  static let depthMax = 100

  static let functions: [ServiceFunction] = [
    .asynchronous(
      "remove", "Removes a file, a symbolic link or a directory.", .string("path"),
      .option(.boolean("recursive", "Also what is in the directory"), or: false)
    ) { call, path, isRecursive in
      let files = GrantedFiles(call)
      let entry = try files.openDirectory(of: try files.path(path), for: .write)
      try files.requireNothingDenied(.write, atOrBelow: entry.place, for: entry.path)
      try remove(entry, isRecursive: isRecursive)
      return .nothing
    },
    .asynchronous(
      "make_directory", "Makes a directory, and those that it is in; does nothing if it exists.",
      .string("path")
    ) { call, path in
      let files = GrantedFiles(call)
      try makeDirectory(try files.path(path), files)
      return .nothing
    },
    .asynchronous(
      "rename", "Moves a file or directory, within a file system.", .string("path"),
      .string("to", "The new path"),
      .option(.boolean("replace", "A file that has the new path already"), or: false)
    ) { call, source, target, replaces in
      let files = GrantedFiles(call)
      try rename(try files.path(source), to: try files.path(target), replaces, files)
      return .nothing
    },
  ]

  // MARK: Removing

  private static func remove(_ entry: borrowing DirectoryEntry, isRecursive: Bool) throws {
    let path = entry.path.text
    guard let status = try entry.status() else { throw FileFailure.notFound(path) }
    do {
      guard status.kind == .directory else {
        return try entry.directory.unlink(entry.name)
      }
      if isRecursive { try empty(entry.name, in: entry.directory, path, depth: 1) }
      try entry.directory.unlink(entry.name, AT_REMOVEDIR)
    } catch let error as SystemError {
      throw FileFailure(error, path)
    }
  }

  /// Removes everything in a directory; follows no links.
  private static func empty(
    _ name: PathBytes, in parent: borrowing Descriptor, _ path: String, depth: Int
  ) throws {
    guard depth <= depthMax else { throw FileFailure.tooDeep(path, max: depthMax) }
    let directory = try Descriptor(opening: name, in: parent, O_RDONLY | O_DIRECTORY)
    for child in try directory.names(max: .max) {
      try Task.checkCancellation()
      guard let status = try? FileStatus(of: child, in: directory.number) else { continue }
      if status.kind == .directory {
        try empty(child, in: directory, path, depth: depth + 1)
        try directory.unlink(child, AT_REMOVEDIR)
      } else {
        try directory.unlink(child)
      }
    }
  }

  // MARK: Making

  private static func makeDirectory(_ path: GivenPath, _ files: GrantedFiles) throws {
    // The deepest directory that exists, found from below.
    for count in stride(from: path.names.count, through: 0, by: -1) {
      let descriptor: Descriptor
      do {
        descriptor = try Descriptor(
          opening: path.prefix(count).absolute, Descriptor.placeOnly)
      } catch {
        if error.code == ENOENT, count > 0 { continue }
        try files.require(.write, files.assumedPlace(of: path), for: path)
        throw FileFailure(error, path.text)
      }
      return try makeDirectories(Array(path.names.dropFirst(count)), in: descriptor, path, files)
    }
  }

  private static func makeDirectories(
    _ names: [String], in start: consuming Descriptor, _ path: GivenPath, _ files: GrantedFiles
  ) throws {
    guard let place = try start.place() else {
      throw FileFailure.system(path.text, SystemError(code: EILSEQ))
    }
    var reached = place == "/" ? "" : place
    if names.isEmpty { try files.require(.write, place, for: path) }
    for name in names {
      reached += "/" + name
      try files.require(.write, reached, for: path)
    }
    guard try start.status().kind == .directory else {
      throw names.isEmpty ? FileFailure.exists(path.text) : .notDirectory(path.text)
    }
    do {
      var directory = start
      for name in names.map(PathBytes.init) {
        if mkdirat(directory.number, name.characters, 0o777) != 0, errno != EEXIST {
          throw SystemError.latest
        }
        directory = try Descriptor(
          opening: name, in: directory, Descriptor.placeOnly | O_DIRECTORY)
      }
    } catch let error as SystemError {
      throw FileFailure(error, path.text)
    }
  }

  // MARK: Renaming

  private static func rename(
    _ path: GivenPath, to newPath: GivenPath, _ replaces: Bool, _ files: GrantedFiles
  ) throws {
    let source = try files.openDirectory(of: path, for: .write)
    let target = try files.openDirectory(of: newPath, for: .write)
    try files.requireNothingDenied(.write, atOrBelow: source.place, for: path)
    try files.requireNothingDenied(.write, atOrBelow: target.place, for: newPath)
    // Also in the same directory: otherwise what may not be read could take a name that may.
    try files.require(.read, source.place, for: path)
    try files.requireNothingDenied(.read, atOrBelow: source.place, for: path)
    guard let status = try source.status() else { throw FileFailure.notFound(path.text) }
    do {
      if replaces {
        try source.directory.rename(source.name, to: target.name, in: target.directory)
      } else {
        try move(source, to: target, isDirectory: status.kind == .directory)
      }
    } catch {
      guard error.code != EXDEV else {
        throw FileFailure.otherFileSystem(path.text, newPath.text)
      }
      throw FileFailure(error, newPath.text)
    }
  }

  /// Moves to a name that must be free.
  ///
  /// An empty file or directory first takes the name, and is then replaced.
  private static func move(
    _ source: borrowing DirectoryEntry, to target: borrowing DirectoryEntry, isDirectory: Bool
  ) throws(SystemError) {
    let name = target.name
    if isDirectory {
      guard mkdirat(target.directory.number, name.characters, 0o700) == 0 else { throw .latest }
    } else {
      _ = try Descriptor(
        opening: name, in: target.directory, O_WRONLY | O_CREAT | O_EXCL, mode: 0o600)
    }
    do {
      try source.directory.rename(source.name, to: name, in: target.directory)
    } catch {
      try? target.directory.unlink(name, isDirectory ? AT_REMOVEDIR : 0)
      throw error
    }
  }
}
