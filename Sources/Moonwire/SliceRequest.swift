public import MoonSession
import MoonValues

/// What somebody wants done with a slice that is put aside; of several with the version, the one
/// that was put aside last.
public enum SliceRequest: Sendable, Equatable {
  /// It takes the place of the module's own, which is put aside in turn. One of an older version
  /// goes through the module's `migrate`, and stays put aside as well.
  case restore(ModuleName, version: Int64)
  /// It is thrown away.
  case drop(ModuleName, version: Int64)

  /// The module whose slice it is.
  public var module: ModuleName {
    switch self {
    case .restore(let module, _), .drop(let module, _): module
    }
  }

  /// Does it.
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
    var slices = session.slices
    try slices.restore(entry.module, version: version) { (migrate, slice) throws(SliceError) in
      do throws(Fault) {
        return try migrate.migrated(slice, generation: entry.generation)
      } catch {
        throw .fault(error)
      }
    }
    session.slices = slices
    session.notify(changedSince: before)
    ScreenRemaking.remake(in: session, of: [name])
  }
}
