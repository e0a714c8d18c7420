import MoonActions
public import MoonNavigation
package import MoonRouting
public import MoonValues

/// A URL pattern and its target: a screen, or a handler.
public struct Route: Registrable {
  /// A function that makes the screen.
  ///
  /// It returns nil to decline, and the search for a route continues.
  ///
  /// The host fills in the id, kind, URL, parameters and owner if they are empty.
  public typealias ScreenProvider = (
    _ route: RouteResult, _ context: SessionContext
  ) throws -> Screen?
  /// A function that does what the URL asks for.
  public typealias Handler = (
    _ route: RouteResult, _ context: SessionContext
  ) throws -> HandlerAnswer

  /// Decides whether the route takes a URL that its pattern matches: nil leaves it to other routes,
  /// and parameters are added to those of the URL.
  ///
  /// It is called before option providers and routing observers.
  public typealias Condition = (
    _ route: RouteResult, _ context: SessionContext
  ) throws -> Map?

  /// The target of a route.
  package enum Target {
    /// A screen.
    case screen(ScreenProvider)
    /// A handler.
    case handler(Handler)
  }

  /// The URLs that the route takes.
  package let pattern: RoutePattern
  /// The name that URLs are built by; nil if none are built from the route.
  package let name: Text?
  /// The priority: routes of higher priority are tried first, and 0 is the default.
  package let priority: Int
  /// The way of presenting the screen, unless the routing or an option provider sets another.
  package let option: RoutingOption?
  /// The route whose screen is put below this route's screen in an empty stack, so that a deep link
  /// has something to go back to.
  package let parent: ParentRoute?
  /// The kind of screens whose provider sets none; nil means the route's name, or the module's.
  package let kind: Text?
  /// The kind, name and place of the registration.
  package let registration: Registration
  /// The types that it was made from, until it is put into a module; nil if there are none.
  package var typed: TypedParts?
  package let target: Target
  package let condition: Condition?

  // Stored, since asking the pattern copies it.
  /// Whether the pattern has groups, which URLs may leave out.
  package let hasGroups: Bool

  /// Whether the route decides for each URL that its pattern matches whether it takes it.
  package var isConditional: Bool { condition != nil }

  /// Makes a route to a screen.
  package init(
    _ pattern: RoutePattern, name: Text? = nil, priority: Int = 0, option: RoutingOption? = nil,
    kind: Text? = nil, parent: ParentRoute? = nil, place: SourcePlace? = nil,
    when condition: Condition? = nil, screen: @escaping ScreenProvider
  ) {
    self.pattern = pattern
    hasGroups = pattern.hasGroups
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
  package init(
    _ pattern: RoutePattern, name: Text? = nil, priority: Int = 0, place: SourcePlace? = nil,
    when condition: Condition? = nil, handler: @escaping Handler
  ) {
    self.pattern = pattern
    hasGroups = pattern.hasGroups
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

/// A handler's answer to a URL.
public enum HandlerAnswer: Sendable, Equatable {
  /// The handler has handled the URL.
  case handled
  /// The handler declines, and the search for a route continues.
  case declined
  /// Another URL is routed instead.
  case redirected(Redirect)
}

/// A URL to route instead of another.
public struct Redirect: Sendable, Equatable {
  // Boxed, since each answer of an observer or a handler may be one.
  private let routed: Boxed<RoutedURL>

  /// The URL.
  package var url: Text { routed.contents.url }
  /// The parameters to pass with it.
  ///
  /// Parameters of the redirected routing are passed as well, and these replace those of the same
  /// name.
  package var parameters: Map { routed.contents.parameters }
  /// The way of presenting the screen; nil means the option of the route that takes the URL.
  package var option: RoutingOption? { routed.contents.option }

  /// Makes a redirect.
  public init(to url: Text, passing parameters: Map = Map(), option: RoutingOption? = nil) {
    routed = Boxed(RoutedURL(url: url, parameters: parameters, option: option))
  }

  /// What is routed instead, with the parameters passed before, replaced by its own of the same
  /// name.
  package func routedURL(passing passed: Map) -> RoutedURL {
    var routed = routed.contents
    routed.parameters = passed
    for (key, value) in parameters { routed.parameters[key] = value }
    return routed
  }
}

/// A URL to route, and what is passed with it.
package struct RoutedURL: Equatable, Sendable {
  package let url: Text
  /// The parameters besides those of the URL.
  package var parameters = Map()
  /// The way of presenting the screen; nil means the option of the route that takes the URL.
  package var option: RoutingOption?

  /// Makes a URL to be routed.
  package init(url: Text, parameters: Map = Map(), option: RoutingOption? = nil) {
    self.url = url
    self.parameters = parameters
    self.option = option
  }
}
