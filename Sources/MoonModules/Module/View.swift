import MoonActions
public import MoonNavigation
public import MoonValues

/// A function that draws screens of one kind: it returns their elements.
public struct View: Registrable {
  /// A function that returns a list of elements, see `moon.ui`; null shows nothing, with a warning.
  public typealias Body = (_ screen: Screen, _ context: SessionContext) throws -> Value

  /// The kind of screen: `counter` for the module's own; `auth/login` for another module's, where
  /// it applies if that module has no view of its own.
  package var kind: Text
  /// The kind, name and place of the registration.
  package var registration: Registration
  /// The types that it was made from, until it is put into a module; nil if there are none.
  package var typed: TypedParts?
  package let body: Body
  /// Finds the first line at or after a place that has a word in quotes or assigns it; nil if the
  /// source isn't known.
  package var findWord: ((_ word: String, _ start: SourcePlace) -> SourcePlace?)?

  /// Makes a view.
  public init(_ kind: Text, place: SourcePlace? = nil, _ body: @escaping Body) {
    self.kind = kind
    registration = Registration(.view, kind.string, place: place)
    self.body = body
  }
}
