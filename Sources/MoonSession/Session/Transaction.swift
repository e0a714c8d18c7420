import MoonNavigation
import MoonStore
import MoonValues

/// What one action does until it is committed, as one or not at all.
struct Transaction {
  /// An action that was reduced, and what its type sets in motion.
  struct Reduced {
    let action: Action
    let listeners: Listeners
  }

  /// The action as it was taken in.
  let taken: Action
  /// How many bytes the history counts for that action.
  let bytes: Int
  /// The slices as they were.
  let before: Map
  /// The slices as they will be.
  var state: Map
  /// What was reduced: middleware, mappers and routing may have made it of the action.
  ///
  /// The first has a place of its own, since most actions are reduced as they come.
  private(set) var first: Reduced?
  private(set) var others: [Reduced] = []
  /// What module mappers have made, to be queued.
  var mapped: [(action: Action, cause: Cause)] = []
  /// What is done to the navigation; nil while nothing is.
  var navigation: NavigationWork?

  init(_ action: Action, bytes: Int, state: Map) {
    taken = action
    self.bytes = bytes
    before = state
    self.state = state
  }

  /// All that was reduced, in order.
  var reduced: [Reduced] { first.map { [$0] + others } ?? [] }

  /// Notes an action that was reduced.
  mutating func note(_ action: Action, _ listeners: Listeners) {
    let reduced = Reduced(action: action, listeners: listeners)
    if first == nil { first = reduced } else { others.append(reduced) }
  }

  /// The observers of all that was reduced, in their order, each once.
  var observers: [Bound<Observer>] {
    guard !others.isEmpty else { return first?.listeners.observers ?? [] }
    var seen: Set<Int> = []
    return reduced.flatMap(\.listeners.observers).filter { seen.insert($0.order).inserted }
      .sorted { $0.order < $1.order }
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

/// One commit, for whoever records it.
struct Commit {
  private let transaction: Transaction
  /// Whether the state has changed.
  let hasChanged: Bool

  init(_ transaction: Transaction, hasChanged: Bool) {
    self.transaction = transaction
    self.hasChanged = hasChanged
  }

  /// The action as it was taken in.
  var taken: Action { transaction.taken }
  /// How many bytes the action takes, as far as that was counted.
  var bytes: Int { transaction.bytes }
  /// Whether the action was reduced as it was taken in, and nothing else was.
  var isPlain: Bool {
    transaction.others.isEmpty && transaction.first?.action.isSame(as: taken) ?? true
  }
  /// The actions as they were reduced: with screens where URLs stood, in the order of reducing.
  var reduced: [Action] { transaction.reduced.map(\.action) }
  /// The state before.
  var before: Map { transaction.before }
  /// The state after.
  var after: Map { transaction.state }
  /// What was queued with the commit.
  var queued: [Action] { transaction.mapped.map(\.action) }
}

extension Action {
  /// Whether it is the same action, and not only an equal one.
  func isSame(as other: Action) -> Bool { meta.id == other.meta.id && self == other }
}
