public import MoonValues

/// How a screen is presented: a kind, and what the presenter of that kind needs to know.
public struct RoutingOption: Sendable, Equatable {
  /// `push`, `modal`, `show`, `root`, `replace`, `back_to`, `none`, or one of a module's own.
  public var kind: Text
  /// What else is said: `animated`, `window`; `style`, `transition` and `duration` for whoever draws
  /// the screen; for `modal` `stack`; for `push`, `show` and `modal` `once`.
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

  /// Whether the screen is shown once only: if there is one with the same URL on the way back, that
  /// is gone back to, and made again.
  public var isOnce: Bool { fields["once"] == .bool(true) && Self.kindsOnce.contains(kind) }

  /// What a screen keeps of it for whoever draws it.
  var presentation: Map {
    Map(Self.presentationKeys.compactMap { key in fields[key].map { (key, $0) } })
  }

  /// The window it is meant for; nil for the key window.
  public var windowID: Text? { fields["window"]?.textValue }

  /// The option as scripts see it: `{option = "push", animated = false}`.
  public var value: Value {
    var map = fields
    map["option"] = .string(kind)
    return .map(map)
  }

  /// Reads what ``value`` wrote, or the bare kind, and checks the fields.
  ///
  /// - Throws: ``RoutingOptionError``.
  public init(reading value: Value) throws(RoutingOptionError) {
    switch value {
    case .string(let kind): self.init(kind)
    case .map(var map):
      guard let kind = map["option"]?.textValue else {
        throw .notAnOption(found: "a table without a text under 'option'")
      }
      map["option"] = nil
      self.init(kind, map)
    default: throw .notAnOption(found: value.kind)
    }
    try check()
  }
}
