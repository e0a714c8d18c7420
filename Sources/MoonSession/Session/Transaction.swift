import MoonActions
import MoonModules
import MoonNavigation
import MoonValues

/// The effects of one action until they are committed, all of them or none.
///
/// After the commit it is the record of the commit: the action as taken in and as reduced, the
/// state before and after, and the actions queued.
struct Transaction: ~Copyable {
  /// How the action was taken in; nil if it was alone and no mapper made it.
  struct Arrival {
    /// The other actions that are carried out as one with it.
    let others: [Action]
    /// Whether a module mapper made it.
    let isMapped: Bool
  }

  /// The effects that only some actions have, in an object of their own so that other actions don't
  /// carry them.
  private final class Additions {
    var arrival: Arrival?
    var mapped: [MappedAction] = []
    var notes = CommitNotes()
  }

  /// The action as it was taken in.
  let taken: Action
  /// The listeners to that action.
  let listeners: Listeners
  /// The size of that action in the history, in bytes.
  let bytes: Int
  /// The slice that its reducer changes in place, or has changed.
  var lent = LentValue(.null)
  private let slices: Slices
  private var change = Change.none
  /// All actions that were reduced.
  ///
  /// Middleware, mappers and routing may have made them from the action, with screens in place of
  /// URLs.
  private(set) var reduced = ReducedActions()
  /// The changes of the navigation; nil if there are none yet.
  var navigation: PendingNavigation?
  private var additions: Additions?

  /// How the action has changed the slices.
  private enum Change {
    /// The slices are those of the session.
    case none
    /// The session has lent one of its slices, which is back. ``lent`` says how it has changed.
    case inPlace
    /// The action has slices of its own, which the commit gives to the session.
    case copy(before: Map, after: Map)
  }

  init(_ action: Action, _ listeners: Listeners, bytes: Int, changing slices: Slices) {
    taken = action
    self.listeners = listeners
    self.bytes = bytes
    self.slices = slices
  }

  /// The slices before the action.
  ///
  /// - Complexity: O(log n) for a slice that was changed in place.
  var before: Map {
    switch change {
    case .none: slices.state
    case .inPlace: lent.change.slices(slices.state, lent.place)
    case .copy(let before, _): before
    }
  }

  /// The slices after the action.
  var state: Map {
    get { ownSlices ?? slices.state }
    _modify {
      var (before, after) = (before, state)
      // Not held twice, so that a change copies nothing that the action has made itself.
      change = .none
      defer { change = .copy(before: before, after: after) }
      yield &after
    }
  }

  /// The slices after the action that the commit gives to the session; nil if it has them already.
  var ownSlices: Map? { if case .copy(_, let after) = change { after } else { nil } }

  /// Whether the state has changed.
  var hasChanged: Bool {
    switch change {
    case .none: false
    case .inPlace: !lent.change.isNone
    case .copy(let before, let after): !after.isIdentical(to: before)
    }
  }

  /// Notes that the session has lent a slice, which is back.
  mutating func noteChangeInPlace() { change = .inPlace }

  /// Returns what a selection was before and after the action; nil if it is unchanged.
  func change(of selection: StateSelection) -> (old: Value?, new: Value?)? {
    switch change {
    case .none: nil
    case .inPlace: selection.change(by: lent.change, at: lent.place, in: slices.state)
    case .copy(let before, let after): selection.change(from: before, to: after)
    }
  }

  /// Whether nothing has happened yet, and no other actions are carried out as one with this one.
  var isUntouched: Bool {
    guard case .none = change else { return false }
    return reduced.isEmpty && navigation == nil && additions == nil
  }

  /// Whether the only effect was to reduce the action as it was taken in.
  var isPlain: Bool { navigation == nil && additions == nil && reduced.isOnly(taken) }

  /// Whether middleware dropped the actions, so that nothing came of them.
  var isDropped: Bool {
    reduced.isEmpty && navigation == nil && additions?.mapped.isEmpty ?? true
  }

  /// Adds an action that was reduced.
  mutating func note(_ action: Action, _ listeners: Listeners) {
    reduced.append(action, listeners)
  }

  /// How the action was taken in; nil if it was alone and no mapper made it.
  var arrival: Arrival? { additions?.arrival }

  /// Notes how the action was taken in.
  mutating func noteArrival(with others: [Action]?, isMapped: Bool) {
    ensured().arrival = Arrival(others: others ?? [], isMapped: isMapped)
  }

  /// The actions of module mappers, to be queued.
  var mapped: [MappedAction] {
    get { additions?.mapped ?? [] }
    set { ensured().mapped = newValue }
  }

  /// What else a replay needs.
  var notes: CommitNotes {
    get { additions?.notes ?? CommitNotes() }
    set { ensured().notes = newValue }
  }

  /// The observers of all actions that were reduced, in their order, each once.
  var observers: [Bound<Observer>] {
    isPlain ? listeners.observers : collectedObservers
  }

  private var collectedObservers: [Bound<Observer>] {
    guard reduced.traits.contains(.observers) else { return [] }
    let observers = reduced.flatMap { $0.listeners.observers }
    var seen: Set<Int> = []
    return observers.filter { seen.insert($0.order).inserted }.sorted { $0.order < $1.order }
  }

  /// A point in a transaction to which it can go back.
  enum Mark {
    /// Before it had any effect, as most points are.
    case beginning
    case after(Effects)

    /// After these effects.
    struct Effects {
      fileprivate let state: Map
      fileprivate let navigation: PendingNavigation?
      fileprivate let reducedCount: Int
      fileprivate let mappedCount: Int
    }
  }

  var mark: Mark {
    if isUntouched { return .beginning }
    return .after(
      Mark.Effects(
        state: state, navigation: navigation?.copy(), reducedCount: reduced.count,
        mappedCount: additions?.mapped.count ?? 0))
  }

  /// Undoes everything since a point.
  mutating func goBack(to mark: Mark) {
    switch mark {
    case .beginning:
      change = .none
      navigation = nil
      reduced = ReducedActions()
      additions = nil
    case .after(let effects):
      state = effects.state
      navigation = effects.navigation
      reduced.keepFirst(effects.reducedCount)
      additions?.mapped.removeSubrange(effects.mappedCount...)
    }
  }

  private mutating func ensured() -> Additions {
    if let additions { return additions }
    let made = Additions()
    additions = made
    return made
  }
}

/// The changes of the navigation by one action, until they are committed.
///
/// An object, since a routing passes it on at each of its steps.
final class PendingNavigation {
  /// The tree after the action.
  var tree: NavigationTree
  var transitions: [Transition] = []
  /// The completed routings, whose observers are called after the commit.
  var routings: [FinishedRouting] = []
  /// The source of ids for new screens.
  var ids: ScreenIDs
  /// The number of routings in progress, each within the one before.
  var nesting = 0
  /// The action in progress, of which others may be parts; nil if it waits for a guard.
  private(set) var whole: Action?
  /// The guards that were asked for the action in progress; nil before it routes.
  private(set) var guards: RoutingGuards?
  /// The actions that wait for guards.
  var waiting: [WaitingRouting] = []
  /// The actions that routed, or wait to.
  var routed: [RoutedAction] = []

  init(tree: NavigationTree) {
    self.tree = tree
    ids = ScreenIDs(in: tree)
  }

  func copy() -> PendingNavigation {
    let copy = PendingNavigation(tree: tree)
    (copy.transitions, copy.routings, copy.ids) = (transitions, routings, ids)
    (copy.nesting, copy.whole, copy.guards) = (nesting, whole, guards)
    (copy.waiting, copy.routed) = (waiting, routed)
    return copy
  }

  /// Whether the last change, a step, has put a screen on a stack as it was made.
  func hasBrought(_ screen: Screen) -> Bool {
    transitions.last?.brings(screen) ?? false
  }

  /// The screen that the last change, a step, has put on a stack; nil for any other change.
  var arrival: (screen: Screen, windowID: Text)? {
    transitions.last?.arrival
  }

  /// Notes the action in progress; nil if it waits for a guard.
  func begin(_ action: Action?) {
    whole = action
    guards = nil
  }

  /// Returns the guards of the action in progress, of which another may be a part.
  func guards(of action: Action) -> RoutingGuards {
    if let guards { return guards }
    let made = RoutingGuards(whole ?? action)
    if whole != nil { guards = made }
    return made
  }
}

/// An action that routed, or waits to.
struct RoutedAction {
  let action: Action
  /// The key window when it had routed.
  let keyWindowID: Text?

  /// The URL that it routes.
  var url: Text { action.payload.field(.url)?.textValue ?? action.type }

  /// The window that it routes in.
  var windowID: Text? {
    action.payload.field(.window)?.textValue
      ?? action.payload.field(.option)?.field(.window)?.textValue ?? keyWindowID
  }
}

/// A completed routing whose observers are still to be called.
struct FinishedRouting {
  let result: RouteResult
  /// The screen that was made; nil after a handler.
  let screen: Screen?
}
