public import MoonValues

/// The part of a state that somebody follows: what is at one path, or at several, each with a name.
public struct StateSelection: Sendable, Equatable {
  /// One of several parts.
  public struct Part: Sendable, Equatable {
    /// What it is called among the others.
    public let name: Key
    /// Where it is.
    public let path: Path

    /// Names a path.
    public init(_ name: Key, _ path: Path) {
      self.name = name
      self.path = path
    }
  }

  private enum Form: Equatable {
    case path(Path)
    case parts([Part])
  }

  private let form: Form

  /// Selects what is at a path; all of the state for the empty one.
  public init(_ path: Path) { form = .path(path) }

  /// Selects several parts; the value is a map of those that are there, by their names.
  public init(_ parts: [Part]) { form = .parts(parts) }

  /// The paths that it leads to.
  public var paths: [Path] {
    switch form {
    case .path(let path): [path]
    case .parts(let parts): parts.map(\.path)
    }
  }

  /// What a state has there; nil if it has nothing.
  ///
  /// - Complexity: O(paths).
  public func value(in state: Value) -> Value? {
    switch form {
    case .path(let path): return state.value(at: path)
    case .parts(let parts):
      var found = Map()
      for part in parts { found[part.name] = state.value(at: part.path) }
      return found.isEmpty ? nil : .map(found)
    }
  }

  /// What has become of it since the state was `before`; nil if it is unchanged.
  func change(from before: Value, to after: Value) -> (old: Value?, new: Value?)? {
    switch form {
    case .path(let path): return after.change(at: path, since: before)
    case .parts(let parts):
      guard parts.contains(where: { after.change(at: $0.path, since: before) != nil }) else {
        return nil
      }
      return (value(in: before), value(in: after))
    }
  }

  /// Whether a change to some slices may change it.
  func lies(in slices: Set<Key>) -> Bool {
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
