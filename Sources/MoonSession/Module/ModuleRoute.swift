public import MoonNavigation
public import MoonRouting
import MoonStore
public import MoonValues

/// A pattern that URLs are found by, and what it leads to: a screen, or a handler without one.
public struct ModuleRoute: Registrable {
  /// Makes the screen; nil declines, and the search for a route goes on.
  ///
  /// The host fills in what is left empty: the id, the kind, the URL, the parameters, the owner.
  public typealias ScreenProvider = (
    _ route: RouteResult, _ context: SessionContext
  ) throws -> Screen?
  /// Does what the URL asks for.
  public typealias Handler = (
    _ route: RouteResult, _ context: SessionContext
  ) throws -> HandlerAnswer

  /// Whether the route takes a URL that its pattern matches; asked before anybody else.
  public typealias Condition = (
    _ route: RouteResult, _ context: SessionContext
  ) throws -> Bool

  /// What a route leads to.
  public enum Target {
    /// A screen.
    case screen(ScreenProvider)
    /// A handler.
    case handler(Handler)
  }

  /// Which URLs it is for.
  public let pattern: RoutePattern
  /// What URLs are made by; nil for a route that no URL is made of.
  public let name: Text?
  /// Routes of higher priority come first; 0 is usual.
  public let priority: Int
  /// How the screen is presented unless somebody says otherwise.
  public let option: RoutingOption?
  /// The route whose screen is put below its own where nothing is: a deep link into an empty app has
  /// something to go back to then.
  public let parent: ParentRoute?
  /// The kind of the screen unless its provider gives it one: nil for the name, or the module's.
  public let kind: Text?
  /// What names it.
  public let registration: Registration
  package let target: Target
  let condition: Condition?

  /// Whether it decides for each URL that its pattern matches whether it takes it.
  public var isConditional: Bool { condition != nil }

  /// Makes a route to a screen.
  public init(
    _ pattern: RoutePattern, name: Text? = nil, priority: Int = 0, option: RoutingOption? = nil,
    kind: Text? = nil, parent: ParentRoute? = nil, place: SourcePlace? = nil,
    when condition: Condition? = nil, screen: @escaping ScreenProvider
  ) {
    self.pattern = pattern
    self.name = name
    self.priority = priority
    self.option = option
    self.kind = kind
    self.parent = parent
    registration = Registration(.route, pattern.text.string, place: place)
    target = .screen(screen)
    self.condition = condition
  }

  /// Makes a route to a handler.
  public init(
    _ pattern: RoutePattern, name: Text? = nil, priority: Int = 0, place: SourcePlace? = nil,
    when condition: Condition? = nil, handler: @escaping Handler
  ) {
    self.pattern = pattern
    self.name = name
    self.priority = priority
    option = nil
    kind = nil
    parent = nil
    registration = Registration(.handler, pattern.text.string, place: place)
    target = .handler(handler)
    self.condition = condition
  }
}

/// What became of a URL that a handler got.
public enum HandlerAnswer: Sendable, Equatable {
  /// It is done.
  case handled
  /// It isn't the handler's after all: the search goes on.
  case declined
  /// Another URL is routed instead.
  case redirected(Redirect)
}

/// The URL that is routed in place of another.
public struct Redirect: Sendable, Equatable {
  /// The URL.
  public let url: Text
  /// The parameters passed with it.
  ///
  /// What the routing passed that is redirected goes along, below these.
  public let parameters: Map
  /// How the screen is presented; nil for the way of the route that takes the URL.
  public let option: RoutingOption?

  /// Names a URL.
  public init(to url: Text, passing parameters: Map = Map(), option: RoutingOption? = nil) {
    self.url = url
    self.parameters = parameters
    self.option = option
  }

  /// The same, with what was passed before below its own parameters.
  func carrying(_ passed: Map) -> Redirect {
    var parameters = passed
    for (key, value) in self.parameters { parameters[key] = value }
    return Redirect(to: url, passing: parameters, option: option)
  }
}
