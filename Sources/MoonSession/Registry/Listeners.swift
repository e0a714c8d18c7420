import MoonActions
import MoonModules
import MoonServiceKit
import MoonValues

/// The registrations that listen to a type of action, found before the action comes.
final class Listeners {
  /// What is known about the registrations without looking at them.
  struct Traits: OptionSet {
    let rawValue: Int

    /// All reducers belong to the owner.
    static let onlyOwnReducers = Traits(rawValue: 1)
    /// There are reducers of the whole state.
    static let wholeStateReducers = Traits(rawValue: 2)
    /// There are observers.
    static let observers = Traits(rawValue: 4)
    /// Something responds to the action.
    static let answers = Traits(rawValue: 8)
  }

  let type: Text
  /// The module that the type belongs to; nil for a type of the host's or of no module.
  let owner: ModuleName?
  let schema: PayloadSchema?
  let middleware: [Bound<Middleware>]
  let moduleMappers: [Bound<ModuleMapper>]
  /// The reducers: the owner's first, then those of other modules.
  let reducers: [Bound<Reducer>]
  let wholeStateReducers: [Bound<Reducer>]
  /// The observers that select something in the slices that the reducers may change.
  let observers: [Bound<Observer>]
  /// The registrations that respond to the action once it is committed.
  let answers: CommitListeners
  /// The owner's reducer, if nothing else takes part in reducing the action: after it, nothing can
  /// fail the action.
  let soleReducer: Bound<Reducer>?
  let traits: Traits
  /// Whether any module knows this type of action.
  let isKnown: Bool
  /// Whether the type is one of the host's that change the navigation.
  let isNavigation: Bool
  /// Whether all reducers belong to the owner.
  var hasOnlyOwnReducers: Bool { traits.contains(.onlyOwnReducers) }
  /// Whether only the host may make actions of the type: `host/…` and `nav/did_…`, which announce
  /// events.
  ///
  /// Any module may listen to them, and can rely on the host having made them.
  let isHostOnly: Bool
  /// Whether middleware or a module mapper may replace the action.
  var mayBeReplaced: Bool { !middleware.isEmpty || !moduleMappers.isEmpty }

  /// Returns whether a registration belongs to the type's owner, so that its failure fails the
  /// action.
  ///
  /// A failure of any other registration undoes only its own changes.
  func belongsToOwner(_ registration: BoundRegistration) -> Bool { registration.owner == owner }

  /// Whether any registration receives the action, whether the type is known or not.
  var hasListeners: Bool {
    !reducers.isEmpty || !wholeStateReducers.isEmpty || mayBeReplaced || !answers.isEmpty
  }

  /// Returns whether a quick check shows that a payload has no problems; it may be false for a
  /// valid one.
  func simplyAccept(_ payload: Value) -> Bool { schema?.isSimplyValid(payload) ?? true }

  init(
    type: Text, owner: ModuleName?, schema: PayloadSchema?, middleware: [Bound<Middleware>],
    moduleMappers: [Bound<ModuleMapper>], reducers: [Bound<Reducer>],
    wholeStateReducers: [Bound<Reducer>], observers: [Bound<Observer>],
    answers: CommitListeners, isKnown: Bool
  ) {
    self.type = type
    self.owner = owner
    self.schema = schema
    self.middleware = middleware
    self.moduleMappers = moduleMappers
    self.reducers = reducers
    self.wholeStateReducers = wholeStateReducers
    self.observers = observers
    self.answers = answers
    self.isKnown = isKnown
    traits = [
      reducers.allSatisfy { $0.owner == owner } ? .onlyOwnReducers : [],
      wholeStateReducers.isEmpty ? [] : .wholeStateReducers, observers.isEmpty ? [] : .observers,
      answers.isEmpty ? [] : .answers,
    ]
    isNavigation = NavigationActions.include(type)
    isHostOnly = type.hasPrefix("host/") || type.hasPrefix("nav/did_")
    let isSole =
      reducers.count == 1 && traits.contains(.onlyOwnReducers) && wholeStateReducers.isEmpty
      && middleware.isEmpty && moduleMappers.isEmpty && !isNavigation
    soleReducer = isSole ? reducers.first : nil
  }

  /// Checks that a replacement isn't an action that only the host may make.
  ///
  /// - Throws: ``DispatchError/reservedForHost(_:)``.
  func checkMaker(of action: Action, inPlaceOf other: Action) throws(DispatchError) {
    guard isHostOnly, !action.isIdentical(to: other) else { return }
    guard action.type == other.type, action.scriptPayload == other.scriptPayload else {
      throw .reservedForHost(action.type.string)
    }
  }
}

/// The registrations that respond to an action once it is committed, in the order of their stages.
struct CommitListeners {
  let navigationMappers: [Bound<NavigationMapper>]
  let afterReduce: [Bound<AfterReduce>]
  let effects: [Bound<Effect>]
  /// Whether the action switches requests on or off.
  let turnsRequests: Bool
  /// Whether nothing responds to the action.
  let isEmpty: Bool

  init(
    navigationMappers: [Bound<NavigationMapper>], afterReduce: [Bound<AfterReduce>],
    effects: [Bound<Effect>], turnsRequests: Bool = false
  ) {
    self.navigationMappers = navigationMappers
    self.afterReduce = afterReduce
    self.effects = effects
    self.turnsRequests = turnsRequests
    isEmpty =
      navigationMappers.isEmpty && afterReduce.isEmpty && effects.isEmpty && !turnsRequests
  }
}
