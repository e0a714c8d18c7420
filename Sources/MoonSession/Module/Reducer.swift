public import MoonStore
public import MoonValues

/// A function that changes the state in response to an action.
public struct Reducer: Registrable {
  /// A function that changes the slice in place.
  ///
  /// If it throws, the slice is unchanged.
  public typealias Body = (_ state: inout Value, _ action: Action) throws -> Void

  /// The actions that the reducer listens to.
  public let pattern: ActionPattern
  /// The kind, name and place of the registration.
  public let registration: Registration
  let body: Body

  /// Makes a reducer.
  ///
  /// The function must be pure: the same state and action give the same result on any machine.
  public init(_ pattern: ActionPattern, place: SourcePlace? = nil, _ body: @escaping Body) {
    self.pattern = pattern
    registration = Registration(.reducer, pattern.description, place: place)
    self.body = body
  }

  /// Makes a reducer with the pattern and registration of another.
  init(like other: Reducer, _ body: @escaping Body) {
    pattern = other.pattern
    registration = other.registration
    self.body = body
  }
}
