public import MoonModules
public import MoonValues

/// The change of a module's slice when another version of the module takes it over.
public enum SliceChange: Sendable, Equatable {
  /// The module has no slice.
  case none
  /// The slice is unchanged.
  case kept
  /// The slice is kept, and entries that are new in the module's `state` were added at these paths.
  case filled([Path])
  /// The module's `migrate` converted the slice.
  case migrated(from: Int64, to: Int64)
  /// The slice was put aside and a new one begins, because there is no `migrate` or the version is
  /// lower.
  case putAside(from: Int64, to: Int64)
  /// The slice was put aside, and one put aside earlier for the module's version has replaced it.
  case swapped(from: Int64, to: Int64)
  /// The slice put aside for the module's version is back.
  case returned(Int64)
  /// A new slice begins. Slices of these other versions are put aside.
  case incompatible([Int64])
  /// The slice of an earlier run doesn't have the module's shape. It is put aside, and a new one
  /// begins.
  case misshapen(SliceRefusal)
  /// The slice is new.
  case added
}
