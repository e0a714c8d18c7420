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
}
