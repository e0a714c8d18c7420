package import MoonServiceKit
import MoonSession
import MoonValues

/// A request about a slice that is put aside.
///
/// If there are several of the version, it applies to the most recent.
package enum SliceRequest: Sendable, Equatable {
  /// Replaces the module's current slice, which is put aside in turn.
  ///
  /// A slice of an older version goes through the module's `migrate`, and also stays put aside.
  case restore(ModuleName, version: Int64)
  /// Deletes the slice.
  case drop(ModuleName, version: Int64)

  /// The module that the slice belongs to.
  package var module: ModuleName {
    switch self {
    case .restore(let module, _), .drop(let module, _): module
    }
  }

  /// Carries out the request.
  ///
  /// - Throws: ``SliceError``; nothing has changed then.
  func carryOut(in session: Session) throws(SliceError) {
    switch self {
    case .restore(let module, let version): try restore(module, version, in: session)
    case .drop(let module, let version): try session.slices.drop(module, version: version)
    }
  }

  private func restore(
    _ name: ModuleName, _ version: Int64, in session: Session
  ) throws(SliceError) {
    guard let entry = session.modules[name] else { throw .notRunning(name) }
    let before = session.state
    try MigrationCalls(session: session).restore(entry, version: version)
    session.notify(changedSince: before)
    ScreenRemaking.remake(in: session, of: [name])
  }
}
