public import MoonValues

/// A slice that no module in service has, put aside for the version of its module that it fits.
public struct KeptSlice: Sendable, Equatable {
  /// The module.
  public let module: ModuleName
  /// The version of the slice's shape.
  public let version: Int64
  /// The slice.
  public let value: Value

  /// Makes one.
  public init(module: ModuleName, version: Int64, value: Value) {
    self.module = module
    self.version = version
    self.value = value
  }
}

/// Slices that are put aside: of modules that have left, and of other versions.
package struct KeptSlices {
  /// How many slices of one module may be put aside before it may leave no more of them.
  static let countMax = 100

  /// Of each module, the one that was put aside last at the end.
  private var slices: [ModuleName: [KeptSlice]] = [:]

  /// All of them, by module and version, those of one version in the order in which they were put
  /// aside.
  package var all: [KeptSlice] {
    slices.sorted { $0.key < $1.key }.flatMap { _, slices in
      Dictionary(grouping: slices, by: \.version).sorted { $0.key < $1.key }.flatMap(\.value)
    }
  }

  /// Whether so many of a module are here that no version of it may leave another one.
  package func isFull(of module: ModuleName) -> Bool { self[module].count >= Self.countMax }

  /// Those of a module, the one that was put aside last at the end.
  subscript(module: ModuleName) -> [KeptSlice] { slices[module] ?? [] }

  /// Puts one aside, unless the same is there.
  mutating func add(_ slice: KeptSlice) {
    guard !self[slice.module].contains(slice) else { return }
    slices[slice.module, default: []].append(slice)
  }

  /// The one of a version that was put aside last.
  func last(of module: ModuleName, version: Int64) -> KeptSlice? {
    self[module].last { $0.version == version }
  }

  /// Takes away one that is there.
  mutating func remove(_ slice: KeptSlice) {
    slices[slice.module]?.removeAll { $0 == slice }
    if self[slice.module].isEmpty { slices[slice.module] = nil }
  }
}
