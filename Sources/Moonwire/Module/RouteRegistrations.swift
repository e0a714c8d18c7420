public import MoonNavigation
public import MoonRouting
public import MoonStore
public import MoonValues

/// A pattern that URLs are found by, and what it leads to: a screen, or a handler without one.
public struct ModuleRoute {
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

  enum Target {
    case screen(ScreenProvider)
    case handler(Handler)
  }

  /// Which URLs it is for.
  public let pattern: RoutePattern
  /// What URLs are made by, see ``Host/url(for:_:)``.
  public let name: Text?
  /// Higher ones come first; 0 is usual.
  public let priority: Int
  /// How the screen is presented unless somebody says otherwise.
  public let option: RoutingOption?
  /// The kind of the screen unless its provider gives it one: nil for the name, or the module's.
  public let kind: Text?
  let target: Target
  let registration: Registration

  /// Makes a route to a screen.
  public init(
    _ pattern: RoutePattern, name: Text? = nil, priority: Int = 0, option: RoutingOption? = nil,
    kind: Text? = nil, screen: @escaping ScreenProvider
  ) {
    self.init(
      pattern, name: name, priority: priority, option: option, kind: kind, place: nil,
      .screen(screen))
  }

  /// Makes a route to a handler.
  public init(
    _ pattern: RoutePattern, name: Text? = nil, priority: Int = 0, handler: @escaping Handler
  ) {
    self.init(
      pattern, name: name, priority: priority, option: nil, kind: nil, place: nil,
      .handler(handler))
  }

  init(
    _ pattern: RoutePattern, name: Text?, priority: Int, option: RoutingOption?, kind: Text?,
    place: SourcePlace?, _ target: Target
  ) {
    self.pattern = pattern
    self.name = name
    self.priority = priority
    self.option = option
    self.kind = kind
    self.target = target
    let isHandler = if case .handler = target { true } else { false }
    registration = Registration(
      isHandler ? .handler : .route, pattern.text.string, place: place)
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
  /// What is passed with it.
  public let parameters: Map

  /// Names a URL.
  public init(to url: Text, passing parameters: Map = Map()) {
    self.url = url
    self.parameters = parameters
  }
}

/// A function that has a say in how a screen is presented.
///
/// All are asked, those of low priority first; the last opinion counts.
public struct OptionProvider {
  /// Gets the option as it stands; nil for no opinion.
  public typealias Body = (
    _ route: RouteResult, _ current: RoutingOption?, _ context: SessionContext
  ) throws -> RoutingOption?

  /// The pattern it is asked about, nil for all.
  public let pattern: Text?
  /// Higher ones have the last word; 0 is usual.
  public let priority: Int
  let registration: Registration
  let body: Body

  /// Makes an option provider.
  public init(pattern: Text? = nil, priority: Int = 0, _ body: @escaping Body) {
    self.init(pattern: pattern, priority: priority, place: nil, body)
  }

  init(pattern: Text?, priority: Int, place: SourcePlace?, _ body: @escaping Body) {
    self.pattern = pattern
    self.priority = priority
    registration = Registration(.optionProvider, pattern?.string ?? "all routes", place: place)
    self.body = body
  }
}

/// What sees routings before they happen, and is told after.
public struct RoutingObserver {
  /// Whether a routing goes on.
  public enum Decision: Sendable, Equatable {
    /// It does.
    case proceed
    /// It doesn't.
    case veto(reason: String?)
    /// Another URL is routed instead.
    case redirect(Redirect)
  }

  /// Decides before anything is made.
  public typealias Will = (_ route: RouteResult, _ context: SessionContext) throws -> Decision
  /// Gets the screen as it was shown; nil after a handler.
  public typealias Did = (
    _ route: RouteResult, _ screen: Screen?, _ context: SessionContext
  ) throws -> Void

  /// The pattern it observes, nil for all.
  public let pattern: Text?
  /// Higher ones come first; 0 is usual.
  public let priority: Int
  let registration: Registration
  let will: Will?
  let did: Did?

  /// Makes an observer.
  public init(pattern: Text? = nil, priority: Int = 0, will: Will? = nil, did: Did? = nil) {
    self.init(pattern: pattern, priority: priority, place: nil, will: will, did: did)
  }

  init(pattern: Text?, priority: Int, place: SourcePlace?, will: Will?, did: Did?) {
    self.pattern = pattern
    self.priority = priority
    registration = Registration(.routingObserver, pattern?.string ?? "all routes", place: place)
    self.will = will
    self.did = did
  }
}

/// A function that enriches screens before they are shown.
public struct Presenter {
  /// Changes the screen where it lies; its id, URL and owner stay what they are.
  public typealias Body = (
    _ screen: inout Screen, _ route: RouteResult, _ context: SessionContext
  ) throws -> Void

  /// The pattern whose screens it enriches, nil for all.
  public let pattern: Text?
  /// Higher ones come first; 0 is usual.
  public let priority: Int
  let registration: Registration
  let body: Body

  /// Makes a presenter.
  public init(pattern: Text? = nil, priority: Int = 0, _ body: @escaping Body) {
    self.init(pattern: pattern, priority: priority, place: nil, body)
  }

  init(pattern: Text?, priority: Int, place: SourcePlace?, _ body: @escaping Body) {
    self.pattern = pattern
    self.priority = priority
    registration = Registration(.presenter, pattern?.string ?? "all routes", place: place)
    self.body = body
  }
}

/// A function that puts a screen into the navigation tree, for one kind of routing option.
public struct RoutingPresenter {
  /// Says what shall happen to the tree: `nav/…` actions, carried out as one.
  public typealias Body = (
    _ screen: Screen, _ option: RoutingOption, _ context: SessionContext
  ) throws -> [Action]

  /// The kind of option that it is for, such as `push` or one of a module's own.
  public let kind: Text
  /// The highest one presents; 0 is usual, the host's own have −1000.
  public let priority: Int
  let registration: Registration
  let body: Body

  /// Makes a routing presenter.
  public init(_ kind: Text, priority: Int = 0, _ body: @escaping Body) {
    self.init(kind, priority: priority, place: nil, body)
  }

  init(_ kind: Text, priority: Int, place: SourcePlace?, _ body: @escaping Body) {
    self.kind = kind
    self.priority = priority
    registration = Registration(.routingPresenter, kind.string, place: place)
    self.body = body
  }
}

/// A function that is asked about URLs that no route took.
public struct UnmatchedHandler {
  /// Gets the URL and what was passed with it.
  public typealias Body = (
    _ url: Text, _ parameters: Map, _ context: SessionContext
  ) throws -> HandlerAnswer

  let registration: Registration
  let body: Body

  /// Makes an unmatched handler.
  public init(_ body: @escaping Body) {
    self.init(place: nil, body)
  }

  init(place: SourcePlace?, _ body: @escaping Body) {
    registration = Registration(.unmatched, "unmatched", place: place)
    self.body = body
  }
}
