public import MoonValues

/// One page of an app without its appearance: its content, its URL and its module.
///
/// Two screens with the same id are the same screen at two times.
public struct Screen: Equatable, Sendable {
  /// The id of the screen, unique among all ids of a tree, including those of containers and
  /// windows.
  public var id: Text
  /// The kind of the screen, which selects the module's view, such as `counter`.
  public var kind: Text
  /// The title.
  public var title: Text
  /// The URL that led to it, nil if none did.
  public var url: Text?
  /// The parameters it was routed with.
  public var parameters: Value
  /// The module's data for drawing it.
  public var props: Value
  /// Its elements, which navigation doesn't interpret.
  public var body: Value
  /// The presentation, for the code that draws the screen: `style`, `transition`, `duration` in
  /// seconds.
  public var presentation: Map
  /// The module that made it, nil for the program itself.
  public var owner: ScreenOwner?
  /// Whether it is a placeholder for a screen that can't be made now.
  public var isPlaceholder: Bool

  /// Makes a screen that isn't a placeholder.
  public init(
    id: Text, kind: Text = "", title: Text = "", url: Text? = nil, parameters: Value = [:],
    props: Value = [:], body: Value = [], presentation: Map = Map(), owner: ScreenOwner? = nil
  ) {
    self.id = id
    self.kind = kind
    self.title = title
    self.url = url
    self.parameters = parameters
    self.props = props
    self.body = body
    self.presentation = presentation
    self.owner = owner
    isPlaceholder = false
  }
}

/// The module that a screen belongs to.
public struct ScreenOwner: Hashable, Sendable {
  /// The module's name.
  public var module: Text
  /// The generation of the module that made the screen; nil if irrelevant.
  public var generation: Int?

  /// Names a module, and one of its loads.
  public init(module: Text, generation: Int? = nil) {
    self.module = module
    self.generation = generation
  }
}
