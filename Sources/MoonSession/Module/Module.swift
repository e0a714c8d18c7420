import MoonStore
public import MoonValues

/// One feature of an app: its name, its slice of the state and what it registers.
///
/// A module in Lua becomes one of these when it is loaded; one in Swift is made by hand and given
/// to the host. From then on the host treats them alike. A module keeps no state of its own:
/// several sessions share it.
public struct Module {
  /// The version of a state's shape that names none.
  public static let firstVersion: Int64 = 1

  /// Its name, which is also that of its slice.
  public let name: ModuleName
  /// What it is for, in a sentence.
  public var description: String?
  /// The version of its state's shape; see ``migrate``.
  public var version: Int64
  /// Its slice in a new session; nil if it has none.
  public var state: Value?
  /// Its own actions, with what their payloads must look like.
  public var actions: [ActionDeclaration] = []
  /// What changes its slice.
  public var reducers: [Reducer] = []
  /// What changes the whole state, after all slices were reduced.
  public var wholeStateReducers: [Reducer] = []
  /// What sees actions before they are reduced.
  public var middleware: [Middleware] = []
  /// What is told when a part of the state has changed.
  public var observers: [Observer] = []
  /// The URLs that lead to its screens and handlers.
  public var routes: [ModuleRoute] = []
  /// What has a say in how screens are presented.
  public var optionProviders: [OptionProvider] = []
  /// What sees, vetoes or redirects routings, and is told of them after.
  public var routingObservers: [RoutingObserver] = []
  /// What enriches screens before they are shown.
  public var presenters: [Presenter] = []
  /// What puts screens into the navigation tree, by the kind of option.
  public var routingPresenters: [RoutingPresenter] = []
  /// What is asked about URLs that no route took.
  public var unmatched: UnmatchedHandler?
  /// What draws screens, by their kind.
  public var views: [View] = []
  /// What fills slots in screens of other modules.
  public var extensions: [ViewExtension] = []
  /// What is told of the life of the module's screens.
  public var lifecycle: [LifecycleListener] = []
  /// What starts, stops and replaces things when an action comes.
  public var moduleMappers: [ModuleMapper] = []
  /// What navigates when an action was reduced.
  public var navigationMappers: [NavigationMapper] = []
  /// What actions start once they are committed.
  public var effects: [Effect] = []
  /// What runs when the module starts in a session, and when it leaves it.
  public var hooks = Hooks()
  /// Makes the slice of an older version into one of this version.
  public var migrate: Migration?

  /// Makes a module that registers nothing yet.
  public init(
    name: ModuleName, description: String? = nil, version: Int64 = firstVersion,
    state: Value? = nil
  ) {
    self.name = name
    self.description = description
    self.version = version
    self.state = state
  }
}

extension Module {
  /// Everything that it registers, in a fixed order.
  package var registrations: [Registration] {
    let parts: [[any Registrable]] = [
      reducers, wholeStateReducers, middleware, observers, routes, optionProviders,
      routingObservers, presenters, routingPresenters, views, extensions, lifecycle, moduleMappers,
      navigationMappers, effects, [unmatched].compactMap(\.self), hooks.all,
    ]
    return actions.map { Registration(.action, "\(name)/\($0.name)") }
      + parts.flatMap { $0.map(\.registration) }
  }

}
