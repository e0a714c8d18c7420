package import MoonValues

/// The ids of a tree's windows, screens and containers.
///
/// Persistent, so that each tree has its own at the cost of what changed.
struct TreeIDs: Sendable {
  /// An entry for each id.
  private var ids = Map()
  /// For each word of ids such as `word-12`, the number of ids by their number.
  private var numbers = Map()

  init() {}

  init(of windows: [NavigationWindow]) {
    for window in windows {
      _ = insert(window.id)
      window.root?.forEach { _ = insert($0.id) }
    }
  }

  func contains(_ id: Text) -> Bool { ids[.string(id)] != nil }

  /// The highest number of an id such as `word-12`; nil if there is no such id.
  func highestNumber(after word: Text) -> Int? {
    guard case .map(let counts)? = numbers[.string(word)],
      case .int(let number)? = counts.last?.key
    else { return nil }
    return Int(number)
  }

  /// Adds an id; returns false if it is there already.
  mutating func insert(_ id: Text) -> Bool {
    guard !contains(id) else { return false }
    ids[.string(id)] = .bool(true)
    count(id, 1)
    return true
  }

  mutating func remove(_ id: Text) {
    guard contains(id) else { return }
    ids[.string(id)] = Value?.none
    count(id, -1)
  }

  /// Counts an id such as `word-12`, since another one, `word-012`, may have the same number.
  private mutating func count(_ id: Text, _ change: Int64) {
    guard let parts = id.wordAndNumber else { return }
    let word = Key.string(parts.word)
    let number = Key.int(Int64(parts.number))
    var counts = numbers[word]?.mapValue ?? Map()
    let count = (counts[number]?.intValue ?? 0) + change
    counts[number] = count == 0 ? Value?.none : .int(count)
    numbers[word] = counts.isEmpty ? Value?.none : .map(counts)
  }
}

extension Map {
  fileprivate var last: (key: Key, value: Value)? { isEmpty ? nil : entry(at: count - 1) }
}

extension Text {
  /// The parts of an id such as `word-12`; nil for other ids, and for numbers of more than nine
  /// digits.
  package var wordAndNumber: (word: Text, number: Int)? {
    withUTF8 { bytes in
      var (start, number, scale) = (bytes.count, 0, 1)
      while start > 0, bytes.count - start < 10, (48...57).contains(bytes[start - 1]) {
        start -= 1
        number += Int(bytes[start] - 48) * scale
        scale *= 10
      }
      guard start > 0, bytes[start - 1] == UInt8(ascii: "-"),
        (1...9).contains(bytes.count - start)
      else { return nil }
      return (Text(validUTF8: UnsafeBufferPointer(rebasing: bytes[..<(start - 1)])), number)
    }
  }
}
