import FoundationEssentials
import Glibc
import Moonwire

/// A folder for work, removed with all that is in it.
final class WorkFolder: Sendable {
  let path: String

  /// Makes a folder where programs put their temporary files.
  ///
  /// - Throws: ``PackagesError``
  convenience init(_ environment: [String: String]) throws(PackagesError) {
    try self.init(in: environment["TMPDIR"] ?? "/tmp")
  }

  /// Makes a folder that only this person can enter, hidden from hosts and watchers.
  ///
  /// What killed processes have left there is removed.
  ///
  /// - Throws: ``PackagesError``
  init(in directory: String) throws(PackagesError) {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: directory)) ?? []
    for name in names where DraftName.isLeft(name) {
      try? FileManager.default.removeItem(atPath: "\(directory)/\(name)")
    }
    path = "\(directory)/\(DraftName.random())"
    guard mkdir(path, 0o700) == 0 else { throw .files(NewFilesError(path, .latest)) }
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }
}
