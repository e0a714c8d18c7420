/// Finds what somebody may have meant.
public enum Spelling {
  /// The candidate that is closest to a word, if one is close enough to be meant by it.
  ///
  /// Close enough is a third of its length in insertions, removals, replacements and swaps of
  /// neighbours (optimal string alignment distance), at least one, but never all of it. Of equals
  /// the one with the longer common beginning, then the first in order.
  ///
  /// - Complexity: O(candidates × length²).
  public static func nearest(to word: String, in candidates: some Sequence<String>) -> String? {
    let wanted = Array(word.lowercased().utf8.prefix(lengthMax))
    var best: (distance: Int, shared: Int, candidate: String)?
    for candidate in candidates {
      let letters = Array(candidate.lowercased().utf8.prefix(lengthMax))
      let distance = distance(wanted, letters)
      let length = max(wanted.count, letters.count)
      guard distance <= max(1, length / 3), distance < length else { continue }
      let shared = zip(wanted, letters).prefix { $0 == $1 }.count
      let rank = (distance, -shared, candidate)
      if let best, best <= rank { continue }
      best = rank
    }
    return best?.candidate
  }

  /// Longer words are compared by their beginning.
  private static let lengthMax = 64

  private static func distance(_ a: [UInt8], _ b: [UInt8]) -> Int {
    var older: [Int] = []
    var previous = Array(0...b.count)
    for i in 0..<a.count {
      var current = [i + 1]
      for j in 0..<b.count {
        var cost = min(
          previous[j] + (a[i] == b[j] ? 0 : 1), previous[j + 1] + 1, current[j] + 1)
        if i > 0, j > 0, a[i] == b[j - 1], a[i - 1] == b[j] { cost = min(cost, older[j - 1] + 1) }
        current.append(cost)
      }
      older = previous
      previous = current
    }
    return previous[b.count]
  }
}
