package import MoonModules
package import MoonServiceKit
package import MoonValues

/// A slice that no module in service uses, kept for the version of its module that it fits.
package struct KeptSlice: Sendable, Equatable {
  /// The module that the slice belongs to.
  package let module: ModuleName
  /// The version of the slice's shape.
  package let version: Int64
  /// The slice.
  package let value: Value
  /// The shape of the `state` that the slice was last filled from; nil if it isn't known.
  package let shape: StateShape?

  /// Makes a kept slice.
  package init(module: ModuleName, version: Int64, value: Value, shape: StateShape? = nil) {
    self.module = module
    self.version = version
    self.value = value
    self.shape = shape
  }

  /// Returns whether both hold the same for the same version.
  fileprivate func holdsSame(as other: KeptSlice) -> Bool {
    version == other.version && value == other.value
  }
}

/// The slices that are put aside: those of modules that have left, and of other versions.
package struct KeptSlices {
  /// The number of kept slices at which a module may not put aside another.
  static let countMax = 100

  /// The slices by module, most recent last.
  private var slices: [ModuleName: [KeptSlice]] = [:]

  /// All slices, sorted by module and version.
  ///
  /// Slices of one version are in the order in which they were put aside.
  package var all: [KeptSlice] {
    slices.sorted { $0.key < $1.key }.flatMap { _, slices in
      Dictionary(grouping: slices, by: \.version).sorted { $0.key < $1.key }.flatMap(\.value)
    }
  }

  /// Returns whether a module has reached the limit of kept slices.
  package func isFull(of module: ModuleName) -> Bool { self[module].count >= Self.countMax }

  /// The slices of a module, most recent last.
  subscript(module: ModuleName) -> [KeptSlice] { slices[module] ?? [] }

  /// Puts a slice aside, replacing one that holds the same.
  mutating func add(_ slice: KeptSlice) {
    slices[slice.module]?.removeAll { $0.holdsSame(as: slice) }
    slices[slice.module, default: []].append(slice)
  }

  /// Returns the most recent slice of a version.
  func last(of module: ModuleName, version: Int64) -> KeptSlice? {
    self[module].last { $0.version == version }
  }

  /// Removes a slice.
  mutating func remove(_ slice: KeptSlice) {
    slices[slice.module]?.removeAll { $0 == slice }
    if self[slice.module].isEmpty { slices[slice.module] = nil }
  }
}
