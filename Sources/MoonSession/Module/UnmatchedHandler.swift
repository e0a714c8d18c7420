import MoonStore
public import MoonValues

/// A function that is asked about URLs that no route took.
public struct UnmatchedHandler: Registrable {
  /// Gets the URL and the parameters passed with it.
  public typealias Body = (
    _ url: Text, _ parameters: Map, _ context: SessionContext
  ) throws -> HandlerAnswer

  /// What names it.
  public let registration: Registration
  let body: Body

  /// Makes an unmatched handler.
  public init(place: SourcePlace? = nil, _ body: @escaping Body) {
    registration = Registration(.unmatched, "unmatched", place: place)
    self.body = body
  }
}
