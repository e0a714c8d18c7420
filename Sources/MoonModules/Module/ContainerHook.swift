import MoonActions
public import MoonValues

/// A function that runs before the app leaves a container by going back, such as one that a program
/// draws in its own way.
public struct ContainerHook: Registrable {
  /// A function that receives the container as it stands in the tree.
  public typealias Body = (_ container: Value, _ context: SessionContext) throws -> BackHook.Answer

  /// The id of the container.
  package let container: Text
  /// The kind, name and place of the registration.
  package let registration: Registration
  package let body: Body

  /// Makes a hook for the container with an id.
  public init(_ container: Text, place: SourcePlace? = nil, _ body: @escaping Body) {
    self.container = container
    registration = Registration(.container, container.string, place: place)
    self.body = body
  }
}
