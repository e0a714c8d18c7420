package import MoonNavigation
import MoonStore
package import MoonValues

/// The navigation tree as a part of the state: the slice `navigation`, read once.
struct NavigationState {
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
    guard let value = state[Session.navigationKey] else { return Self.firstTree }
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
    guard let value = state[Session.navigationKey] else { return Self.firstTree }
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

extension Session {
  /// The slice that holds the navigation; it is there from the first change on.
  package static let navigationKey: Key = "navigation"

  /// The tree that the state holds.
  ///
  /// - Throws: ``DispatchError/navigation(_:)`` if the slice holds something else.
  func readNavigation() throws(DispatchError) -> NavigationTree {
    try navigation.read(slices.state)
  }

  /// Where the session is; the first tree of all if the slice holds none.
  package var navigationTree: NavigationTree { navigation.treeOrFirst(in: slices.state) }
}

/// Makes ids that no screen, container or window of a tree has.
struct ScreenIDs {
  private struct Index {
    var taken: Set<Text> = []
    /// The highest number behind each word.
    var last: [Text: Int] = [:]

    mutating func take(_ id: Text) {
      taken.insert(id)
      guard let (word, number) = ScreenIDs.parts(of: id) else { return }
      last[word] = max(last[word] ?? 1, number)
    }
  }

  private let tree: NavigationTree
  /// Ids that were given before the first one was made.
  private var given: Set<Text>
  /// Made with the first id: most navigation needs none.
  private var index: Index?

  /// Makes ids besides those of a tree and some others.
  init(in tree: NavigationTree, besides others: Set<Text> = []) {
    self.tree = tree
    given = others
  }

  /// Notes an id that somebody has given.
  mutating func take(_ id: Text) {
    if index != nil { index?.take(id) } else { given.insert(id) }
  }

  /// The word, or if that is taken the word and a number; taken from then on.
  ///
  /// - Complexity: O(screens and containers) the first time, then O(1).
  mutating func fresh(for word: Text) -> Text {
    var index = self.index.take() ?? Self.index(of: tree, given)
    let id = index.taken.contains(word) ? Text("\(word)-\((index.last[word] ?? 1) + 1)") : word
    index.take(id)
    self.index = index
    return id
  }

  private static func index(of tree: NavigationTree, _ given: Set<Text>) -> Index {
    var index = Index()
    for id in given { index.take(id) }
    for window in tree.windows { index.take(window.id) }
    tree.forEachNode { index.take($0.id) }
    return index
  }

  /// The word and the number of `word-12`; nil for other ids, and for numbers too large to count.
  private static func parts(of id: Text) -> (word: Text, number: Int)? {
    let bytes = Array(id.string.utf8)
    guard let dash = bytes.lastIndex(of: UInt8(ascii: "-")),
      (1...9).contains(bytes.count - dash - 1),
      bytes[(dash + 1)...].allSatisfy({ (48...57).contains($0) }),
      let number = Int(String(decoding: bytes[(dash + 1)...], as: UTF8.self))
    else { return nil }
    return (Text(String(decoding: bytes[..<dash], as: UTF8.self)), number)
  }
}
