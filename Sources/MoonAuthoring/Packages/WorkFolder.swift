import FoundationEssentials
import Glibc
import Moonwire

/// A folder for work, removed with all that is in it.
final class WorkFolder: Sendable {
  let path: String

  /// Makes a folder for files that nobody else may see.
  ///
  /// - Throws: ``PackagesError``
  convenience init(_ environment: [String: String]) throws(PackagesError) {
    try self.init(named: "\(environment["TMPDIR"] ?? "/tmp")/\(DraftName.random())")
  }

  /// Makes a folder in the directory of an app, hidden from hosts and watchers.
  ///
  /// What killed processes have left there is removed.
  ///
  /// - Throws: ``PackagesError``
  convenience init(in directory: String) throws(PackagesError) {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: directory)) ?? []
    for name in names where DraftName.isLeft(name) {
      try? FileManager.default.removeItem(atPath: "\(directory)/\(name)")
    }
    try self.init(named: "\(directory)/\(DraftName.random())")
  }

  private init(named path: String) throws(PackagesError) {
    guard mkdir(path, 0o700) == 0 else { throw .files(NewFilesError(path, .latest)) }
    self.path = path
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }
}
