import ArgumentParser

/// The directory argument of a subcommand.
struct DirectoryArgument: ParsableArguments {
  @Argument(help: "The directory with the modules.", completion: .directory)
  var directory: String

  func validate() throws {
    if directory.isEmpty {
      throw ValidationError("the name of the directory is empty: . is the current directory")
    }
  }
}
