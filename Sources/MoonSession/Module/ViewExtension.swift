public import MoonNavigation
import MoonStore
public import MoonValues

/// A function that fills a slot in another view's screens.
public struct ViewExtension: Registrable {
  /// Returns a list of elements; `data` is what the view has put into the slot.
  public typealias Body = (
    _ screen: Screen, _ data: Value, _ context: SessionContext
  ) throws -> Value

  /// The screens, such as `todo/list`.
  public let screens: Text
  /// The name of the slot.
  public let slot: Text
  /// Those of higher priority come first; 0 is usual.
  public let priority: Int
  /// What names it.
  public let registration: Registration
  let body: Body

  /// Makes an extension of a slot such as `todo/list#below_list`; nil if that names none.
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
