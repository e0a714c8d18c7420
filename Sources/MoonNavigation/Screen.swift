public import MoonValues

/// One page of an app, without its looks: what is shown, where it came from and whose it is.
///
/// Two screens with the same id are the same screen at two times.
public struct Screen: Equatable, Sendable {
  /// What names the screen; unique in a tree, containers' ids and window ids included.
  public var id: Text
  /// Which of its module's views draws it, such as `counter`.
  public var kind: Text
  /// What people read above it.
  public var title: Text
  /// The URL that led to it, nil if none did.
  public var url: Text?
  /// The parameters it was routed with.
  public var parameters: Value
  /// What its module handed over to draw it by.
  public var props: Value
  /// Its elements; navigation never looks inside.
  public var body: Value
  /// The module that made it, nil for the program itself.
  public var owner: ScreenOwner?
  /// Whether it only keeps the place of a screen that can't be made just now.
  public var isPlaceholder: Bool

  /// Makes a screen that isn't a placeholder.
  public init(
    id: Text, kind: Text = "", title: Text = "", url: Text? = nil, parameters: Value = [:],
    props: Value = [:], body: Value = [], owner: ScreenOwner? = nil
  ) {
    self.id = id
    self.kind = kind
    self.title = title
    self.url = url
    self.parameters = parameters
    self.props = props
    self.body = body
    self.owner = owner
    isPlaceholder = false
  }
}

/// The module that a screen belongs to.
public struct ScreenOwner: Hashable, Sendable {
  /// The module's name.
  public var module: Text
  /// The load of the module that made the screen, nil where that doesn't matter.
  public var generation: Int?

  /// Names a module, and one of its loads.
  public init(module: Text, generation: Int? = nil) {
    self.module = module
    self.generation = generation
  }
}
