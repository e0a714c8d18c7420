import MoonNavigation
import MoonStore
package import MoonValues

/// The navigation tree as a part of the state: the slice `navigation`, read once.
package struct NavigationState {
  /// The slice that holds the navigation; it is there from the first change on.
  package static let key: Key = "navigation"

  private var value: Value?
  private var tree: NavigationTree?

  /// Where every app begins: one window with an empty stack.
  static let firstTree: NavigationTree = {
    do throws(NavigationError) {
      return try NavigationTree(windows: [
        NavigationWindow(id: "main", root: .stack("stack"))
      ])
    } catch {
      preconditionFailure("one empty stack is a tree: \(error)")
    }
  }()

  /// The tree that a state holds.
  ///
  /// - Throws: ``DispatchError/navigation(_:)`` if the slice holds something else.
  /// - Complexity: O(1) for the state whose tree was read or noted last.
  mutating func read(_ state: Map) throws(DispatchError) -> NavigationTree {
    guard let value = state[Self.key] else { return Self.firstTree }
    if let known = known(value) { return known }
    do throws(NavigationValueError) {
      let tree = try NavigationTree(value)
      note(tree, for: value)
      return tree
    } catch {
      throw .navigation(.malformed(error))
    }
  }

  /// The tree that a state holds; nil if its slice holds something else.
  func tree(in state: Map) -> NavigationTree? {
    guard let value = state[Self.key] else { return Self.firstTree }
    return known(value) ?? (try? NavigationTree(value))
  }

  /// The tree that a state holds, the first tree of all if its slice holds something else.
  func treeOrFirst(in state: Map) -> NavigationTree { tree(in: state) ?? Self.firstTree }

  /// Notes the tree of a slice.
  mutating func note(_ tree: NavigationTree, for value: Value) {
    self.value = value
    self.tree = tree
  }

  private func known(_ value: Value) -> NavigationTree? {
    guard let noted = self.value, noted.isIdentical(to: value) else { return nil }
    return tree
  }
}
