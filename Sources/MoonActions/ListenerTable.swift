package import MoonValues

/// The listeners of each action.
///
/// The table is built once from all registrations and then only read.
///
/// The cost of a lookup doesn't depend on the number of listeners to other actions.
package struct ListenerTable<Listener> {
  private struct Entry {
    let pattern: ActionPattern
    let listener: Listener
    let order: Int
  }

  private var exact: [Text: [Entry]] = [:]
  /// Listeners to families by prefix, and listeners to all actions.
  private var families: [Entry] = []
  private var count = 0

  /// Makes an empty table.
  package init() {}

  /// Adds a listener after those added before.
  package mutating func add(_ listener: Listener, for pattern: ActionPattern) {
    let entry = Entry(pattern: pattern, listener: listener, order: count)
    count += 1
    if case .exact(let type) = pattern {
      exact[type, default: []].append(entry)
    } else {
      families.append(entry)
    }
  }

  /// The listeners to an action, in the order in which they were added.
  ///
  /// - Complexity: O(listeners to it + families).
  package func listeners(to type: Text) -> [Listener] {
    let own = exact[type] ?? []
    guard !families.isEmpty else { return own.map(\.listener) }
    let matching = families.filter { $0.pattern.matches(type) }
    guard !matching.isEmpty else { return own.map(\.listener) }
    return (own + matching).sorted { $0.order < $1.order }.map(\.listener)
  }
}
