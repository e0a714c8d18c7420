import Glibc
import Moonwire

/// A path that a script passed: absolute, in the script directory, or below `~/`.
struct GivenPath {
  /// The path as it was passed.
  let text: String
  /// The names from the root of the file system, without `.` and `..`.
  let names: [String]

  /// - Throws: ``FileFailure/badPath(_:_:)``; the disk is not accessed.
  init(_ text: String, _ surroundings: ServiceSurroundings) throws(FileFailure) {
    self.text = text
    guard !text.isEmpty else { throw .badPath(text, .empty) }
    // The system takes no longer ones, and each check below takes time for each of the names.
    guard text.utf8.count <= Int(PATH_MAX) else {
      throw .badPath(String(text.prefix(40)) + "…", .tooLong)
    }
    guard !text.utf8.contains(0) else { throw .badPath(text, .nulByte) }
    let given = Self.names(of: text)
    guard !given.contains("..") else { throw .badPath(text, .parent) }
    if text.utf8.first == UInt8(ascii: "/") {
      names = given
    } else if given.first == "~" {
      guard let home = getenv("HOME") else { throw .badPath(text, .noHome) }
      names = Self.names(of: String(cString: home)) + given.dropFirst()
    } else {
      guard let scripts = surroundings.scriptDirectory else {
        throw .badPath(text, .noScriptDirectory)
      }
      names = Self.names(of: scripts) + given
    }
  }

  private init(_ names: [String], like other: GivenPath) {
    (text, self.names) = (other.text, names)
  }

  /// Returns the names in a path except `.`.
  static func names(of text: String) -> [String] {
    text.utf8.split(separator: UInt8(ascii: "/")).map { String(decoding: $0, as: UTF8.self) }
      .filter { $0 != "." }
  }

  var absolute: String { Self.path(names) }

  static func path(_ names: some Sequence<String>) -> String { "/" + names.joined(separator: "/") }

  /// Returns the path of the first names.
  func prefix(_ count: Int) -> GivenPath { GivenPath(Array(names.prefix(count)), like: self) }

  /// Returns the path of the directory, and the name in it.
  ///
  /// - Throws: ``FileFailure/badPath(_:_:)`` for the root of the file system.
  func split() throws(FileFailure) -> (directory: GivenPath, name: String) {
    guard let name = names.last else { throw .badPath(text, .noName) }
    return (prefix(names.count - 1), name)
  }
}
