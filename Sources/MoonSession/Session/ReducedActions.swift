import MoonActions

/// The actions that were reduced in a transaction, in order, each with its listeners.
struct ReducedActions {
  /// An action that was reduced, and its listeners.
  struct Element {
    let action: Action
    let listeners: Listeners
  }

  // Usually there is one, which takes no memory of its own.
  private var first: Element?
  private var others: [Element] = []
  /// The traits of all listeners together.
  private(set) var traits: Listeners.Traits = []

  mutating func append(_ action: Action, _ listeners: Listeners) {
    traits.formUnion(listeners.traits)
    let element = Element(action: action, listeners: listeners)
    if first == nil { first = element } else { others.append(element) }
  }

  /// Removes all but the first `count`, which is at most the number of actions.
  mutating func keepFirst(_ count: Int) {
    let kept = prefix(count)
    self = ReducedActions()
    for element in kept { append(element.action, element.listeners) }
  }

  /// Whether there is exactly one action.
  func isOnly(_ action: Action) -> Bool {
    others.isEmpty && first?.action.isIdentical(to: action) ?? false
  }

  /// Returns the position of an action with the id and the type of another; nil if there is none.
  func position(of taken: Action) -> Int? {
    firstIndex { $0.action.id == taken.id && $0.action.type == taken.type }
  }
}

extension ReducedActions: RandomAccessCollection {
  var startIndex: Int { 0 }

  var endIndex: Int { first == nil ? 0 : 1 + others.count }

  subscript(position: Int) -> Element {
    if position == 0, let first { return first }
    return others[position - 1]
  }
}
