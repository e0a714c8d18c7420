/// The refusal of a control's action.
package struct ControlRefusal: Sendable, Equatable {
  /// The control's number on the screen, counted from 1.
  package let number: Int
  /// The reason of the module that refused.
  package let reason: String
}
