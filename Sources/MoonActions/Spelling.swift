/// Finds the word that a misspelled one may stand for.
package enum Spelling {
  /// The candidate that is closest to a word, if one is close enough.
  ///
  /// The distance may be a third of the word's length in insertions, removals, replacements and
  /// swaps of neighbours (optimal string alignment distance), at least one, but never the whole
  /// word. Among equals, the one with the longer common prefix wins, then the first in order. At
  /// most ``candidateCountMax`` are compared.
  ///
  /// - Complexity: O(candidates × length²).
  package static func nearest(to word: String, in candidates: some Sequence<String>) -> String? {
    let wanted = letters(of: word)
    var best: (distance: Int, shared: Int, candidate: String)?
    for candidate in candidates.prefix(candidateCountMax) {
      let letters = letters(of: candidate)
      let length = max(wanted.count, letters.count)
      let distanceMax = max(1, length / 3)
      // The distance is at least the difference in length.
      guard abs(wanted.count - letters.count) <= distanceMax else { continue }
      let distance = distance(wanted, letters)
      guard distance <= distanceMax, distance < length else { continue }
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

  private static func distance(_ a: [UInt8], _ b: [UInt8]) -> Int {
    var older = Array(repeating: 0, count: b.count + 1)
    var previous = Array(0...b.count)
    var current = older
    for i in 0..<a.count {
      current[0] = i + 1
      for j in 0..<b.count {
        var cost = min(
          previous[j] + (a[i] == b[j] ? 0 : 1), previous[j + 1] + 1, current[j] + 1)
        if i > 0, j > 0, a[i] == b[j - 1], a[i - 1] == b[j] { cost = min(cost, older[j - 1] + 1) }
        current[j + 1] = cost
      }
      swap(&older, &previous)
      swap(&previous, &current)
    }
    return previous[b.count]
  }
}
