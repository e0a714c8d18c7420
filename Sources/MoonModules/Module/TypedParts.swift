package import MoonActions
package import MoonValues

/// What is known about a registration that a program has made from its types, and that becomes
/// complete when the module is made.
package final class TypedParts {
  /// An action that the registration takes as a type.
  package struct ListenedAction: Equatable, Sendable {
    package let type: Text
    /// The fields of the payload; nil if they aren't known.
    package let schema: PayloadSchema?
    /// The full name of the Swift type, `App.Thermometer.Measure`.
    package let origin: String

    package init(type: Text, schema: PayloadSchema?, origin: String) {
      self.type = type
      self.schema = schema
      self.origin = origin
    }
  }

  /// The actions that it takes.
  package let actions: [ListenedAction]
  /// What decodes the slice for it, in a type of the layer above; nil if it doesn't use the slice.
  package let state: AnyObject?
  /// Whether it is about its module, whose name it doesn't know yet.
  package let isRelative: Bool
  /// The reason that it can't be used.
  package let problem: (any Error)?

  package init(
    actions: [ListenedAction] = [], state: AnyObject? = nil, isRelative: Bool = false,
    problem: (any Error)? = nil
  ) {
    self.actions = actions
    self.state = state
    self.isRelative = isRelative
    self.problem = problem
  }
}

/// A registration that may listen to actions that are the cases of a type.
package protocol TypedListener {
  var pattern: ActionPattern { get set }
  var registration: Registration { get set }
  var typed: TypedParts? { get }
}

extension TypedListener {
  /// The registration for each of the actions, so that no other one counts as known.
  package var ofEachAction: [Self] {
    guard let actions = typed?.actions, case .family = pattern else { return [self] }
    return actions.map { action in
      var one = self
      one.pattern = .exact(action.type)
      one.registration = Registration(
        registration.kind, action.type.string, place: registration.place)
      return one
    }
  }
}
