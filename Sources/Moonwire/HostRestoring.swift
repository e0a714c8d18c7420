package import MoonActions
import MoonModules
import MoonNavigation
import MoonScripts
import MoonServiceKit
package import MoonSession
package import MoonValues

extension Host {
  /// Returns the state of a session, for another run; nil if there is no such session.
  package func savedState(of id: SessionID) -> SavedState? { session(id).map { .init(of: $0) } }

  /// Opens a session with an earlier state as plain data; see ``SavedState/init(_:)``.
  ///
  /// - Throws: ``RestoreError``; no session is open then.
  package func openSession(restoring state: Value) throws(RestoreError) -> SessionID {
    let saved = try SavedState(state)
    try options.check(saved)
    return openSession(restoring: saved)
  }

  /// Opens a new session in which no effect starts, for actions that were written down.
  package func openSessionWithoutEffects() -> SessionID {
    openSession { session in
      session.current.mode = .withoutEffects
      session.begin(with: nil)
    }
  }

  /// Returns the slices put aside in a session: those of removed modules and of other versions.
  package func keptSlices(of id: SessionID) -> [KeptSlice] { session(id)?.slices.kept.all ?? [] }

  /// Restores a slice that is put aside, or deletes it.
  ///
  /// - Throws: ``SliceError``; nothing has changed then.
  package func carryOut(_ request: SliceRequest, in id: SessionID) throws(SliceError) {
    guard let session = session(id) else { throw .notRunning(request.module) }
    // Also after a failure, which may have killed the machine of the module.
    defer { sessions.settle() }
    try request.carryOut(in: session)
    session.recorders.noteSlices()
  }
}

extension HostOptions {
  /// Checks each slice of an earlier run against the limits of its module.
  ///
  /// - Throws: ``RestoreError/refusedSlice(_:_:)``.
  func check(_ saved: SavedState) throws(RestoreError) {
    for (key, slice) in saved.slices where key != NavigationState.key {
      try check(slice, of: ModuleName(key.description), key.description)
    }
    for kept in saved.keptSlices { try check(kept.value, of: kept.module, kept.module.text) }
  }

  private func check(
    _ slice: Value, of module: ModuleName?, _ name: String
  ) throws(RestoreError) {
    let quota = module.map(loading.sliceQuota) ?? SliceQuota(bytesMax: stateQuota)
    if let refusal = quota.refusal(ofWhole: slice) { throw .refusedSlice(name, refusal) }
  }
}
