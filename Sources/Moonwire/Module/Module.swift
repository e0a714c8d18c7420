public import MoonValues

/// One feature of an app: its name, its slice of the state and what it registers.
///
/// A module in Lua becomes one of these when it is loaded; one in Swift is made by hand and given
/// to ``Host/add(_:)``. From then on the host treats them alike. A module keeps no state of its
/// own: several sessions share it.
public struct Module {
  /// Its name, which is also that of its slice.
  public let name: ModuleName
  /// What it is for, in a sentence.
  public var description: String?
  /// The version of its state's shape; see ``migrate``.
  public var version: Int64
  /// What its slice is in a new session; nil if it has none.
  public var state: Value?
  /// Its own actions, with what their payloads must look like.
  public var actions: [ActionDeclaration]
  /// What changes its slice.
  public var reducers: [Reducer]
  /// What changes the whole state, after all slices were reduced.
  public var wholeStateReducers: [Reducer]
  /// What sees actions before they are reduced.
  public var middleware: [Middleware]
  /// What is told when a part of the state has changed.
  public var observers: [Observer]
  /// The URLs that lead to its screens and handlers.
  public var routes: [ModuleRoute]
  /// What has a say in how screens are presented.
  public var optionProviders: [OptionProvider]
  /// What sees, vetoes or redirects routings, and is told of them after.
  public var routingObservers: [RoutingObserver]
  /// What enriches screens before they are shown.
  public var presenters: [Presenter]
  /// What puts screens into the navigation tree, by the kind of option.
  public var routingPresenters: [RoutingPresenter]
  /// Is asked about URLs that no route took.
  public var unmatched: UnmatchedHandler?
  /// What draws screens, by their kind.
  public var views: [View]
  /// What is told of the life of the module's screens.
  public var lifecycle: [LifecycleListener]
  /// What starts, stops and replaces things when an action comes.
  public var moduleMappers: [ModuleMapper]
  /// What navigates when an action was reduced.
  public var navigationMappers: [NavigationMapper]
  /// Runs in each session when the module starts there.
  public var start: Hook?
  /// Runs in each session before the module leaves it.
  public var stop: Hook?
  /// Makes the slice of an older version, which it also gets, into one of this version.
  public var migrate: ((_ old: Value, _ version: Int64) throws -> Value)?

  /// Makes a module that registers nothing yet.
  public init(name: ModuleName, description: String? = nil, version: Int64 = 1, state: Value? = nil)
  {
    self.name = name
    self.description = description
    self.version = version
    self.state = state
    actions = []
    reducers = []
    wholeStateReducers = []
    middleware = []
    observers = []
    routes = []
    optionProviders = []
    routingObservers = []
    presenters = []
    routingPresenters = []
    views = []
    lifecycle = []
    moduleMappers = []
    navigationMappers = []
  }
}

/// The name of a module: a letter, then letters, digits and `_`, all ASCII, 64 at most.
///
/// It is the name of a file, of a slice and the first part of action types. The host has taken
/// ``taken`` for itself.
public struct ModuleName: Hashable, Comparable, Sendable, CustomStringConvertible {
  /// The name.
  public let text: String

  /// The longest name.
  public static let lengthMax = 64
  /// The names of the host's own actions and of the slice that holds the navigation.
  public static let taken: Set<String> = ["host", "nav", "navigation"]
  /// Whose the built-in routing presenters are, and the faults of navigation.
  static let navigation = ModuleName(unchecked: "nav")

  /// Checks a name; nil if it isn't one.
  public init?(_ text: String) {
    let bytes = text.utf8
    guard let first = bytes.first, bytes.count <= Self.lengthMax, !Self.taken.contains(text),
      Self.isLetter(first),
      bytes.allSatisfy({ Self.isLetter($0) || $0 == UInt8(ascii: "_") || (48...57).contains($0) })
    else { return nil }
    self.text = text
  }

  private init(unchecked text: String) { self.text = text }

  private static func isLetter(_ byte: UInt8) -> Bool {
    (65...90).contains(byte) || (97...122).contains(byte)
  }

  /// Orders by bytes: the order of modules in everything that the host does.
  public static func < (left: Self, right: Self) -> Bool {
    left.text.utf8.lexicographicallyPrecedes(right.text.utf8)
  }

  /// The name.
  public var description: String { text }
}
