import MoonStore
public import MoonValues

/// A function that is told when a part of the state has changed.
public struct Observer: Registrable {
  /// Gets the part as it is and as it was, nil where it isn't there, and the session.
  public typealias Body = (_ new: Value?, _ old: Value?, _ context: SessionContext) throws -> Void
  /// Says whether a change of the part doesn't matter; gets it as it is and as it was.
  public typealias Comparison = (_ new: Value?, _ old: Value?) throws -> Bool

  /// When it is told for the first time.
  public enum Beginning: Sendable {
    /// When the part changes.
    case change
    /// When its module starts, is restored or is reloaded, if the part is there: what it was is
    /// nil then.
    case start
  }

  /// The part, such as `counter.count`.
  public let selection: StateSelection
  /// When it is told for the first time.
  public let beginning: Beginning
  /// What names it.
  public let registration: Registration
  let isSame: Comparison?
  let body: Body

  /// Makes an observer of what is at a path from the root of the state; the empty one is all of it.
  public init(_ path: Path, place: SourcePlace? = nil, _ body: @escaping Body) {
    self.init(of: StateSelection(path), place: place, body)
  }

  /// Makes an observer.
  ///
  /// It is told of a change unless `isSame` says that the two values are the same to it. They are
  /// those before and after one commit: small changes that are each the same are never told.
  public init(
    of selection: StateSelection, from beginning: Beginning = .change,
    unless isSame: Comparison? = nil, place: SourcePlace? = nil, _ body: @escaping Body
  ) {
    self.selection = selection
    self.beginning = beginning
    self.isSame = isSame
    registration = Registration(.observer, selection.description, place: place)
    self.body = body
  }
}
