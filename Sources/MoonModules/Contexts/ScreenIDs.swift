package import MoonNavigation
package import MoonValues

/// The source of ids that no screen, container or window of a tree has.
package struct ScreenIDs {
  private let tree: NavigationTree
  /// The ids that are taken besides those of the tree.
  private var taken: Set<Text> = []
  /// The highest number of ``taken`` after each word.
  private var lastNumbers: [Text: Int64] = [:]

  /// Makes a source of ids that differ from those of a tree and from some others.
  package init(in tree: NavigationTree, besides others: Set<Text> = []) {
    self.tree = tree
    for id in others { take(id) }
  }

  /// Marks an id as taken.
  package mutating func take(_ id: Text) {
    guard taken.insert(id).inserted, let parts = id.wordAndNumber else { return }
    lastNumbers[parts.word] = max(lastNumbers[parts.word] ?? 1, parts.number)
  }

  /// Returns the word, or the word and a number if that is taken, and marks it as taken.
  ///
  /// - Complexity: O(log n) in the number of screens and containers.
  package mutating func fresh(for word: Text) -> Text {
    let isTaken = taken.contains(word) || tree.contains(word)
    let id = isTaken ? Text(word: word, number: highestNumber(after: word) + 1) : word
    take(id)
    return id
  }

  private func highestNumber(after word: Text) -> Int64 {
    max(Int64(tree.highestNumber(after: word) ?? 1), lastNumbers[word] ?? 1)
  }
}
