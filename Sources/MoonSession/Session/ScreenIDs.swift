import MoonNavigation
import MoonValues

/// The source of ids that no screen, container or window of a tree has.
struct ScreenIDs {
  private struct Index {
    var taken: Set<Text> = []
    /// The highest number in use after each word.
    var last: [Text: Int] = [:]

    mutating func take(_ id: Text) {
      taken.insert(id)
      guard let (word, number) = ScreenIDs.parts(of: id) else { return }
      last[word] = max(last[word] ?? 1, number)
    }
  }

  private let tree: NavigationTree
  /// The ids that were given before the index was built.
  private var given: Set<Text>
  /// The ids in use.
  ///
  /// It is built for the first new id, since most navigation needs none.
  private var index: Index?

  /// Makes a source of ids that differ from those of a tree and from some others.
  init(in tree: NavigationTree, besides others: Set<Text> = []) {
    self.tree = tree
    given = others
  }

  /// Marks an id as taken.
  mutating func take(_ id: Text) {
    if index != nil { index?.take(id) } else { given.insert(id) }
  }

  /// Returns the word, or the word and a number if that is taken, and marks it as taken.
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

  /// Splits `word-12` into word and number; nil for other ids, and for numbers that are too large.
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
