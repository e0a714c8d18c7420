public import MoonActions
public import MoonValues

/// A function that changes the state in response to an action.
public struct Reducer: Registrable {
  /// A function that changes the slice in place.
  ///
  /// If it throws, the slice is unchanged.
  public typealias Body = (_ state: inout Value, _ action: Action) throws -> Void

  /// The actions that the reducer listens to.
  package var pattern: ActionPattern
  /// The kind, name and place of the registration.
  package var registration: Registration
  /// The types that it was made from, until it is put into a module; nil if there are none.
  package var typed: TypedParts?
  /// Whether the program that the module belongs to dispatches the action.
  let isAnnounced: Bool
  /// Whether the slice may be taken from the state while it is changed, since a script changes it,
  /// which can't look at the state meanwhile.
  package let canBorrow: Bool
  /// Whether the function checks the quota of what it makes itself.
  let isHeld: Bool
  /// The function that changes the slice; if it throws, it has restored the slice.
  package let body: LentBody

  /// A function that changes a lent slice.
  package typealias LentBody = (_ slice: inout LentValue, _ action: Action) throws -> Void

  /// Makes a reducer.
  ///
  /// The function must be pure: the same state and action give the same result on any machine.
  public init(_ pattern: ActionPattern, place: SourcePlace? = nil, _ body: @escaping Body) {
    self.init(pattern, place: place, lent: Self.lentBody(body))
  }

  /// Makes a reducer for a type, such as `app/started`, that the module's program dispatches,
  /// whatever module its name belongs to.
  ///
  /// Registrations of other modules for the type aren't reported as never called.
  public init(announced type: Text, _ body: @escaping Body) {
    self.init(.exact(type), isAnnounced: true, place: nil, lent: Self.lentBody(body))
  }

  /// Makes a reducer that is written in a script, and holds its slice to the quota.
  package init(
    _ pattern: ActionPattern, place: SourcePlace?, script body: @escaping LentBody
  ) {
    self.init(pattern, place: place, canBorrow: true, isHeld: true, lent: body)
  }

  private init(
    _ pattern: ActionPattern, isAnnounced: Bool = false, place: SourcePlace?,
    canBorrow: Bool = false, isHeld: Bool = false, lent body: @escaping LentBody
  ) {
    self.pattern = pattern
    self.isAnnounced = isAnnounced
    registration = Registration(.reducer, pattern.description, place: place)
    self.canBorrow = canBorrow
    self.isHeld = isHeld
    self.body = body
  }

  /// Makes a reducer with the pattern and registration of another, whose function checks the quota.
  init(holding other: Reducer, _ body: @escaping LentBody) {
    pattern = other.pattern
    registration = other.registration
    isAnnounced = other.isAnnounced
    canBorrow = false
    isHeld = true
    self.body = body
  }

  private static func lentBody(_ body: @escaping Body) -> LentBody {
    { slice, action in
      var made = slice.value
      try body(&made, action)
      slice.replace(by: made)
    }
  }

  /// The type of action; nil if the reducer listens to several.
  var type: Text? { if case .exact(let type) = pattern { type } else { nil } }
}

extension Reducer: TypedListener {}
