import MoonServices
import Moonwire

/// What `--version` prints, one fact a line: all that a report of a fault should name.
enum VersionText {
  static var current: String {
    let build = BuildID.current.map { ["build \($0)"] } ?? []
    let libraries = SystemLibrary.all.map { "\($0.name) \($0.version)" }
    return (["moonwire \(Version.current)"] + build + libraries).joined(separator: "\n")
  }
}
