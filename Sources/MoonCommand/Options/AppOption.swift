import ArgumentParser

/// The option that names the directory of an app.
struct AppOption: ParsableArguments {
  @Option(
    name: .customLong("at"),
    help: ArgumentHelp("The directory of the app.", valueName: "directory"),
    completion: .directory)
  var directory = "."

  func validate() throws {
    if directory.isEmpty {
      throw ValidationError("--at: the name of the directory is empty: . is the current one")
    }
  }
}

/// Words of a shell.
enum Shell {
  /// Returns a word as it is typed: in quotes, if it has other characters than those of most paths.
  static func word(_ text: String) -> String {
    let isPlain = text.utf8.allSatisfy { byte in
      UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte || UInt8(ascii: "a")...UInt8(ascii: "z") ~= byte
        || UInt8(ascii: "A")...UInt8(ascii: "Z") ~= byte || "._/-+:@".utf8.contains(byte)
    }
    return isPlain && !text.isEmpty ? text : "'" + text.replacing("'", with: #"'\''"#) + "'"
  }
}
