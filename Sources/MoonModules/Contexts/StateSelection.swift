public import MoonValues

/// A selection from the state: the value at one path, or a map of the values at several.
public struct StateSelection: Sendable, Equatable {
  /// A path and its name in the map.
  public struct Part: Sendable, Equatable {
    /// The name.
    package let name: Key
    /// The path.
    package let path: Path

    /// Makes a part from a name and a path.
    public init(_ name: Key, _ path: Path) {
      self.name = name
      self.path = path
    }
  }

  // An object, since observers are asked for each action, and a copy costs a reference this way.
  private final class Storage: Sendable {
    /// The selected path, if the selection has no parts.
    let path: Path
    /// The path for comparisons, if it can be packed.
    let packed: PackedPath
    /// The parts; nil if the value at a path is selected.
    let parts: [Part]?

    init(_ path: Path, _ packed: PackedPath, _ parts: [Part]?) {
      self.path = path
      self.packed = packed
      self.parts = parts
    }
  }

  private let storage: Storage
  private var path: Path { storage.path }
  private var packed: PackedPath { storage.packed }
  private var parts: [Part]? { storage.parts }

  /// Selects the value at a path; the empty path selects the whole state.
  public init(_ path: Path) {
    storage = Storage(path, PackedPath(path) ?? .unusable, nil)
  }

  /// Selects several parts, as a map by name that omits missing values.
  public init(_ parts: [Part]) {
    storage = Storage(Path(), .unusable, parts)
  }

  /// Compares what is selected.
  public static func == (left: StateSelection, right: StateSelection) -> Bool {
    left.storage === right.storage || (left.path == right.path && left.parts == right.parts)
  }

  /// The selected paths.
  package var paths: [Path] { parts?.map(\.path) ?? [path] }

  /// Returns the selected value of a state; nil if nothing exists at the paths.
  ///
  /// - Complexity: O(paths).
  package func value(in state: Value) -> Value? {
    guard let parts else { return state.value(at: path) }
    var found = Map()
    for part in parts { found[part.name] = state.value(at: part.path) }
    return found.isEmpty ? nil : .map(found)
  }

  /// Returns the selected value before and after a change; nil if it is unchanged.
  package func change(from before: Map, to after: Map) -> (old: Value?, new: Value?)? {
    if packed.isUsable { return packed.change(from: before, to: after) }
    return parts == nil
      ? after.change(at: path, since: before) : changeOfParts(from: before, to: after)
  }

  /// Returns the selected value before and after a change of the slice that it selects something
  /// in; nil if it is unchanged.
  ///
  /// `place` is that of the slice, and `state` the one after the change.
  package func change(
    by change: borrowing LentValue.Change, at place: Map.Index, in state: Map
  ) -> (old: Value?, new: Value?)? {
    guard packed.isUsable else { return self.change(from: change.slices(state, place), to: state) }
    switch packed.effect(of: change) {
    case .none: return nil
    case .end: return change.old == change.new ? nil : (change.old, change.new)
    case .unknown: return packed.part(of: change, in: state[place])
    }
  }

  private func changeOfParts(from before: Map, to after: Map) -> (old: Value?, new: Value?)? {
    guard let parts,
      parts.contains(where: { after.change(at: $0.path, since: before) != nil })
    else { return nil }
    return (value(in: .map(before)), value(in: .map(after)))
  }

  /// Returns whether a change of these slices can change the selected value.
  package func lies(in slices: Set<Key>) -> Bool {
    paths.contains { path in
      guard case .key(let name) = path.components.first else { return true }
      return slices.contains(.string(name))
    }
  }
}

extension StateSelection: CustomStringConvertible {
  /// The paths as they are written, separated by commas.
  public var description: String { paths.map(\.description).joined(separator: ", ") }
}
