import MoonStore
import MoonValues

/// What an action's type sets in motion, known before the action comes.
final class Listeners {
  let type: Text
  /// The module that the type belongs to; nil for the host's and for nobody's.
  let owner: ModuleName?
  let schema: PayloadSchema?
  let middleware: [Bound<Middleware>]
  let moduleMappers: [Bound<ModuleMapper>]
  /// The owner's first, then those of other modules.
  let reducers: [Bound<Reducer>]
  let wholeStateReducers: [Bound<Reducer>]
  /// Those that select something in the slices that the reducers may change.
  let observers: [Bound<Observer>]
  let navigationMappers: [Bound<NavigationMapper>]
  let effects: [Bound<Effect>]
  /// Whether anybody is told of the action once it is committed, whatever it has changed.
  let areToldAfter: Bool
  /// Whether anybody expects this type of action.
  let isKnown: Bool
  /// Whether the type is one of the host's that navigate.
  let isNavigation: Bool
  /// Whether all reducers are the owner's.
  let isOwnersAlone: Bool
  /// Whether only the host makes such actions, to tell of what has happened: `host/…` and
  /// `nav/did_…`.
  ///
  /// Anybody may listen to them. What nobody else can make, listeners can believe.
  let isHosts: Bool
  /// Whether middleware or a module mapper may put something else in the action's place.
  let mayChange: Bool

  /// Whether a registration belongs to the type's owner, whose failure fails the action.
  ///
  /// Others only listen: their failures cost their own part.
  func isOwners(_ registration: BoundRegistration) -> Bool { registration.owner == owner }

  /// Whether anybody hears of the action, expected or not.
  var isHeard: Bool {
    !reducers.isEmpty || !wholeStateReducers.isEmpty || mayChange || areToldAfter
  }

  init(
    type: Text, owner: ModuleName?, schema: PayloadSchema?, middleware: [Bound<Middleware>],
    moduleMappers: [Bound<ModuleMapper>], reducers: [Bound<Reducer>],
    wholeStateReducers: [Bound<Reducer>], observers: [Bound<Observer>],
    navigationMappers: [Bound<NavigationMapper>], effects: [Bound<Effect>], isKnown: Bool
  ) {
    self.type = type
    self.owner = owner
    self.schema = schema
    self.middleware = middleware
    self.moduleMappers = moduleMappers
    self.reducers = reducers
    self.wholeStateReducers = wholeStateReducers
    self.observers = observers
    self.navigationMappers = navigationMappers
    self.effects = effects
    self.isKnown = isKnown
    areToldAfter = !navigationMappers.isEmpty || !effects.isEmpty
    isOwnersAlone = reducers.allSatisfy { $0.owner == owner }
    isNavigation = NavigationActions.include(type)
    isHosts = type.hasPrefix("host/") || type.hasPrefix("nav/did_")
    mayChange = !middleware.isEmpty || !moduleMappers.isEmpty
  }

  /// Checks that an action in the place of another one isn't a new one of the host's.
  ///
  /// - Throws: ``DispatchError/madeByHostOnly(_:)``.
  func checkMaker(of action: Action, inPlaceOf other: Action) throws(DispatchError) {
    guard isHosts, !action.isIdentical(to: other) else { return }
    guard action.type == other.type, action.scriptPayload == other.scriptPayload else {
      throw .madeByHostOnly(action.type.string)
    }
  }
}
