public import MoonValues

/// What becomes of a module's slice when another version of the module takes it over.
public enum SliceChange: Sendable, Equatable {
  /// It has none.
  case none
  /// It is as it was.
  case kept
  /// It is as it was, and has entries that are new in the module's `state`.
  case filled([Path])
  /// The module's `migrate` made it from the slice of another version.
  case migrated(from: Int64, to: Int64)
  /// It is put aside, because there is no `migrate` or the version went back; a new one begins.
  case putAside(from: Int64, to: Int64)
  /// It is put aside, and the one is back that was put aside for the module's version.
  case exchanged(from: Int64, to: Int64)
  /// The one is back that was put aside for the module's version.
  case returned(Int64)
  /// Those that are put aside fit other versions; a new one begins.
  case notFitting([Int64])
  /// It is new.
  case added
}
