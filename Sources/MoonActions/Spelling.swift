/// Finds the word that a misspelled one may stand for.
package enum Spelling {
  /// The candidate that is closest to a word, if one is close enough.
  ///
  /// The distance may be a third of the word's length in insertions, removals, replacements and
  /// swaps of neighbours (optimal string alignment distance), at least one, but never the whole
  /// word. Among equals, the one with the longer common prefix wins, then the first in order. At
  /// most ``candidateCountMax`` are compared.
  ///
  /// - Complexity: O(candidates × length × distance of the best one).
  package static func nearest(to word: String, in candidates: some Sequence<String>) -> String? {
    let wanted = letters(of: word)
    var best: (distance: Int, shared: Int, candidate: String)?
    for candidate in candidates.prefix(candidateCountMax) {
      let letters = letters(of: candidate)
      let length = max(wanted.count, letters.count)
      let distanceMax = max(1, length / 3)
      // The distance is at least the difference in length.
      guard abs(wanted.count - letters.count) <= distanceMax else { continue }
      // What is farther than the best one needn't be measured.
      let limit = min(distanceMax, length - 1, best?.distance ?? .max)
      guard let distance = distance(wanted, letters, within: limit) else { continue }
      let shared = zip(wanted, letters).prefix { $0 == $1 }.count
      let rank = (distance, -shared, candidate)
      if let best, best <= rank { continue }
      best = rank
    }
    return best?.candidate
  }

  /// The maximum number of candidates compared.
  ///
  /// Scripts can supply any number, and each takes microseconds.
  package static let candidateCountMax = 10_000

  /// The number of characters compared; longer words are cut.
  private static let lengthMax = 64

  private static func letters(of word: String) -> [UInt8] {
    guard word.utf8.count > lengthMax else {
      return Array(word.lowercased().utf8.prefix(lengthMax))
    }
    // A letter's lower case may have fewer bytes, but no word consists only of such letters.
    let start = String(decoding: word.utf8.prefix(2 * lengthMax), as: UTF8.self)
    return Array(start.lowercased().utf8.prefix(lengthMax))
  }

  /// Returns the distance of two words; nil if it is greater than `limit`.
  ///
  /// Only cells of the table that are so close to its diagonal are computed.
  private static func distance(_ a: [UInt8], _ b: [UInt8], within limit: Int) -> Int? {
    let far = limit + 1
    var older = Array(repeating: far, count: b.count + 1)
    var previous = (0...b.count).map { min($0, far) }
    var current = older
    for i in 0..<a.count {
      let first = max(0, i - limit)
      let end = min(b.count, i + limit + 1)
      guard first < end else { return nil }
      current[first] = first == 0 ? min(i + 1, far) : far
      var least = current[first]
      for j in first..<end {
        var cost = min(
          previous[j] + (a[i] == b[j] ? 0 : 1), previous[j + 1] + 1, current[j] + 1, far)
        if i > 0, j > 0, a[i] == b[j - 1], a[i - 1] == b[j] { cost = min(cost, older[j - 1] + 1) }
        current[j + 1] = cost
        least = min(least, cost)
      }
      if end < b.count { current[end + 1] = far }
      if least > limit { return nil }
      swap(&older, &previous)
      swap(&previous, &current)
    }
    return previous[b.count] <= limit ? previous[b.count] : nil
  }
}
