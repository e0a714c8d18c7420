import Glibc
import Moonwire

/// A change of several files of a directory: all of it, or nothing.
///
/// The new files are written beside the others first, where a full disk shows. They then take their
/// places one by one; each step that fails is the last, and those before it are taken back.
struct Replacement {
  private enum Step {
    /// A file has come to a path.
    case added(String, from: String)
    /// The file that was at a path is kept elsewhere.
    case keptAside(String, at: String)
    case madeFolder(String)
  }

  private let directory: String
  private let work: WorkFolder
  private var steps: [Step] = []

  /// Writes files, which take their places in this order, and removes those at the paths `gone`.
  ///
  /// - Throws: ``PackagesError``; nothing has changed then.
  static func make(
    _ files: [NewFile], removing gone: [String], in directory: String
  ) throws(PackagesError) {
    try requireInside(files.map(\.path) + gone, in: directory)
    var change = try Replacement(in: directory)
    do throws(NewFilesError) {
      try change.stage(files)
      for file in files { try change.place(file.path) }
      for path in gone { try change.keepAside("\(directory)/\(path)") }
    } catch {
      change.takeBack()
      throw .files(error)
    }
    for path in gone { change.removeEmptyFolders(above: path) }
  }

  /// Checks that no link of a folder leads out of the directory, to files that aren't the app's.
  static func requireInside(
    _ paths: some Sequence<String>, in directory: String
  ) throws(PackagesError) {
    let scripts = ScriptDirectory(root: directory)
    for path in paths.sorted() {
      if let target = scripts.exit(fromFolderOf: path) { throw .leavesApp(path, target: target) }
    }
  }

  private init(in directory: String) throws(PackagesError) {
    self.directory = directory
    work = try WorkFolder(in: directory)
  }

  private func stage(_ files: [NewFile]) throws(NewFilesError) {
    let folder = "\(work.path)/new"
    do throws(NewFilesError) {
      try NewFiles(files).write(into: folder)
    } catch {
      // Of the path, people know the end.
      throw NewFilesError(error.path.replacing(folder, with: directory), error.cause)
    }
  }

  private mutating func place(_ path: String) throws(NewFilesError) {
    if let slash = path.lastIndex(of: "/") { try makeFolder(String(path[..<slash])) }
    let (staged, target) = ("\(work.path)/new/\(path)", "\(directory)/\(path)")
    let aside = "\(work.path)/\(steps.count)"
    // With a second name for the file, a host never sees that it is missing.
    if link(target, aside) == 0 {
      steps.append(.keptAside(target, at: aside))
    } else {
      try keepAside(target)
    }
    guard rename(staged, target) == 0 else { throw NewFilesError(target, .latest) }
    steps.append(.added(target, from: staged))
  }

  /// Moves the file at a path away, if there is one.
  private mutating func keepAside(_ target: String) throws(NewFilesError) {
    let aside = "\(work.path)/\(steps.count)"
    if rename(target, aside) == 0 {
      steps.append(.keptAside(target, at: aside))
    } else if errno != ENOENT {
      throw NewFilesError(target, .latest)
    }
  }

  private mutating func makeFolder(_ path: String) throws(NewFilesError) {
    let target = "\(directory)/\(path)"
    if access(target, F_OK) == 0 { return }
    if let slash = path.lastIndex(of: "/") { try makeFolder(String(path[..<slash])) }
    guard mkdir(target, 0o777) == 0 else { throw NewFilesError(target, .latest) }
    steps.append(.madeFolder(target))
  }

  private func takeBack() {
    for step in steps.reversed() {
      switch step {
      case .added(let path, let staged): rename(path, staged)
      case .keptAside(let path, let aside): rename(aside, path)
      case .madeFolder(let path): rmdir(path)
      }
    }
  }

  private func removeEmptyFolders(above path: String) {
    var parts = path.split(separator: "/").dropLast()
    // A folder that has something else in it stays.
    while !parts.isEmpty, rmdir("\(directory)/\(parts.joined(separator: "/"))") == 0 {
      parts.removeLast()
    }
  }
}
