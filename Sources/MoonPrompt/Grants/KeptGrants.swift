import Glibc
import MoonTerminal
package import Moonwire
import Synchronization

/// The grants for a script directory that a person's file keeps, and what a host has of them.
package final class KeptGrants: Sendable {
  /// The file; nil if there is no place for it.
  let file: GrantsFile?
  private let directory: String
  private let known: Mutex<Known>

  /// What was read last.
  private struct Known {
    var grants: Grants
    var stamp: Stamp?
  }

  /// What tells one content of the file from another.
  private struct Stamp: Equatable {
    let seconds: Int
    let nanoseconds: Int
    let size: Int
    let number: UInt
  }

  /// The path of the file.
  package var path: String? { file?.path }

  /// Takes the grants in the file as those that a host has.
  package init(in file: GrantsFile?, for directory: String) {
    self.file = file
    self.directory = directory
    let stamp = Self.stamp(of: file)
    known = Mutex(Known(grants: (try? file?.grants(for: directory)) ?? Grants(), stamp: stamp))
  }

  /// Keeps a grant.
  ///
  /// - Throws: ``GrantsFileError``
  package func add(_ rule: Grants.Rule) throws(GrantsFileError) {
    try file?.add(rule, for: directory)
    try noteContents()
  }

  /// Removes a grant, if it is kept.
  ///
  /// - Throws: ``GrantsFileError``
  func remove(_ rule: Grants.Rule) throws(GrantsFileError) {
    try file?.remove(rule, for: directory)
    try noteContents()
  }

  private func noteContents() throws(GrantsFileError) {
    let grants = try file?.grants(for: directory) ?? Grants()
    let stamp = Self.stamp(of: file)
    known.withLock { $0 = Known(grants: grants, stamp: stamp) }
  }

  /// Gives a host what has changed in the file; returns whether anything has.
  ///
  /// - Throws: ``GrantsFileError``
  package func update(_ host: Host) async throws(GrantsFileError) -> Bool {
    let stamp = Self.stamp(of: file)
    guard let file, known.withLock({ $0.stamp != stamp }) else { return false }
    known.withLock { $0.stamp = stamp }
    let new = try file.grants(for: directory)
    let old = known.withLock { known in
      defer { known.grants = new }
      return known.grants
    }
    guard old.allowed != new.allowed || old.denied != new.denied else { return false }
    await host.perform { host in
      _ = host.changeGrants { grants in
        grants.allowed.removeAll { old.allowed.contains($0) && !new.allowed.contains($0) }
        grants.denied.removeAll { old.denied.contains($0) && !new.denied.contains($0) }
        grants.allowed += new.allowed.filter { !grants.allowed.contains($0) }
        grants.denied += new.denied.filter { !grants.denied.contains($0) }
      }
    }
    return true
  }

  private static func stamp(of file: GrantsFile?) -> Stamp? {
    var status = stat()
    guard let file, stat(file.path, &status) == 0 else { return nil }
    return Stamp(
      seconds: status.st_mtim.tv_sec, nanoseconds: status.st_mtim.tv_nsec, size: status.st_size,
      number: status.st_ino)
  }
}
