import MoonStore
public import MoonValues

/// A function that is told when a part of the state has changed.
public struct Observer: Registrable {
  /// Gets the part as it is and as it was, nil where it isn't there, and the session.
  public typealias Body = (_ new: Value?, _ old: Value?, _ context: SessionContext) throws -> Void

  /// The part: a path from the root of the state, such as `counter.count`; empty for all of it.
  public let path: Path
  /// What names it.
  public let registration: Registration
  let body: Body

  /// Makes an observer.
  public init(_ path: Path, place: SourcePlace? = nil, _ body: @escaping Body) {
    self.path = path
    registration = Registration(.observer, path.description, place: place)
    self.body = body
  }

  /// The slice that the path leads into; nil if it is the whole state.
  var slice: Text? {
    if case .key(let name) = path.components.first { name } else { nil }
  }
}
