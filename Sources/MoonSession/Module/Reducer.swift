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
  /// Whether the function checks the quota of what it makes itself.
  let isHeld: Bool
  /// Whether the program that the module belongs to dispatches the action.
  let isAnnounced: Bool
  let body: Body

  /// Makes a reducer.
  ///
  /// The function must be pure: the same state and action give the same result on any machine.
  public init(_ pattern: ActionPattern, place: SourcePlace? = nil, _ body: @escaping Body) {
    self.init(pattern, isHeld: false, place: place, body)
  }

  /// Makes a reducer for a type, such as `app/started`, that the module's program dispatches,
  /// whatever module its name belongs to.
  ///
  /// Registrations of other modules for the type aren't reported as never called.
  public init(announced type: Text, _ body: @escaping Body) {
    self.init(.exact(type), isHeld: false, isAnnounced: true, place: nil, body)
  }

  /// The type of action; nil if the reducer listens to several.
  var type: Text? { if case .exact(let type) = pattern { type } else { nil } }

  /// Makes a reducer; `isHeld` says whether the function checks the quota of what it makes itself.
  package init(
    _ pattern: ActionPattern, isHeld: Bool, isAnnounced: Bool = false, place: SourcePlace?,
    _ body: @escaping Body
  ) {
    self.pattern = pattern
    self.isHeld = isHeld
    self.isAnnounced = isAnnounced
    registration = Registration(.reducer, pattern.description, place: place)
    self.body = body
  }

  /// Makes a reducer with the pattern and registration of another, whose function checks the quota.
  init(holding other: Reducer, _ body: @escaping Body) {
    pattern = other.pattern
    registration = other.registration
    isAnnounced = other.isAnnounced
    isHeld = true
    self.body = body
  }
}
