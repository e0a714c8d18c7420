import ArgumentParser
import Glibc

/// The directory argument of a subcommand, and the directories that its symbolic links may enter.
struct DirectoryArgument: ParsableArguments {
  @Argument(help: "The directory with the modules.", completion: .directory)
  var directory: String

  @OptionGroup var links: LinkOptions

  /// The directories that symbolic links may enter.
  var linkedDirectories: [String] { links.directories }

  func validate() throws {
    if directory.isEmpty {
      throw ValidationError("the name of the directory is empty: . is the current directory")
    }
  }
}

/// The directories that symbolic links in a directory of modules may enter.
struct LinkOptions: ParsableArguments {
  @Option(
    name: .customLong("follow-links"), parsing: .singleValue,
    help: ArgumentHelp(
      """
      Another directory that symbolic links in the first may lead into. May be repeated. Other \
      links that leave the first are problems.
      """, valueName: "directory"),
    completion: .directory)
  var directories: [String] = []

  func validate() throws {
    for path in directories {
      var status = stat()
      guard stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFDIR else {
        throw ValidationError("--follow-links '\(path)': there is no such directory")
      }
    }
  }
}
