public import MoonValues

/// How a screen is presented: a kind, and what the presenter of that kind needs to know.
public struct RoutingOption: Sendable, Equatable {
  /// `push`, `modal`, `show`, `root`, `replace`, `back_to`, `none`, or one of a module's own.
  public var kind: Text
  /// What else is said: `animated`, `window`, and for `modal` `stack`.
  public var fields: Map

  /// Makes an option.
  public init(_ kind: Text, _ fields: Map = Map()) {
    self.kind = kind
    self.fields = fields
  }

  /// Onto the stack on top.
  public static let push = RoutingOption("push")
  /// Over all of the window; with `stack = true` as the first screen of a stack of its own.
  public static let modal = RoutingOption("modal")
  /// Pushed where there is a stack, else presented: what happens if nobody says.
  public static let show = RoutingOption("show")
  /// As the only screen of the stack on top; what covers it without a stack of its own goes.
  public static let root = RoutingOption("root")
  /// In place of the top of the stack.
  public static let replace = RoutingOption("replace")
  /// In place of the screen that going back would show.
  public static let backTo = RoutingOption("back_to")
  /// Made and observed, but not shown.
  public static let unpresented = RoutingOption("none")

  /// Whether people see it move; nil for as usual.
  public var isAnimated: Bool? {
    if case .bool(let animated) = fields["animated"] { animated } else { nil }
  }

  /// The window it is meant for; nil for the key window.
  public var windowID: Text? { fields["window"]?.textValue }

  /// The option as scripts see it: `{option = "push", animated = false}`.
  public var value: Value {
    var map = fields
    map["option"] = .string(kind)
    return .map(map)
  }

  /// Reads what ``value`` wrote, or the bare kind; nil if it is neither.
  public init?(reading value: Value) {
    switch value {
    case .string(let kind): self.init(kind)
    case .map(var map):
      guard let kind = map["option"]?.textValue else { return nil }
      map["option"] = nil
      self.init(kind, map)
    default: return nil
    }
  }
}
