import Glibc
import MoonFiles
import Moonwire

/// The reason that a file can't be used.
///
/// The paths are those that the script passed.
enum FileFailure: ServiceFailure, Equatable {
  case badPath(String, PathProblem)
  case notFound(String)
  case noDirectory(String)
  case leavesGrant(String, ServiceCall.FileAccess)
  case notPermitted(String)
  case isDirectory(String)
  case notDirectory(String)
  case special(String)
  case tooLarge(String, max: Int)
  case tooManyEntries(String, max: Int)
  case tooDeep(String, max: Int)
  case notText(String)
  case exists(String)
  case notEmpty(String)
  case otherFileSystem(String, String)
  case diskFull(String)
  case unstable(String)
  case unwatchable(String, SystemError)
  case system(String, SystemError)

  /// Translates a system error about a path.
  init(_ error: SystemError, _ path: String) {
    self =
      switch error.code {
      case ENOENT: .notFound(path)
      case ENOTDIR: .notDirectory(path)
      case EACCES, EPERM, EROFS, ETXTBSY: .notPermitted(path)
      case EISDIR: .isDirectory(path)
      case EEXIST: .exists(path)
      case ENOTEMPTY: .notEmpty(path)
      case ENOSPC, EDQUOT, EFBIG: .diskFull(path)
      case ENXIO: .special(path)
      default: .system(path, error)
      }
  }

  /// A word for scripts to compare.
  var code: String {
    switch self {
    case .badPath: "bad_path"
    case .notFound, .noDirectory: "not_found"
    case .leavesGrant: "not_granted"
    case .notPermitted: "not_permitted"
    case .isDirectory: "is_directory"
    case .notDirectory: "not_directory"
    case .special: "not_a_file"
    case .tooLarge, .tooManyEntries, .tooDeep: "too_large"
    case .notText: "not_text"
    case .exists: "exists"
    case .notEmpty: "not_empty"
    case .otherFileSystem: "other_file_system"
    case .diskFull: "disk_full"
    case .unstable: "unstable"
    case .unwatchable, .system: "failed"
    }
  }

  /// One phrase.
  var description: String {
    switch self {
    case .badPath(let path, let problem): "the path '\(path)' \(problem)"
    case .notFound(let path): "there is no '\(path)'"
    case .noDirectory(let path):
      "the directory of '\(path)' doesn't exist: moon.files.make_directory makes it"
    case .leavesGrant(let path, let access):
      "a symbolic link in '\(path)' leads out of what the module may \(access.rawValue)"
    case .notPermitted(let path): "the system doesn't permit it for '\(path)'"
    case .isDirectory(let path): "'\(path)' is a directory"
    case .notDirectory(let path): "'\(path)', or a part of it, isn't a directory"
    case .special(let path): "'\(path)' is \(FileKind.special), not a file"
    case .tooLarge(let path, let max): "'\(path)' has more than \(max) bytes"
    case .tooManyEntries(let path, let max): "'\(path)' has more than \(max) entries"
    case .tooDeep(let path, let max):
      "there are more than \(max) nested directories in '\(path)'"
    case .notText(let path): "'\(path)' isn't UTF-8: as = \"bytes\" reads it as it is"
    case .exists(let path): "'\(path)' already exists"
    case .notEmpty(let path):
      "the directory '\(path)' isn't empty: recursive = true removes all of it"
    case .otherFileSystem(let source, let target):
      "'\(source)' and '\(target)' are on different file systems"
    case .diskFull(let path): "there is no space left for '\(path)'"
    case .unstable(let path): "'\(path)' keeps being replaced"
    case .unwatchable(let path, let cause):
      "'\(path)' can't be watched: "
        + (cause.inotifySetting.map { "the system allows no more than \($0)" } ?? "\(cause)")
    case .system(let path, let cause): "'\(path)': \(cause)"
    }
  }
}

/// The reason that a text can't be used as a path.
enum PathProblem: String, CustomStringConvertible {
  case empty = "is empty"
  case nulByte = "has a NUL byte in it"
  case parent = "has '..' in it: write where it leads"
  case noName = "is that of the file system as a whole"
  case noScriptDirectory =
    "is relative, and there is no script directory: write one that begins with /"
  case noHome = "is below the home directory, which isn't known"
  case tooLong = "has more than 4096 bytes"

  var description: String { rawValue }
}
