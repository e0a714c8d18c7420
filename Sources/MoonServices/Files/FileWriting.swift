import Glibc
import MoonFiles
import Moonwire
import Synchronization

/// The functions that change the contents of files.
enum FileWriting {
  /// The number of times that a writer waits for other processes to close a new file.
  static let waitCountMax = 1000
  /// The time between two of these waits.
  fileprivate static let waitMicroseconds: UInt32 = 1000

  static let functions: [ServiceFunction] = [
    .asynchronous(
      "write",
      "Replaces a file or makes it: all of it or, after an error, nothing. Permissions are kept.",
      .string("path"), .bytes("data")
    ) { call, path, data in
      let files = GrantedFiles(call)
      try replace(try files.path(path), with: data, files)
      return .nothing
    },
    .asynchronous(
      "append", "Writes at the end of a file, and makes the file if there is none.",
      .string("path"), .bytes("data")
    ) { call, path, data in
      let files = GrantedFiles(call)
      try append(data, to: try files.path(path), files)
      return .nothing
    },
  ]

  private static func replace(
    _ path: GivenPath, with data: [UInt8], _ files: GrantedFiles
  ) throws {
    for _ in 0..<GrantedFiles.attemptMax {
      guard let target = try target(path, files) else { continue }
      do {
        try target.entry.replace(with: data, permissions: target.permissions)
        return
      } catch let error as SystemError {
        throw FileFailure(error, path.text)
      }
    }
    throw FileFailure.unstable(path.text)
  }

  /// Where to write, and the permissions of the existing file.
  private struct Target: ~Copyable {
    let entry: DirectoryEntry
    let permissions: mode_t?
  }

  /// Finds the file to replace, at the end of symbolic links, which are kept.
  ///
  /// Returns nil if it has been moved meanwhile.
  private static func target(_ path: GivenPath, _ files: GrantedFiles) throws -> Target? {
    let file: OpenFile
    do {
      file = try files.open(path, for: .write)
    } catch FileFailure.notFound {
      let entry = try files.openDirectory(of: path, for: .write)
      // The link leads to nothing, and a missing target can't be checked.
      guard try entry.status() == nil else { throw FileFailure.notFound(path.text) }
      return Target(entry: entry, permissions: nil)
    }
    try file.requireFile()
    guard file.descriptor.isWritable else { throw FileFailure.notPermitted(path.text) }
    let permissions = file.status.permissions & 0o777
    guard let entry = try file.entry() else { return nil }
    return Target(entry: entry, permissions: permissions)
  }

  private static func append(
    _ data: [UInt8], to path: GivenPath, _ files: GrantedFiles
  ) throws {
    for _ in 0..<GrantedFiles.attemptMax {
      do {
        let descriptor = try openForAppending(path, files)
        try descriptor.write(data)
        return
      } catch let error as SystemError where error.code == EEXIST {
        continue  // Another process has made the file meanwhile.
      } catch let error as SystemError {
        throw FileFailure(error, path.text)
      }
    }
    throw FileFailure.unstable(path.text)
  }

  private static func openForAppending(
    _ path: GivenPath, _ files: GrantedFiles
  ) throws -> Descriptor {
    do {
      let file = try files.open(path, for: .write)
      try file.requireFile()
      return try file.reopened(O_WRONLY | O_APPEND)
    } catch FileFailure.notFound {
      let entry = try files.openDirectory(of: path, for: .write)
      guard try entry.status() == nil else { throw FileFailure.notFound(path.text) }
      return try Descriptor(
        opening: entry.name, in: entry.directory, O_WRONLY | O_APPEND | O_CREAT | O_EXCL,
        mode: 0o666)
    }
  }
}

extension DirectoryEntry {
  /// Writes a new file beside the old one, and renames it when all of it is on the disk.
  fileprivate borrowing func replace(with data: [UInt8], permissions: mode_t?) throws {
    ClearedDirectories.clear(directory)
    let draft = PathBytes(DraftName.random())
    do {
      try write(data, as: draft, permissions)
      awaitWriters(of: draft)
      try Task.checkCancellation()
      try directory.rename(draft, to: name, in: directory)
    } catch {
      try? directory.unlink(draft)
      throw error
    }
    // The new name should be on the disk, too. Not all file systems support that.
    if let directory = try? directory.reopened(O_RDONLY | O_DIRECTORY) {
      try? directory.synchronize()
    }
  }

  /// Writes a new file and closes it; closing it under its new name would be another change.
  private borrowing func write(
    _ data: [UInt8], as draft: PathBytes, _ permissions: mode_t?
  ) throws(SystemError) {
    let file = try Descriptor(
      opening: draft, in: directory, O_WRONLY | O_CREAT | O_EXCL, mode: 0o666)
    if let permissions, fchmod(file.number, permissions) != 0 { throw .latest }
    try file.write(data)
    try file.synchronize()
  }

  /// Waits, within a limit, until no process has a file open for writing.
  ///
  /// A program that another thread starts inherits the descriptor, and closes it only at its
  /// execve(2). Watchers would see that as another change of the file, under its new name. The
  /// system grants a lease for reading once nothing is open for writing. If it grants no leases,
  /// this does nothing.
  private borrowing func awaitWriters(of draft: PathBytes) {
    guard let file = try? Descriptor(opening: draft, in: directory, O_RDONLY) else { return }
    for _ in 0..<FileWriting.waitCountMax {
      guard fcntl(file.number, Descriptor.setLease, F_RDLCK) != 0, errno == EAGAIN else { return }
      usleep(FileWriting.waitMicroseconds)
    }
  }
}

/// The directories in which files were replaced: each is cleared once of what killed processes have
/// left.
private enum ClearedDirectories {
  private static let countMax = 1_000
  private static let cleared = Mutex<Set<FileIdentity>>([])

  static func clear(_ directory: borrowing Descriptor) {
    guard let identity = try? directory.status().identity else { return }
    let isNew = cleared.withLock { cleared in
      if cleared.count >= countMax { cleared = [] }
      return cleared.insert(identity).inserted
    }
    if isNew { DraftName.clear(in: directory.number) }
  }
}
