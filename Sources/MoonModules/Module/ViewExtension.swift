import MoonActions
public import MoonNavigation
public import MoonValues

/// A function that fills a slot in screens of another module.
public struct ViewExtension: Registrable {
  /// A function that returns a list of elements; `data` is the value that the view put into the
  /// slot.
  public typealias Body = (
    _ screen: Screen, _ data: Value, _ context: SessionContext
  ) throws -> Value

  /// The screens that have the slot: `todo/list`.
  package let screens: Text
  /// The name of the slot.
  package let slot: Text
  /// The priority: extensions of higher priority come first, and 0 is the default.
  package let priority: Int
  /// The kind, name and place of the registration.
  package let registration: Registration
  package let body: Body

  /// Makes an extension of a slot such as `todo/list#below_list`; nil if the text doesn't name a
  /// slot.
  public init?(
    _ place: Text, priority: Int = 0, at source: SourcePlace? = nil, _ body: @escaping Body
  ) {
    let parts = place.string.split(separator: "#", omittingEmptySubsequences: false)
    guard parts.count == 2, !parts[1].isEmpty,
      parts[0].split(separator: "/", omittingEmptySubsequences: false).count == 2,
      !parts[0].hasPrefix("/"), !parts[0].hasSuffix("/")
    else { return nil }
    screens = Text(String(parts[0]))
    slot = Text(String(parts[1]))
    self.priority = priority
    registration = Registration(.viewExtension, place.string, place: source)
    self.body = body
  }
}
