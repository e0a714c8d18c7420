import MoonActions
public import MoonValues

/// A function that is called for URLs that no route takes.
public struct UnmatchedHandler: Registrable {
  /// A function that receives the URL and the parameters passed with it.
  public typealias Body = (
    _ url: Text, _ parameters: Map, _ context: SessionContext
  ) throws -> HandlerAnswer

  /// The kind, name and place of the registration.
  package let registration: Registration
  package let body: Body

  /// Makes an unmatched handler.
  public init(place: SourcePlace? = nil, _ body: @escaping Body) {
    registration = Registration(.unmatched, "unmatched", place: place)
    self.body = body
  }
}
