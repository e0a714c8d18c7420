import ArgumentParser
import MoonPrompt
import Moonwire

/// The option that names the directory for what modules keep.
struct DataOption: ParsableArguments {
  @Option(
    name: .customLong("data"),
    help: ArgumentHelp(
      """
      The directory for what modules keep between runs. By default one for each script directory, \
      in moonwire below XDG_DATA_HOME (~/.local/share).
      """, valueName: "directory"),
    completion: .directory)
  var named: String?

  func validate() throws {
    if named == "" { throw ValidationError("--data: the name of the directory is empty") }
  }

  /// Returns the directory for a script directory; nil if the person has no home.
  func directory(for scripts: String) -> String? {
    named ?? Self.standard(for: scripts, ProcessEnvironment.variables)
  }

  /// Returns the default directory, whose name has the last part of the script directory's path and
  /// a hash of the whole.
  static func standard(for scripts: String, _ environment: [String: String]) -> String? {
    let root = ScriptDirectory(root: scripts).root
    let name = root.split(separator: "/").last.map(String.init) ?? "root"
    let hash = String(Text(root).stableHash, radix: 16)
    let data = environment["XDG_DATA_HOME"].flatMap { $0.hasPrefix("/") ? $0 : nil }
    let home = environment["HOME"].flatMap { $0.hasPrefix("/") ? "\($0)/.local/share" : nil }
    return (data ?? home).map { "\($0)/moonwire/\(name)-\(hash)" }
  }
}
