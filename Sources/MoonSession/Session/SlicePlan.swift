package import MoonModules
package import MoonServiceKit
import MoonValues

/// The planned change of a module's slice.
package struct SlicePlan {
  /// The new slice; nil for none.
  let slice: Value?
  package fileprivate(set) var change: SliceChange
  /// The kept slice that is put back.
  fileprivate(set) var taken: KeptSlice?
  /// The slice that is put aside.
  fileprivate(set) var left: KeptSlice?

  /// Returns the reason that a module, which declares a shape, can't have the slice; nil if it can.
  package func refusal(by module: Module) -> SliceRefusal? {
    slice.flatMap { module.sliceShape?.refusal(of: $0) }
  }

  fileprivate init(_ slice: Value?, _ change: SliceChange) {
    self.slice = slice
    self.change = change
  }
}

extension Slices {
  /// Plans a module's slice: the current one, the one put aside for the module's version, the
  /// result of `migrate`, or a new one.
  ///
  /// - Throws: The errors of `migrating`, which calls the module's `migrate` for a slice.
  func plan<Failure: Error>(
    for module: Module, migrating: (Migration, KeptSlice) throws(Failure) -> Value
  ) throws(Failure) -> SlicePlan {
    guard let live = versioned(module.name) else {
      return try planWithoutSlice(module, migrating)
    }
    if live.version == module.version {
      let filled = module.filled(live)
      let added = Diff.changes(from: live.value, to: filled).changes.map(\.path)
      return SlicePlan(filled, added.isEmpty ? .kept : .filled(added))
    }
    if let fitting = kept.last(of: module.name, version: module.version) {
      var plan = SlicePlan(
        module.filled(fitting), .swapped(from: live.version, to: module.version))
      (plan.taken, plan.left) = (fitting, live)
      return plan
    }
    if let migrate = module.hooks.migrate, live.version < module.version {
      return SlicePlan(
        module.filled(live, as: try migrating(migrate, live)),
        .migrated(from: live.version, to: module.version))
    }
    return newSlice(of: module)
  }

  private func planWithoutSlice<Failure: Error>(
    _ module: Module, _ migrating: (Migration, KeptSlice) throws(Failure) -> Value
  ) throws(Failure) -> SlicePlan {
    let kept = kept[module.name]
    if let fitting = kept.last(where: { $0.version == module.version }) {
      var plan = SlicePlan(module.filled(fitting), .returned(module.version))
      plan.taken = fitting
      return plan
    }
    let older = kept.filter { $0.version < module.version }
    guard let migrate = module.hooks.migrate, let newest = older.map(\.version).max(),
      let slice = older.last(where: { $0.version == newest })
    else { return newSlice(of: module) }
    var plan = SlicePlan(
      module.filled(slice, as: try migrating(migrate, slice)),
      .migrated(from: slice.version, to: module.version))
    plan.taken = slice
    return plan
  }

  /// Returns a plan whose slice has the module's shape: a new slice if that of another plan hasn't,
  /// which is put aside.
  func shaped(_ plan: SlicePlan, for module: Module) -> SlicePlan {
    guard let refusal = plan.refusal(by: module) else { return plan }
    var plan = newSlice(of: module)
    plan.change = .misshapen(refusal)
    return plan
  }

  /// Plans a new slice.
  ///
  /// The current one is put aside, and those put aside stay there.
  func newSlice(of module: Module) -> SlicePlan {
    if let live = versioned(module.name) {
      var plan = SlicePlan(module.state, .putAside(from: live.version, to: module.version))
      plan.left = live
      return plan
    }
    let others = kept[module.name].map(\.version)
    guard others.isEmpty else { return SlicePlan(module.state, .incompatible(others)) }
    return SlicePlan(module.state, module.state == nil ? .none : .added)
  }

  /// Carries out a plan.
  package func carryOut(_ plan: SlicePlan, for module: Module) {
    if let taken = plan.taken { kept.remove(taken) }
    if let left = plan.left { kept.add(left) }
    set(plan.slice, of: module)
  }
}

// MARK: - Restoring and dropping

extension Slices {
  /// Puts a kept slice in the place of the module's own, which is put aside in turn.
  ///
  /// A slice of an older version stays put aside, and `migrate` makes the new one from it.
  ///
  /// - Throws: ``SliceError``; the slices are then void.
  func restore(
    _ module: Module, version: Int64,
    migrating: (Migration, KeptSlice) throws(SliceError) -> Value
  ) throws(SliceError) {
    let slice = try keptSlice(of: module.name, version: version)
    var value = slice.value
    if version == module.version {
      kept.remove(slice)
    } else if let migrate = module.hooks.migrate, version < module.version {
      value = try migrating(migrate, slice)
    } else {
      throw .incompatible(
        module.name, version: version, current: module.version,
        migrates: module.hooks.migrate != nil)
    }
    let filled = module.filled(slice, as: value)
    if let refusal = module.sliceShape?.refusal(of: filled) {
      throw .misshapen(module.name, refusal)
    }
    if let live = versioned(module.name) { kept.add(live) }
    set(filled, of: module)
  }

  /// Deletes the most recent kept slice of a version.
  ///
  /// - Throws: ``SliceError/notFound(_:version:others:)``
  package func drop(_ module: ModuleName, version: Int64) throws(SliceError) {
    kept.remove(try keptSlice(of: module, version: version))
  }

  private func keptSlice(
    of module: ModuleName, version: Int64
  ) throws(SliceError) -> KeptSlice {
    if let slice = kept.last(of: module, version: version) { return slice }
    throw .notFound(module, version: version, others: kept[module].map(\.version))
  }
}

extension Module {
  /// Returns a slice with the entries that are new in `state`.
  ///
  /// `migrated` is what `migrate` made of it, if it is of an earlier version.
  fileprivate func filled(_ slice: KeptSlice, as migrated: Value? = nil) -> Value {
    let value = migrated ?? slice.value
    return state.map { value.filled(with: $0, since: slice.shape) } ?? value
  }
}
