import MoonStore
public import MoonValues

/// A function that is called when a part of the state has changed.
public struct Observer: Registrable {
  /// A function that receives the part after and before the change, nil where it doesn't exist, and
  /// the session.
  public typealias Body = (_ new: Value?, _ old: Value?, _ context: SessionContext) throws -> Void

  /// The path to the part from the root of the state, such as `counter.count`; empty for the whole
  /// state.
  public let path: Path
  /// The kind, name and place of the registration.
  public let registration: Registration
  let body: Body

  /// Makes an observer.
  public init(_ path: Path, place: SourcePlace? = nil, _ body: @escaping Body) {
    self.path = path
    registration = Registration(.observer, path.description, place: place)
    self.body = body
  }

  /// The slice that the path leads into; nil if the path is empty.
  var slice: Text? {
    if case .key(let name) = path.components.first { name } else { nil }
  }
}
