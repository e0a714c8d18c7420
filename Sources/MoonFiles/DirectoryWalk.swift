import Glibc

/// One pass over the root or a directory below it.
struct DirectoryWalk {
  /// A step of the walk, with its path.
  enum Step {
    /// Reading the names in a directory.
    case entering(String)
    /// Following a symbolic link.
    case following(String)
  }

  enum Choice {
    case go
    /// The walk treats it as missing.
    case passOver
    case endWalk
  }

  /// A symbolic link found by the walk.
  struct Link {
    let path: String
    /// Whether it is in the listing, as an entry or a problem, or points to a directory or to
    /// nothing.
    ///
    /// In the last case it may have pointed to a directory a moment ago.
    let counts: Bool
  }

  /// The files found, in no particular order.
  private(set) var files: [(entry: ScriptDirectory.Entry, stamp: FileStamp)] = []
  /// The directories entered, including the one where the walk began.
  private(set) var directories: [(path: String, stamp: FileStamp)] = []
  /// All symbolic links, including those whose targets don't matter now but may later.
  private(set) var links: [Link] = []
  private(set) var problems: [ScriptDirectory.Problem] = []

  /// Plain files whose names look like a script's but aren't.
  private(set) var lookalikes: [ScriptDirectory.Lookalike] = []

  private let confines: AllowedDirectories
  private var root: PathBytes { confines.root }
  private var isEnded = false
  /// What the folder of the root that is being read may have.
  private var room = Room()
  /// The directories from the root to the one being read.
  ///
  /// A link that points back to one of them would be a loop.
  private var trail: [FileIdentity] = []

  init(_ confines: AllowedDirectories) {
    self.confines = confines
  }

  /// Walks the root if `start` is empty, or else the directory, file or symbolic link at that
  /// relative path.
  ///
  /// - Parameters:
  ///   - start: A normalized path.
  ///   - announcing: Called before each step. The walk or a watch set here finds every change made
  ///     meanwhile.
  /// - Returns: Why the root or a directory above `start` could not be read; nil if they were read.
  mutating func run(from start: String, announcing: (Step) -> Choice) -> SystemError? {
    do {
      guard !start.isEmpty else {
        return visit("", try FileStatus(following: root), announcing)
      }
      var ancestor = ""
      for name in start.utf8.split(separator: UInt8(ascii: "/")) {
        trail.append(try FileStatus(following: root.appending(ancestor)).identity)
        ancestor = ScriptName.join(ancestor, String(decoding: name, as: UTF8.self))
      }
      meet(start, announcing)
      return nil
    } catch {
      return error
    }
  }

  /// The files and problems, sorted.
  var listing: ScriptDirectory.Listing {
    ScriptDirectory.Listing(
      entries: files.map(\.entry).sorted { ScriptName.precedes($0.path, $1.path) },
      problems: problems.sorted { ScriptName.precedes($0.path, $1.path) },
      lookalikes: lookalikes.sorted { ScriptName.precedes($0.path, $1.path) })
  }

  private mutating func visit(
    _ directory: String, _ status: FileStatus, _ announcing: (Step) -> Choice
  ) -> SystemError? {
    switch announcing(.entering(directory)) {
    case .go: break
    case .passOver: return SystemError(code: ENOENT)
    case .endWalk:
      isEnded = true
      return nil
    }
    let names: [(name: String, isUTF8: Bool, type: Int32)]
    do {
      names = try Self.names(in: root.appending(directory))
    } catch {
      return error
    }
    directories.append((directory, FileStamp(status)))
    trail.append(status.identity)
    defer { trail.removeLast() }
    for (name, isUTF8, type) in names where !isEnded {
      if directory.isEmpty { room = nextRoom }
      guard !room.isUsedUp else { break }
      let path = ScriptName.join(directory, name)
      if type == DT_REG, let reason = ScriptName.lookalikeReason(name) {
        guard lookalikes.count < ScriptDirectory.fileCountMax else { continue }
        lookalikes.append(ScriptDirectory.Lookalike(path: path, reason: reason))
      } else if !isUTF8 {
        report(path, .nameNotUTF8)
      } else if type != DT_REG || ScriptName.isLua(name) {
        meet(path, announcing)
      }
    }
    return nil
  }

  private mutating func meet(_ path: String, _ announcing: (Step) -> Choice) {
    let location = root.appending(path)
    do {
      let status = try FileStatus(at: location)
      guard status.kind == .symbolicLink else { return meet(path, status, announcing) }
      follow(path, announcing)
    } catch {
      // The file was removed after its name was read, which isn't a problem.
      if !error.meansAbsent { report(path, .unreadable(error)) }
    }
  }

  private mutating func follow(_ path: String, _ announcing: (Step) -> Choice) {
    if case .endWalk = announcing(.following(path)) {
      isEnded = true
      return
    }
    do {
      let target = try PathBytes(resolving: root.appending(path))
      let status = try FileStatus(following: target)
      let counts = status.kind == .directory || ScriptName.isLua(path)
      links.append(Link(path: path, counts: counts))
      guard counts else { return }
      if !confines.contains(target) {
        report(path, .leavesRoot(target: target.text))
      } else if status.kind == .directory, trail.contains(status.identity) {
        report(path, .linkLoop(target: target.text))
      } else {
        meet(path, status, announcing)
      }
    } catch {
      links.append(Link(path: path, counts: true))
      guard ScriptName.isLua(path) else { return }
      let target = try? PathBytes(readingLink: root.appending(path))
      report(
        path,
        target.flatMap { error.meansAbsent ? .danglingLink(target: $0.text) : nil }
          ?? .unreadable(error))
    }
  }

  private mutating func meet(
    _ path: String, _ status: FileStatus, _ announcing: (Step) -> Choice
  ) {
    if status.kind == .directory {
      if ScriptName.depth(path) > ScriptDirectory.depthMax {
        report(path, .tooDeep(limit: ScriptDirectory.depthMax))
      } else if directories.count >= ScriptDirectory.directoryCountMax {
        report(path, .tooManyDirectories(limit: ScriptDirectory.directoryCountMax))
        isEnded = true
      } else if directories.count >= room.directoryEnd {
        report(
          path, .tooManyDirectoriesInFolder(limit: room.directoryEnd - room.directoryStart))
        room.isUsedUp = true
      } else if let error = visit(path, status, announcing), !error.meansAbsent {
        report(path, .unreadable(error))
      }
    } else if ScriptName.isLua(path), path != ScriptDirectory.annotationsPath {
      visitScript(path, status)
    }
  }

  private mutating func visitScript(_ path: String, _ status: FileStatus) {
    let limit = ScriptDirectory.fileSizeMax
    if status.kind != .regular {
      report(path, .notRegularFile)
    } else if status.size > limit {
      report(path, .tooLarge(size: status.size, limit: limit))
    } else if faccessat(AT_FDCWD, root.appending(path).characters, R_OK, AT_EACCESS) != 0 {
      report(path, .unreadable(.latest))
    } else if hasRoom(before: path) {
      let entry = ScriptDirectory.Entry(
        path: path, size: status.size, modificationTime: status.modificationTime,
        inode: status.identity.inode)
      files.append((entry, FileStamp(status)))
    }
  }

  private mutating func report(_ path: String, _ reason: ScriptDirectory.Problem.Reason) {
    guard hasRoom(before: path) else { return }
    problems.append(ScriptDirectory.Problem(path: path, reason: reason))
  }

  private mutating func hasRoom(before path: String) -> Bool {
    guard !isEnded, !room.isUsedUp else { return false }
    let count = files.count + problems.count
    guard count >= room.fileEnd else { return true }
    isEnded = count >= ScriptDirectory.fileCountMax
    room.isUsedUp = true
    problems.append(
      ScriptDirectory.Problem(
        path: path,
        reason: isEnded
          ? .tooManyFiles(limit: ScriptDirectory.fileCountMax)
          : .tooManyFilesInFolder(limit: room.fileEnd - room.fileStart)))
    return false
  }
}

/// The shares of the folders of the root.
///
/// Each gets half of what is left, so that one in which something fills up, such as the data of a
/// module, doesn't hide the modules in others.
extension DirectoryWalk {
  /// What may be found below an entry of the root, as counts of the whole walk.
  private struct Room {
    var (fileStart, directoryStart) = (0, 0)
    var fileEnd = ScriptDirectory.fileCountMax
    var directoryEnd = ScriptDirectory.directoryCountMax
    /// Whether the rest of the folder is left out.
    var isUsedUp = false
  }

  private var nextRoom: Room {
    let (fileStart, directoryStart) = (files.count + problems.count, directories.count)
    return Room(
      fileStart: fileStart, directoryStart: directoryStart,
      fileEnd: fileStart + Self.share(of: ScriptDirectory.fileCountMax - fileStart),
      directoryEnd: directoryStart
        + Self.share(of: ScriptDirectory.directoryCountMax - directoryStart))
  }

  private static func share(of left: Int) -> Int { (max(left, 0) + 1) / 2 }
}

extension DirectoryWalk {
  /// Returns the names to visit in a directory, sorted, so that a walk that reaches a limit always
  /// omits the same files.
  private static func names(
    in directory: PathBytes
  ) throws(SystemError) -> [(name: String, isUTF8: Bool, type: Int32)] {
    guard let stream = opendir(directory.characters) else { throw .latest }
    defer { closedir(stream) }
    var names: [(name: String, isUTF8: Bool, type: Int32)] = []
    errno = 0
    while let record = readdir(stream) {
      if let name = name(of: record) { names.append(name) }
      errno = 0
    }
    guard errno == 0 else { throw .latest }
    return names.sorted { ScriptName.precedes($0.name, $1.name) }
  }

  /// Returns the name in a record; nil for a name to skip.
  ///
  /// Ignored names are skipped, and those of plain files that neither are scripts nor look like
  /// one.
  private static func name(
    of record: UnsafeMutablePointer<dirent>
  ) -> (name: String, isUTF8: Bool, type: Int32)? {
    guard let offset = MemoryLayout<dirent>.offset(of: \.d_name) else { return nil }
    // The record is only as long as its name, so it must not be copied as a whole `dirent`.
    let start = UnsafeRawPointer(record).advanced(by: offset)
    let bytes = UnsafeRawBufferPointer(
      start: start, count: strlen(start.assumingMemoryBound(to: CChar.self)))
    let type = Int32(record.pointee.d_type)
    let name = String(decoding: bytes, as: UTF8.self)
    let counts =
      type == DT_REG
      ? ScriptName.lookalikeReason(name) != nil
        || ScriptName.isLua(name) && !ScriptName.isIgnored(name)
      : !ScriptName.isIgnored(name)
    guard counts else { return nil }
    return (name, name.utf8.elementsEqual(bytes), type)
  }
}
