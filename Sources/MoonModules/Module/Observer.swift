import MoonActions
public import MoonValues

/// A function that is called when a part of the state has changed.
public struct Observer: Registrable {
  /// A function that receives the part after and before the change, nil where it doesn't exist, and
  /// the session.
  public typealias Body = (_ new: Value?, _ old: Value?, _ context: SessionContext) throws -> Void
  /// A function that receives the part after and before a change, and returns whether the observer
  /// ignores the change.
  public typealias Comparison = (_ new: Value?, _ old: Value?) throws -> Bool

  /// The time of an observer's first call.
  public enum Beginning: Sendable {
    /// The first change of the part.
    case change
    /// The start, restoration or reload of its module, if the part exists.
    ///
    /// The old value is nil then.
    case start
  }

  /// The part, such as `counter.count`.
  package var selection: StateSelection
  /// The time of the observer's first call.
  package let beginning: Beginning
  /// The kind, name and place of the registration.
  package var registration: Registration
  /// The types that it was made from, until it is put into a module; nil if there are none.
  package var typed: TypedParts?
  /// How the changes become calls; nil for one call for each commit.
  package let pace: Pace?
  package let paceID = PaceIdentity()
  package let isSame: Comparison?
  package let body: Body

  /// Makes an observer of the value at a path from the root of the state; the empty path is the
  /// whole state.
  public init(_ path: Path, place: SourcePlace? = nil, _ body: @escaping Body) {
    self.init(of: StateSelection(path), place: place, body)
  }

  /// Makes an observer.
  ///
  /// `isSame` compares the values after and before one commit. A series of changes that it ignores
  /// one by one is ignored as a whole. With a `pace`, a call receives the value before its first
  /// change and the current one. A pending call is made when the module stops, and dropped when it
  /// is reloaded.
  public init(
    of selection: StateSelection, from beginning: Beginning = .change,
    unless isSame: Comparison? = nil, pace: Pace? = nil, place: SourcePlace? = nil,
    _ body: @escaping Body
  ) {
    self.pace = pace
    self.selection = selection
    self.beginning = beginning
    self.isSame = isSame
    registration = Registration(.observer, selection.description, place: place)
    self.body = body
  }
}
