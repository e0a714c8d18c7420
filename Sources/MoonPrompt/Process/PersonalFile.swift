import Glibc
import Moonwire

/// What the files of a person have in common, which are about script directories and outside them.
package enum PersonalFile {
  /// Returns the path of a file according to the XDG base directories; nil for none.
  ///
  /// An environment variable names another file, or none if it is empty.
  package static func path(
    _ name: String, variable: String, in environment: [String: String]
  ) -> String? {
    if let named = environment[variable] { return named.isEmpty ? nil : named }
    let base = environment["XDG_CONFIG_HOME"].flatMap { $0.hasPrefix("/") ? $0 : nil }
    let home = environment["HOME"].flatMap { $0.hasPrefix("/") ? "\($0)/.config" : nil }
    return (base ?? home).map { "\($0)/moonwire/\(name)" }
  }

  /// Returns the keys whose paths lead to a directory.
  static func keys(for directory: String, in all: Map) -> [Key] {
    let directory = resolved(directory)
    return all.keys.filter { key in
      let path = "\(key)"
      return path.hasPrefix("/") && (path == directory || resolved(path) == directory)
    }
  }

  /// Returns rules that keep modules from writing a file, whatever they may write otherwise.
  static func denials(of path: String) -> [Grants.Rule] {
    let path = ScriptDirectory(root: path).root
    let parts = path.split(separator: "/", omittingEmptySubsequences: false)
    let folder = resolved(parts.dropLast().joined(separator: "/"))
    // A link at its place may be replaced, and what it leads to may be changed.
    let places = Set(["\(folder)/\(parts.last ?? "")", resolved(path)])
    return places.sorted().map { Grants.Rule(Scope(.write, path: $0)) }
  }

  /// Returns the path without symbolic links if it exists, and otherwise an absolute one.
  static func resolved(_ directory: String) -> String {
    let absolute = ScriptDirectory(root: directory).root
    guard let real = realpath(absolute, nil) else { return absolute }
    defer { free(real) }
    return String(cString: real)
  }
}
