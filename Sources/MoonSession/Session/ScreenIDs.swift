import MoonNavigation
import MoonValues

/// The source of ids that no screen, container or window of a tree has.
struct ScreenIDs {
  private let tree: NavigationTree
  /// The ids that are taken besides those of the tree: few, or else in ``others``.
  private var taken = Few<Text>()
  /// The taken ids that aren't in ``taken``; nil if there are none.
  private var others: Others?

  private struct Others {
    var ids: Set<Text> = []
    /// The highest number of ``ids`` after each word.
    var last: [Text: Int64] = [:]

    mutating func insert(_ id: Text) {
      ids.insert(id)
      guard let parts = id.wordAndNumber else { return }
      last[parts.word] = max(last[parts.word] ?? 1, parts.number)
    }
  }

  /// The number of ids that are searched one by one, which is faster than a set of so few.
  private static let searchedMax = 8

  /// Makes a source of ids that differ from those of a tree.
  init(in tree: NavigationTree) { self.tree = tree }

  /// Makes a source of ids that differ from those of a tree and from some others.
  init(in tree: NavigationTree, besides others: Set<Text>) {
    self.tree = tree
    for id in others { take(id) }
  }

  /// Marks an id as taken.
  mutating func take(_ id: Text) {
    guard !isTaken(id) else { return }
    guard taken.count == Self.searchedMax else { return taken.append(id) }
    others = others ?? Others()
    others?.insert(id)
  }

  private func isTaken(_ id: Text) -> Bool {
    taken.contains(id) || others?.ids.contains(id) ?? false
  }

  /// Returns the word, or the word and a number if that is taken, and marks it as taken.
  ///
  /// - Complexity: O(log n) in the number of screens and containers.
  mutating func fresh(for word: Text) -> Text {
    let isTaken = isTaken(word) || tree.contains(word)
    let id = isTaken ? Text(word: word, number: highestNumber(after: word) + 1) : word
    take(id)
    return id
  }

  private func highestNumber(after word: Text) -> Int64 {
    var highest = Int64(tree.highestNumber(after: word) ?? 1)
    if let others { highest = max(highest, others.last[word] ?? 1) }
    for id in taken {
      if let parts = id.wordAndNumber, parts.word == word { highest = max(highest, parts.number) }
    }
    return highest
  }
}
