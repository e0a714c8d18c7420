public import MoonStore
public import MoonValues

/// A function of state and action that changes the state.
public struct Reducer: Registrable {
  /// Changes the slice in place; an error it throws leaves the slice as it was.
  public typealias Body = (_ state: inout Value, _ action: Action) throws -> Void

  /// The actions it listens to.
  public let pattern: ActionPattern
  /// What names it.
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

  /// Makes a reducer that is registered like another one.
  init(like other: Reducer, _ body: @escaping Body) {
    pattern = other.pattern
    registration = other.registration
    self.body = body
  }
}
