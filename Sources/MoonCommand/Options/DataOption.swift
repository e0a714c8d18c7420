import ArgumentParser
import Glibc
import MoonFiles
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

  /// Gives the default directory of an earlier version its present name, if it is there.
  func renameFormer(for scripts: String) {
    let environment = ProcessEnvironment.variables
    guard named == nil, let place = Self.standard(for: scripts, environment),
      let former = Self.standard(
        for: scripts, environment, mark: { String(Text($0).stableHash, radix: 16) }),
      access(place, F_OK) != 0
    else { return }
    // Without a former one it fails, and nothing is lost if it can't be renamed.
    _ = rename(former, place)
  }

  /// Returns the default directory, whose name has the last part of the script directory's path and
  /// a mark of the whole.
  static func standard(
    for scripts: String, _ environment: [String: String],
    mark: (String) -> String = ContentHash.mark
  ) -> String? {
    let root = ScriptDirectory(root: scripts).root
    let name = root.split(separator: "/").last.map(String.init) ?? "root"
    let hash = mark(root)
    let data = environment["XDG_DATA_HOME"].flatMap { $0.hasPrefix("/") ? $0 : nil }
    let home = environment["HOME"].flatMap { $0.hasPrefix("/") ? "\($0)/.local/share" : nil }
    return (data ?? home).map { "\($0)/moonwire/\(name)-\(hash)" }
  }
}
