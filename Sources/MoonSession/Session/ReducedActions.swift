import MoonStore

/// The actions that were reduced in a transaction, in order, each with its listeners.
///
/// Mostly there is one, or two of a routing: what shows the screen, and the routing itself. They
/// take no memory of their own, since making, filling and freeing an array takes 600 instructions.
struct ReducedActions {
  /// An action that was reduced, and its listeners.
  struct Element {
    let action: Action
    let listeners: Listeners
  }

  // Apart from the listeners, so that an action is read without them.
  private var first: Action?
  private var second: Action?
  private var listenersOfFirst: Listeners?
  private var listenersOfSecond: Listeners?
  private var others: [Element] = []
  /// The traits of all listeners together.
  private(set) var traits: Listeners.Traits = []

  mutating func append(_ action: Action, _ listeners: Listeners) {
    traits.formUnion(listeners.traits)
    if first == nil {
      (first, listenersOfFirst) = (action, listeners)
    } else if second == nil {
      (second, listenersOfSecond) = (action, listeners)
    } else {
      others.append(Element(action: action, listeners: listeners))
    }
  }

  /// Removes all but the first `count`, which is at most the number of actions.
  mutating func keepFirst(_ count: Int) {
    let kept = prefix(count)
    self = ReducedActions()
    for element in kept { append(element.action, element.listeners) }
  }

  /// Whether an action is there, and no other.
  func isOnly(_ action: Action) -> Bool {
    second == nil && first?.isIdentical(to: action) ?? false
  }

  /// Returns the position of an action with the id and the type of another; nil if there is none.
  func position(of taken: Action) -> Int? {
    func isTaken(_ action: Action) -> Bool { action.id == taken.id && action.type == taken.type }
    if let first, isTaken(first) { return 0 }
    if let second, isTaken(second) { return 1 }
    return others.firstIndex { isTaken($0.action) }.map { $0 + 2 }
  }

  /// Returns the action at a position, which must be in `0..<count`.
  func action(at position: Int) -> Action {
    switch (position, first, second) {
    case (0, let action?, _), (1, _, let action?): return action
    default: return others[position - 2].action
    }
  }
}

extension ReducedActions: RandomAccessCollection {
  var startIndex: Int { 0 }

  var endIndex: Int { first == nil ? 0 : second == nil ? 1 : 2 + others.count }

  subscript(position: Int) -> Element {
    switch (position, listenersOfFirst, listenersOfSecond) {
    case (0, let listeners?, _), (1, _, let listeners?):
      return Element(action: action(at: position), listeners: listeners)
    default: return others[position - 2]
    }
  }
}
