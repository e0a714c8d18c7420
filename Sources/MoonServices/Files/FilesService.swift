public import Moonwire

extension Service {
  /// Files and directories, as `moon.files`.
  ///
  /// The scopes `read:` and `write:` decide what a module may reach; they apply to what a path
  /// really leads to.
  public static let files = Service(
    "files", "Reads, writes and watches files in the directories that are granted.",
    functions: FileReading.functions + FileWriting.functions + DirectoryChanges.functions
      + [FileWatching.function])
}
