public import Moonwire

extension Service {
  /// Files and directories, as `moon.files`.
  ///
  /// What a module may reach is decided by the scopes `read:` and `write:`, for what a path really
  /// leads to.
  public static let files = Service(
    "files", "Reads, writes and watches files in the directories that are granted.",
    functions: FileReading.functions + FileWriting.functions + DirectoryChanges.functions
      + [FileWatching.function])
}
