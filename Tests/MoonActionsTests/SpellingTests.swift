import MoonActions
import MoonTestSupport
import Testing

struct SpellingTests {
  @Test(arguments: [
    ("counter/ad", ["counter/add", "counter/reset"], "counter/add"),
    ("conuter/add", ["counter/add"], "counter/add"),
    ("titel", ["title", "note"], "title"),
    ("reducer", ["reducers", "state"], "reducers"),
    ("BY", ["by"], "by"),
    ("b", ["by"], "by"),
    ("bt", ["by", "to"], "by"),
    ("add", ["odd", "aid"], "aid"),
    ("stat", ["start", "state"], "state"),
    ("ab", ["xb", "ac", "ad"], "ac"),
  ])
  func `the nearest word is found`(word: String, candidates: [String], expected: String) {
    #expect(Spelling.nearest(to: word, in: candidates) == expected)
  }

  @Test(arguments: [
    ("add", ["remove"]), ("counter/add", ["todo/toggle"]), ("", ["by"]), ("by", []), ("x", ["y"]),
    ("zzz", ["add"]), ("", [""]),
  ])
  func `what is too far away isn't meant`(word: String, candidates: [String]) {
    #expect(Spelling.nearest(to: word, in: candidates) == nil)
  }

  @Test func `only so many words are compared`() {
    let others = Array(repeating: "zzzzzz", count: Spelling.candidateCountMax - 1)
    #expect(Spelling.nearest(to: "counter", in: others + ["countr"]) == "countr")
    #expect(Spelling.nearest(to: "counter", in: others + ["zz", "countr"]) == nil)
  }

  @Test func `words longer than can be compared are told apart by their beginning`() {
    let long = String(repeating: "a", count: 10_000)
    #expect(Spelling.nearest(to: long + "x", in: [long]) == long)
    #expect(Spelling.nearest(to: "b" + String(repeating: "c", count: 10_000), in: [long]) == nil)
  }

  @Test(arguments: 0..<30)
  func `swapping two neighbours of a word still means it`(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    var letters = (0..<6).map { _ in random.pick(Array("abcdefghij")) }
    let word = String(letters)
    let place = random.below(5)
    letters.swapAt(place, place + 1)
    #expect(Spelling.nearest(to: String(letters), in: [word]) == word, "seed \(seed)")
  }

  /// The distance by the whole table.
  private static func distance(_ a: [UInt8], _ b: [UInt8]) -> Int {
    var table = Array(repeating: Array(repeating: 0, count: b.count + 1), count: a.count + 1)
    for i in 0...a.count {
      for j in 0...b.count {
        if i == 0 || j == 0 {
          table[i][j] = i + j
          continue
        }
        table[i][j] = min(
          table[i - 1][j] + 1, table[i][j - 1] + 1,
          table[i - 1][j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1))
        if i > 1, j > 1, a[i - 1] == b[j - 2], a[i - 2] == b[j - 1] {
          table[i][j] = min(table[i][j], table[i - 2][j - 2] + 1)
        }
      }
    }
    return table[a.count][b.count]
  }

  @Test(arguments: 1...20) func `no nearer word is missed`(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    func word() -> String {
      String(
        decoding: (0..<random.below(14)).map { _ in UInt8(ascii: "a") + UInt8(random.below(3)) },
        as: UTF8.self)
    }
    for _ in 0..<30 {
      let wanted = word()
      let words = (0..<12).map { _ in word() }
      let near = words.compactMap { word -> Int? in
        let length = max(wanted.utf8.count, word.utf8.count)
        let distance = Self.distance(Array(wanted.utf8), Array(word.utf8))
        return distance <= max(1, length / 3) && distance < length ? distance : nil
      }
      let found = Spelling.nearest(to: wanted, in: words)
      #expect(
        found.map { Self.distance(Array(wanted.utf8), Array($0.utf8)) } == near.min(),
        "\(wanted) \(words)")
    }
  }
}
