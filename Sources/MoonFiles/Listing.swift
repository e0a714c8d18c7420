extension ScriptDirectory {
  /// The scripts below the root at one moment, and the problems found while listing them.
  public struct Listing: Hashable, Sendable {
    /// The files that can be read, sorted by the bytes of their paths.
    public let entries: [Entry]
    /// The files and directories that can't be used, sorted in the same way.
    public let problems: [Problem]
    /// Plain files that were left out, and whose names look like a script's; sorted likewise, no
    /// more than ``ScriptDirectory/fileCountMax``.
    public let lookalikes: [Lookalike]
  }

  /// A file, as the file system describes it.
  public struct Entry: Hashable, Sendable {
    /// The path from the root, components separated by slashes.
    public let path: String
    /// The size in bytes.
    public let size: Int
    /// The time of the last change in nanoseconds since 1970, with the file system's precision.
    ///
    /// Times before 1678 or after 2261 are clamped to 64 bits.
    public let modificationTime: Int64
    /// The file's number in its file system; a save by renaming changes it.
    public let inode: UInt64
  }

  /// A plain file that is no script because of its name, though its author may think so.
  public struct Lookalike: Hashable, Sendable {
    /// What is wrong with the name.
    public enum Reason: Hashable, Sendable {
      /// It begins with a dot.
      case hidden
      /// It doesn't end with `.lua` in small letters.
      case ending
    }

    /// The path from the root.
    public let path: String
    /// Why it isn't a script.
    public let reason: Reason
  }

  /// A file or directory below the root that could not be listed.
  public struct Problem: Hashable, Sendable {
    /// The path from the root; bytes that are not UTF-8 are replaced.
    public let path: String
    /// Why it is not an entry.
    public let reason: Reason
  }
}

extension ScriptDirectory.Problem {
  /// Why something is not in the listing.
  public enum Reason: Hashable, Sendable {
    /// The file has more bytes than ``ScriptDirectory/fileSizeMax``.
    case tooLarge(size: Int, limit: Int)
    /// The file or directory can't be read.
    case unreadable(SystemError)
    /// Nothing is where the symbolic link points to; `target` is what the link says.
    case danglingLink(target: String)
    /// The symbolic link ends where it may not, at `target`: outside the root and
    /// ``ScriptDirectory/linkedDirectories``.
    case leavesRoot(target: String)
    /// The symbolic link leads to a directory that it lies in.
    case linkLoop(target: String)
    /// The name ends with `.lua` and belongs to a FIFO, a socket or a device.
    case notRegularFile
    /// The name is not UTF-8, so no script could name the file.
    case nameNotUTF8
    /// The directory is deeper than ``ScriptDirectory/depthMax`` and was not read.
    case tooDeep(limit: Int)
    /// This file and all after it were omitted.
    case tooManyFiles(limit: Int)
    /// This directory and all after it were omitted.
    case tooManyDirectories(limit: Int)
  }
}

extension ScriptDirectory.Problem.Reason: CustomStringConvertible {
  /// The reason in a few words.
  public var description: String {
    switch self {
    case .tooLarge(let size, let limit): "it has \(size) bytes, \(limit) are allowed"
    case .unreadable(let cause): "\(cause)"
    case .danglingLink(let target):
      "it is a symbolic link to \(target), and there is nothing there"
    case .leavesRoot(let target): "it leads out of the script directory, to \(target)"
    case .linkLoop(let target): "it leads back to \(target)"
    case .notRegularFile: "it is no regular file"
    case .nameNotUTF8: "its name isn't UTF-8"
    case .tooDeep(let limit): "it lies deeper than \(limit) directories"
    case .tooManyFiles(let limit): "there are more than \(limit) files: the rest is left out"
    case .tooManyDirectories(let limit):
      "there are more than \(limit) directories: the rest is left out"
    }
  }
}

extension ScriptDirectory.Problem: CustomStringConvertible {
  /// One sentence with the path and the reason.
  public var description: String { "\(path) can't be used: \(reason)" }
}
