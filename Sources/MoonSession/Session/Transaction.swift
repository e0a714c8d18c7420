import MoonNavigation
import MoonStore
import MoonValues

/// What one action does until it is committed, as one or not at all.
///
/// Once committed it is what is recorded: the action as taken in and as reduced, the state before
/// and after, what was queued.
struct Transaction {
  /// An action that was reduced, and what its type sets in motion.
  struct Reduced {
    let action: Action
    let listeners: Listeners
  }

  /// An action that a module mapper has made.
  struct Mapped {
    let action: Action
    let mapper: Bound<ModuleMapper>
  }

  /// What only some actions do; an object of its own, so that the others don't carry it along.
  private final class Additions {
    var reduced: [Reduced] = []
    var mapped: [Mapped] = []
    var navigation: NavigationWork?
  }

  /// The action as it was taken in.
  let taken: Action
  /// What that action's type sets in motion.
  let listeners: Listeners
  /// How many bytes the history counts for that action.
  let bytes: Int
  /// The slices as they were.
  let before: Map
  /// The slices as they will be.
  var state: Map
  /// Whether the action was reduced as it was taken in, before anything else was.
  private var isTakenReduced = false
  private var additions: Additions?

  init(_ action: Action, _ listeners: Listeners, bytes: Int, state: Map) {
    taken = action
    self.listeners = listeners
    self.bytes = bytes
    before = state
    self.state = state
  }

  /// Whether the state has changed.
  var hasChanged: Bool { !state.isIdentical(to: before) }

  /// Whether nothing was done but reducing the action as it was taken in.
  var isPlain: Bool { isTakenReduced && additions == nil }

  /// All that was reduced, in order: middleware, mappers and routing may have made it of the
  /// action, with screens where URLs stood.
  var reduced: [Reduced] {
    (isTakenReduced ? [Reduced(action: taken, listeners: listeners)] : [])
      + (additions?.reduced ?? [])
  }

  /// Notes an action that was reduced.
  @inline(__always)
  mutating func note(_ action: Action, _ listeners: Listeners) {
    if additions == nil, !isTakenReduced, action.isIdentical(to: taken) {
      isTakenReduced = true
    } else {
      ensured().reduced.append(Reduced(action: action, listeners: listeners))
    }
  }

  /// What module mappers have made, to be queued.
  var mapped: [Mapped] {
    get { additions?.mapped ?? [] }
    set { ensured().mapped = newValue }
  }

  /// What is done to the navigation; nil while nothing is.
  var navigation: NavigationWork? {
    get { additions?.navigation }
    set { ensured().navigation = newValue }
  }

  /// The observers of all that was reduced, in their order, each once.
  var observers: [Bound<Observer>] {
    @inline(__always) get { isPlain ? listeners.observers : collectedObservers }
  }

  private var collectedObservers: [Bound<Observer>] {
    var seen: Set<Int> = []
    return reduced.flatMap(\.listeners.observers).filter { seen.insert($0.order).inserted }
      .sorted { $0.order < $1.order }
  }

  private mutating func ensured() -> Additions {
    if let additions { return additions }
    let made = Additions()
    additions = made
    return made
  }
}

/// What one action does to the navigation until it is committed.
struct NavigationWork {
  /// The tree as it will be.
  var tree: NavigationTree
  var transitions: [Transition] = []
  /// The routings that are done, and whose observers are told after the commit.
  var routings: [FinishedRouting] = []
  /// Makes the ids of new screens.
  var ids: ScreenIDs
  /// How many routings are under way, one within the other.
  var nesting = 0

  init(tree: NavigationTree) {
    self.tree = tree
    ids = ScreenIDs(in: tree)
  }
}

/// A routing that has happened, and whose observers are still to be told.
struct FinishedRouting {
  let result: RouteResult
  /// The screen as it was made; nil after a handler.
  let screen: Screen?
}
