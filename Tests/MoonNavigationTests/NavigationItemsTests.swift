import MoonNavigation
import MoonTestSupport
import MoonValues
import Testing

struct NavigationItemsTests {
  private func node(_ number: Int) -> NavigationNode {
    NavigationNode(Screen(id: Text("page-\(number)")))
  }

  @Test(arguments: Array(1...6) as [UInt64])
  func `random edits of items and of their copies agree with an array`(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    var items = NavigationItems()
    var model: [NavigationNode] = []
    var kept: [(items: NavigationItems, model: [NavigationNode])] = []
    for step in 0..<600 {
      switch random.below(12) {
      case 0..<6:
        items.append(node(step))
        model.append(node(step))
      case 6..<9:
        guard !model.isEmpty else { continue }
        #expect(items.removeLast() == model.removeLast(), "seed \(seed), step \(step)")
      case 9:
        let start = random.below(model.count + 1)
        let range = start..<min(start + random.below(20), model.count)
        let new = (0..<random.below(40)).map { node(1000 * step + $0) }
        items.replaceSubrange(range, with: new)
        model.replaceSubrange(range, with: new)
      case 10:
        guard !model.isEmpty else { continue }
        let index = random.below(model.count)
        items[index] = node(-step)
        model[index] = node(-step)
      default: kept.append((items, model))
      }
      #expect(Array(items) == model, "seed \(seed), step \(step)")
      #expect(items == NavigationItems(model), "seed \(seed), step \(step)")
      if let other = kept.randomElement(using: &random) {
        #expect((items == other.items) == (model == other.model), "seed \(seed), step \(step)")
      }
    }
    for (items, model) in kept { #expect(Array(items) == model, "seed \(seed)") }
  }

  @Test(arguments: ["page", "p", "", "fifteen bytes..", "a word that is longer", "ß-"] as [Text])
  func `an id of a word and a number has these parts`(word: Text) throws {
    for number in [0, 1, 9, 10, 12, 999_999_999] as [Int64] {
      let id = Text(word: word, number: number)
      #expect(id == Text("\(word)-\(number)"))
      let parts = try #require(id.wordAndNumber)
      #expect(parts.word == word)
      #expect(parts.number == number)
    }
    #expect(Text(word: word, number: .max) == Text("\(word)-\(Int64.max)"))
  }
}
