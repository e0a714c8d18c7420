import Glibc
import MoonFiles
import Moonwire

/// The files that one call may reach.
///
/// A file is first opened as a place, which has no effect on it. Then the grant is checked for the
/// path of the descriptor, and everything after that uses the descriptor. So a link that is made
/// after the check leads nowhere.
struct GrantedFiles {
  /// The maximum number of attempts to open something that is being replaced.
  static let attemptMax = 16

  let call: ServiceCall

  init(_ call: ServiceCall) { self.call = call }

  func path(_ text: String) throws(FileFailure) -> GivenPath {
    try GivenPath(text, call.surroundings)
  }

  /// Opens what a path leads to, of any kind, and checks that the module may use it.
  ///
  /// Without a grant, the error is the same whether the file exists or not.
  ///
  /// - Throws: ``FileFailure`` or ``GrantRefusal``.
  func open(_ path: GivenPath, for access: ServiceCall.FileAccess) throws -> OpenFile {
    for _ in 0..<Self.attemptMax {
      let descriptor: Descriptor
      do {
        descriptor = try Descriptor(opening: path.absolute, Descriptor.placeOnly)
      } catch {
        try require(access, assumedPlace(of: path), for: path)
        throw FileFailure(error, path.text)
      }
      let status = try descriptor.status()
      // The system appends a word to the path of a removed file.
      if status.linkCount == 0 { continue }
      guard let place = try descriptor.place() else {
        throw FileFailure.system(path.text, SystemError(code: EILSEQ))
      }
      try require(access, place, for: path)
      return OpenFile(descriptor, place, status, path)
    }
    throw FileFailure.unstable(path.text)
  }

  /// Opens the directory of a path's last name, and checks that the module may use the path.
  ///
  /// The name needn't exist. A symbolic link at the name isn't followed.
  ///
  /// - Throws: ``FileFailure`` or ``GrantRefusal``.
  func openDirectory(
    of path: GivenPath, for access: ServiceCall.FileAccess
  ) throws -> DirectoryEntry {
    let (directory, name) = try path.split()
    let descriptor: Descriptor
    do {
      descriptor = try Descriptor(opening: directory.absolute, Descriptor.placeOnly | O_DIRECTORY)
    } catch {
      try require(access, assumedPlace(of: path), for: path)
      throw error.code == ENOENT ? .noDirectory(path.text) : FileFailure(error, path.text)
    }
    guard let place = try descriptor.place() else {
      throw FileFailure.system(path.text, SystemError(code: EILSEQ))
    }
    try require(access, place == "/" ? place + name : place + "/" + name, for: path)
    return DirectoryEntry(descriptor, place, PathBytes(name), path)
  }

  /// The maximum number of links followed in one path, as in Linux.
  private static let linkCountMax = 40

  /// Returns where something would be that is missing or can't be opened.
  ///
  /// Links that lead nowhere are followed as well, so a module can't learn whether a file outside
  /// its grants exists.
  func assumedPlace(of path: GivenPath) -> String {
    var place: [String] = []
    var rest = Array(path.names.reversed())
    var linkCount = 0
    while let name = rest.popLast() {
      guard name != ".." else {
        _ = place.popLast()
        continue
      }
      place.append(name)
      guard linkCount < Self.linkCountMax,
        let link = try? PathBytes(readingLink: PathBytes(GivenPath.path(place))),
        let target = link.validText
      else { continue }
      linkCount += 1
      if target.hasPrefix("/") { place = [] } else { place.removeLast() }
      rest += GivenPath.names(of: target).reversed()
    }
    return GivenPath.path(place)
  }

  /// Checks that the module may use a place that a path leads to.
  func require(
    _ access: ServiceCall.FileAccess, _ place: String, for path: GivenPath
  ) throws {
    do throws(GrantRefusal) {
      try call.require(access, path: place)
    } catch {
      if case .denied = error {
      } else if isGrantedAbove(path, access) {
        throw FileFailure.leavesGrant(path.text, access)
      }
      // The place isn't named: modules must not learn where links outside the grants lead.
      throw error.about(Scope(access, path: path.absolute))
    }
    if Self.isEnvironment(place) { try call.require(.variable("*")) }
  }

  /// Whether a place has the variables of a process.
  private static func isEnvironment(_ place: String) -> Bool {
    place.hasPrefix("/proc/") && place.hasSuffix("/environ")
  }

  /// Checks that nothing is denied at a place that a path leads to, or below it.
  ///
  /// This is for what is moved or removed as a whole.
  func requireNothingDenied(
    _ access: ServiceCall.FileAccess, atOrBelow place: String, for path: GivenPath
  ) throws {
    do throws(GrantRefusal) {
      try call.requireNotDenied([Scope(access, path: place)])
    } catch {
      throw error.about(Scope(access, path: path.absolute))
    }
  }

  /// Returns whether the path itself is in a granted directory, so a link must have led out of it.
  private func isGrantedAbove(_ path: GivenPath, _ access: ServiceCall.FileAccess) -> Bool {
    (0..<path.names.count).contains { count in
      let above = path.prefix(count)
      guard
        let descriptor = try? Descriptor(
          opening: above.absolute, Descriptor.placeOnly | O_DIRECTORY),
        let place = try? descriptor.place()
      else { return false }
      return (try? call.require(access, path: place)) != nil
    }
  }
}

/// A file or directory that the module may use.
struct OpenFile: ~Copyable {
  /// Stands for the place only, see ``Descriptor/placeOnly``.
  let descriptor: Descriptor
  /// The absolute path without symbolic links.
  let place: String
  let status: FileStatus
  let path: GivenPath

  init(
    _ descriptor: consuming Descriptor, _ place: String, _ status: FileStatus, _ path: GivenPath
  ) {
    self.descriptor = descriptor
    self.place = place
    self.status = status
    self.path = path
  }

  /// Throws unless it is a regular file.
  func requireFile() throws(FileFailure) {
    switch status.kind {
    case .regular: return
    case .directory: throw .isDirectory(path.text)
    case .special, .symbolicLink: throw .special(path.text)
    }
  }

  /// Opens the directory that it is in; nil if it has been moved meanwhile.
  func entry() throws -> DirectoryEntry? {
    let names = GivenPath.names(of: place)
    guard let name = names.last else { throw FileFailure.badPath(path.text, .noName) }
    let directory = GivenPath.path(names.dropLast())
    let opened: Descriptor
    do {
      opened = try Descriptor(
        opening: directory, Descriptor.placeOnly | O_DIRECTORY | O_NOFOLLOW)
    } catch {
      throw FileFailure(error, path.text)
    }
    guard try opened.place() == directory else { return nil }
    return DirectoryEntry(opened, directory, PathBytes(name), path)
  }

  /// Opens the file for use.
  func reopened(_ flags: Int32) throws(FileFailure) -> Descriptor {
    do {
      return try descriptor.reopened(flags | O_NONBLOCK)
    } catch {
      throw FileFailure(error, path.text)
    }
  }
}

/// A name in a directory that the module may use, whether or not it exists.
struct DirectoryEntry: ~Copyable {
  /// The directory; stands for the place only.
  let directory: Descriptor
  /// The absolute path of the directory without symbolic links.
  let directoryPlace: String
  let name: PathBytes
  let path: GivenPath

  init(
    _ directory: consuming Descriptor, _ directoryPlace: String, _ name: PathBytes,
    _ path: GivenPath
  ) {
    self.directory = directory
    self.directoryPlace = directoryPlace
    self.name = name
    self.path = path
  }

  /// The absolute path of the name; only the name itself may be a symbolic link.
  var place: String {
    get throws(FileFailure) {
      guard let name = name.validText else { throw .system(path.text, SystemError(code: EILSEQ)) }
      return directoryPlace == "/" ? "/" + name : directoryPlace + "/" + name
    }
  }

  /// Returns the status of the entry, which may be a symbolic link; nil if there is none.
  func status() throws(FileFailure) -> FileStatus? {
    do {
      return try FileStatus(of: name, in: directory.number)
    } catch {
      guard error.code != ENOENT else { return nil }
      throw FileFailure(error, path.text)
    }
  }
}

extension GrantRefusal {
  /// Returns the same refusal for another scope.
  fileprivate func about(_ scope: Scope) -> GrantRefusal {
    switch self {
    case .notNeeded(_, let module): .notNeeded(scope, module)
    case .notGranted(_, let module): .notGranted(scope, module)
    case .denied(_, let module, let rule): .denied(scope, module, by: rule)
    }
  }
}
