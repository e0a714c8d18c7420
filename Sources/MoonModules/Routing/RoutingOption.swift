public import MoonValues

/// A way of presenting a screen: a kind, and fields for the presenter of that kind.
public struct RoutingOption: Sendable, Equatable {
  /// `push`, `modal`, `show`, `detail`, `root`, `replace`, `back_to`, `none`, or one of a
  /// module's own.
  public var kind: Text
  /// The other fields: `animated`, `window`, `in_tab`, `over_modal`; `style`, `transition` and
  /// `duration` for the code that draws the screen; for `modal` also `stack`; for `push`, `show`
  /// and `modal` also `once`.
  public var fields: Map

  /// Makes an option.
  public init(_ kind: Text, _ fields: Map = Map()) {
    self.kind = kind
    self.fields = fields
  }

  /// Pushes the screen onto the top stack.
  public static let push = RoutingOption("push")
  /// Presents the screen over the window; `stack = true` makes it the first screen of a new stack.
  public static let modal = RoutingOption("modal")
  /// Pushes the screen if there is a stack, else presents it.
  ///
  /// This is the default.
  public static let show = RoutingOption("show")
  /// Makes the screen the only one of the detail column of the split view on top, and shows it as
  /// ``show`` does where there is none.
  public static let detail = RoutingOption("detail")
  /// Makes the screen the only one of the top stack.
  ///
  /// What covers it without a stack of its own is dismissed.
  public static let root = RoutingOption("root")
  /// Replaces the top of the stack.
  public static let replace = RoutingOption("replace")
  /// Replaces the screen that going back would show.
  public static let backTo = RoutingOption("back_to")
  /// Makes the screen and calls observers, but doesn't show it.
  public static let unpresented = RoutingOption("none")

  /// The options that the host itself handles.
  package static let ofHost = [push, modal, show, detail, root, replace, backTo, unpresented]

  /// Whether the change is animated; nil for the default.
  public var isAnimated: Bool? {
    if case .bool(let animated) = fields[.animated] { animated } else { nil }
  }

  /// Whether the screen is shown only once: if a screen with the same URL is on the way back, that
  /// one is uncovered and updated.
  package var isOnce: Bool { fields[.once] == .bool(true) && Self.kindsOnce.contains(kind) }

  /// The tab that the screen is shown in; nil for what the window is set to.
  public var inTab: InTab? {
    fields["in_tab"]?.textValue.flatMap { InTab(rawValue: $0.string) }
  }

  /// What happens while something is presented over the window; nil for what the window is set to.
  public var overModal: OverModal? {
    fields["over_modal"]?.textValue.flatMap { OverModal(rawValue: $0.string) }
  }

  /// The tab that a screen is shown in; see also ``WindowSetting``.
  public enum InTab: String, CaseIterable, Sendable {
    /// That of the screen's module, which is selected first.
    case owner
    /// The selected one.
    case selected
  }

  /// The ways of showing a screen while something is presented over the window.
  public enum OverModal: String, CaseIterable, Sendable {
    /// It is dismissed first.
    case dismiss
    /// The screen is shown in what is presented.
    case inside
    /// The screen isn't shown, which is an error.
    case refuse
  }

  /// The fields that the screen keeps for the code that draws it.
  package var presentation: Map {
    if fields.isEmpty { return Map() }
    return Map(Self.presentationKeys.compactMap { key in fields[key].map { (key, $0) } })
  }

  /// The id of the window; nil for the key window.
  public var windowID: Text? { fields[.window]?.textValue }

  /// The option as scripts see it: `{option = "push", animated = false}`.
  package var value: Value {
    var map = fields
    map["option"] = .string(kind)
    return .map(map)
  }

  /// Reads the form that ``value`` returns, or a bare kind, and checks the fields.
  ///
  /// - Throws: ``RoutingOptionError``.
  package init(reading value: Value) throws(RoutingOptionError) {
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
