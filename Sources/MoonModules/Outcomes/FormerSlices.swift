package import MoonValues

/// An undo record that rebuilds the slices before a dispatch from the present ones.
///
/// Most dispatches change one slice. Nothing then refers to the former state, so that the present
/// one is changed in place, unless a timeline, a reader or a program still holds it. With many
/// modules, copying it would be most of the work.
package enum FormerSlices: Sendable {
  /// The slices are the present ones.
  case same
  /// One slice was this.
  case except(Map.Index, Value)
  /// One slice had this value at a place.
  case exceptEntry(Map.Index, Map.Index, Value)
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
    case .exceptEntry(let index, let place, let value):
      present.replacing(index, with: present[index].replacing(place, with: value))
    case .other(let slices): slices
    }
  }

  /// Whether the former slices differ from the present ones.
  func differ(from present: Map) -> Bool {
    switch self {
    case .same, .unknown: false
    case .except, .exceptEntry: true
    case .other(let slices): !slices.isIdentical(to: present)
    }
  }

  /// Notes that all slices are about to be replaced.
  package mutating func noteReplacement(of present: Map) {
    switch self {
    case .same, .except, .exceptEntry: self = .other(slices(beside: present))
    case .other, .unknown: break
    }
  }

  /// Notes that one of the slices has changed; `present` are the slices after that.
  package mutating func note(
    _ change: borrowing LentValue.Change, at index: Map.Index, in present: @autoclosure () -> Map
  ) {
    switch self {
    case .other, .unknown: return
    case .same:
      if change.isOfEntry {
        self = .exceptEntry(index, change.place, change.old)
      } else if !change.isNone {
        self = .except(index, change.old)
      }
    case .except, .exceptEntry:
      if !change.isNone { noteReplacement(of: change.slices(present(), index)) }
    }
  }
}

extension LentValue.Change {
  /// Returns the slices before a change of one of them; `present` are those after it.
  package func slices(_ present: Map, _ index: Map.Index) -> Map {
    if isNone { return present }
    return present.replacing(index, with: former(of: present[index]))
  }
}
