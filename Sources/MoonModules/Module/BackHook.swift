public import MoonActions
public import MoonNavigation
public import MoonValues

/// A function that runs before the app goes back from one of the module's screens.
public struct BackHook: Registrable {
  /// The function's answer.
  public enum Answer: Sendable, Equatable {
    /// The app goes back.
    case proceed
    /// The screen stays, for this reason.
    case stay(reason: String?)
    /// The screen stays, and these actions are carried out instead, if any: those that navigate as
    /// a part of the same action, the others after it.
    case replace([Action])
  }

  /// A function that receives the screen on top, and the values typed into its inputs and not yet
  /// submitted, by input.
  public typealias Body = (
    _ screen: Screen, _ inputs: Map, _ context: SessionContext
  ) throws -> Answer

  /// The kind, name and place of the registration.
  package let registration: Registration
  package let body: Body

  /// Makes a hook.
  public init(place: SourcePlace? = nil, _ body: @escaping Body) {
    registration = Registration(.onBack, RegistrationKind.onBack.rawValue, place: place)
    self.body = body
  }
}
