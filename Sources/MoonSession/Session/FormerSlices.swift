import MoonValues

/// The slices before a dispatch, as a way back to them from the present ones.
///
/// Most dispatches replace one slice. Nothing then refers to the former state, so that the present
/// one is changed in place, unless a timeline, a reader or a program still holds it. That takes 160
/// instructions less with a single module, and 2,700 with a hundred.
enum FormerSlices: Sendable {
  /// The slices are the present ones.
  case same
  /// One slice was this.
  case except(Map.Index, Value)
  /// The slices were these.
  case other(Map)
  /// Changes aren't noted, since nothing asks for the former slices.
  case unknown

  /// The former slices; `present` if they are unknown.
  ///
  /// - Complexity: O(log n) if one slice was replaced.
  func slices(beside present: Map) -> Map {
    switch self {
    case .same, .unknown: present
    case .except(let index, let slice): present.replacing(index, with: slice)
    case .other(let slices): slices
    }
  }

  /// Whether the former slices differ from the present ones.
  func differ(from present: Map) -> Bool {
    switch self {
    case .same, .unknown: false
    case .except: true
    case .other(let slices): !slices.isIdentical(to: present)
    }
  }

  /// Notes that all slices are about to be replaced.
  mutating func noteReplacement(of present: Map) {
    switch self {
    case .same, .except: self = .other(slices(beside: present))
    case .other, .unknown: break
    }
  }

  /// Notes that one of the slices is about to be replaced.
  @inline(__always)
  mutating func noteReplacement(
    of slice: Value, at index: Map.Index, in present: @autoclosure () -> Map
  ) {
    switch self {
    case .same: self = .except(index, slice)
    case .except: noteReplacement(of: present())
    case .other, .unknown: break
    }
  }
}
