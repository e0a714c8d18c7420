import MoonModules
import MoonNavigation
package import MoonValues

/// The navigation tree in the slice `navigation`, with the last tree that was read.
package struct NavigationState {
  /// The routings that wait for guards.
  var waiting = WaitingRoutings()
  /// The key of the slice that holds the navigation.
  ///
  /// The slice exists from the first change on.
  package static var key: Key { .string(name) }
  private static var name: Text { "navigation" }

  private var value = Value.null
  /// The tree that ``value`` holds; nil if none was noted.
  private var tree: NavigationTree?

  /// The tree of a new session: one window with an empty stack.
  static let firstTree: NavigationTree = {
    do throws(NavigationError) {
      return try NavigationTree(windows: [
        NavigationWindow(id: "main", root: .stack("stack"))
      ])
    } catch {
      preconditionFailure("one empty stack is a tree: \(error)")
    }
  }()

  /// The transition to the tree of a new session.
  static let firstTransition = Transition(from: NavigationTree(), to: firstTree, origin: .code)

  /// Reads the tree of a state.
  ///
  /// - Throws: ``DispatchError/navigation(_:)`` if the slice holds something else.
  /// - Complexity: O(1) for the state whose tree was last read or noted.
  mutating func read(_ state: Map) throws(DispatchError) -> NavigationTree {
    if let place = state.place(of: Self.name), let known = known(place.pointee) { return known }
    return try readAnew(state)
  }

  private mutating func readAnew(_ state: Map) throws(DispatchError) -> NavigationTree {
    guard let value = state[Self.key] else { return Self.firstTree }
    do throws(NavigationValueError) {
      let tree = try NavigationTree(value)
      note(tree, for: value)
      return tree
    } catch {
      throw .navigation(.malformed(error))
    }
  }

  /// Returns the tree of a state; nil if its slice holds something else.
  func tree(in state: Map) -> NavigationTree? {
    guard let place = state.place(of: Self.name) else { return Self.firstTree }
    return known(place.pointee) ?? Self.tree(of: place.pointee)
  }

  private static func tree(of value: Value) -> NavigationTree? { try? NavigationTree(value) }

  /// Returns the tree of a state, or the first tree if its slice holds something else.
  func treeOrFirst(in state: Map) -> NavigationTree { tree(in: state) ?? Self.firstTree }

  /// Remembers the tree that a slice holds.
  mutating func note(_ tree: NavigationTree, for value: Value) {
    self.value = value
    self.tree = tree
  }

  private func known(_ value: borrowing Value) -> NavigationTree? {
    self.value.isIdentical(to: value) ? tree : nil
  }
}
