extension ScriptDirectory {
  /// The scripts below the root at one moment, and the problems found while listing them.
  package struct Listing: Hashable, Sendable {
    /// The files that can be read, sorted by the bytes of their paths.
    package let entries: [Entry]
    /// The files and directories that can't be used, sorted in the same way.
    package let problems: [Problem]
    /// Plain files that were left out but whose names look like a script's, sorted in the same way.
    ///
    /// There are at most ``ScriptDirectory/fileCountMax``.
    package let lookalikes: [Lookalike]
  }

  /// A file, as the file system describes it.
  package struct Entry: Hashable, Sendable {
    /// The path from the root, components separated by slashes.
    package let path: String
    /// The size in bytes.
    package let size: Int
    /// The time of the last change in nanoseconds since 1970, with the file system's precision.
    ///
    /// Times before 1678 or after 2261 are clamped to 64 bits.
    package let modificationTime: Int64
    /// The file's number in its file system; a save by renaming changes it.
    package let inode: UInt64
  }

  /// A plain file that isn't a script because of its name, but that its author may take for one.
  package struct Lookalike: Hashable, Sendable {
    /// The reason that the name isn't a script's.
    package enum Reason: Hashable, Sendable {
      /// The name begins with a dot.
      case hidden
      /// The name doesn't end with `.lua` in lower case.
      case ending
    }

    /// The path from the root.
    package let path: String
    /// The reason that it isn't a script.
    package let reason: Reason
  }

  /// A file or directory below the root that could not be listed.
  package struct Problem: Hashable, Sendable {
    /// The path from the root; bytes that are not UTF-8 are replaced.
    package let path: String
    /// The reason that it isn't an entry.
    package let reason: Reason
  }
}

extension ScriptDirectory.Problem {
  /// The reason that something isn't in the listing.
  package enum Reason: Hashable, Sendable {
    /// The file has more bytes than a script may have; see <doc:Limits>.
    case tooLarge(size: Int, limit: Int)
    /// The file or directory can't be read.
    case unreadable(SystemError)
    /// The symbolic link's `target` doesn't exist.
    case danglingLink(target: String)
    /// The symbolic link leads to `target`, which is outside the root and
    /// the directories that links may lead into.
    case leavesRoot(target: String)
    /// The symbolic link leads to a directory that contains it.
    case linkLoop(target: String)
    /// The name ends with `.lua`, but the file is a FIFO, a socket or a device.
    case notRegularFile
    /// The name isn't UTF-8, so no script could name the file.
    case nameNotUTF8
    /// The directory is deeper than a directory of scripts may be, and was not read.
    case tooDeep(limit: Int)
    /// This file and all after it were omitted.
    case tooManyFiles(limit: Int)
    /// This directory and all after it were omitted.
    case tooManyDirectories(limit: Int)
    /// This file and all after it in the same folder of the root were omitted.
    case tooManyFilesInFolder(limit: Int)
    /// This directory and all after it in the same folder of the root were omitted.
    case tooManyDirectoriesInFolder(limit: Int)
  }
}

extension ScriptDirectory.Problem.Reason: CustomStringConvertible {
  /// The reason in a few words.
  package var description: String {
    switch self {
    case .tooLarge(let size, let limit): "it has \(size) bytes, \(limit) are allowed"
    case .unreadable(let cause): "\(cause)"
    case .danglingLink(let target):
      "it is a symbolic link to \(target), and there is nothing there"
    case .leavesRoot(let target): "it leads out of the script directory, to \(target)"
    case .linkLoop(let target): "it leads back to \(target)"
    case .notRegularFile: "it isn't a regular file"
    case .nameNotUTF8: "its name isn't UTF-8"
    case .tooDeep(let limit): "it lies deeper than \(limit) directories"
    case .tooManyFiles(let limit): "there are more than \(limit) files: the rest is left out"
    case .tooManyDirectories(let limit):
      "there are more than \(limit) directories: the rest is left out"
    case .tooManyFilesInFolder(let limit):
      "a folder has more than \(limit) files: the rest is left out, for the sake of other folders"
    case .tooManyDirectoriesInFolder(let limit):
      "a folder has more than \(limit) directories: the rest is left out, for the sake of others"
    }
  }
}

extension ScriptDirectory.Problem: CustomStringConvertible {
  /// One sentence with the path and the reason.
  package var description: String { "\(path) can't be used: \(reason)" }
}
