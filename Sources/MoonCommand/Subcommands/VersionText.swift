import MoonServices
import Moonwire

/// The output of `--version`, one fact a line: everything that a bug report should name.
enum VersionText {
  static var current: String {
    let build = BuildID.current.map { ["build \($0)"] } ?? []
    let libraries = SystemLibrary.all.map { "\($0.name) \($0.version)" }
    return (["moonwire \(Version.current)"] + build + libraries).joined(separator: "\n")
  }
}
