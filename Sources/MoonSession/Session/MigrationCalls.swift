package import MoonModules

/// The calls of modules' `migrate` between actions, for slices of a session.
///
/// A failure isn't counted as a fault of the module in service.
package struct MigrationCalls {
  private let session: Session

  package init(session: Session) { self.session = session }

  /// Plans the slice of a module that is to take the place of another.
  ///
  /// - Throws: ``Fault`` of its `migrate`.
  package func plan(for entry: ModuleSet.Entry) throws(Fault) -> SlicePlan {
    try session.slices.plan(for: entry.module) { (migrate, slice) throws(Fault) in
      try session.caller.migrate(slice, with: migrate, generation: entry.generation)
    }
  }

  /// Puts a kept slice in the place of that of a module in service; see
  /// ``Slices/restore(_:version:migrating:)``.
  ///
  /// - Throws: ``SliceError``; nothing has changed then.
  package func restore(_ entry: ModuleSet.Entry, version: Int64) throws(SliceError) {
    let slices = Slices()
    slices.copy(session.slices)
    try slices.restore(entry.module, version: version) { (migrate, slice) throws(SliceError) in
      do throws(Fault) {
        return try session.caller.migrate(slice, with: migrate, generation: entry.generation)
      } catch {
        throw .fault(error)
      }
    }
    session.slices.copy(slices)
  }
}
