/// The refusal of a control's action.
public struct ControlRefusal: Sendable, Equatable {
  /// The control's number on the screen, counted from 1.
  public let number: Int
  /// The reason of the module that refused.
  public let reason: String
}
