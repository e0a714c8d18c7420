import MoonActions
import MoonTestSupport
import MoonValues
import Testing

struct ListenerTableTests {
  @Test(arguments: [
    ("todo/add", [0, 1, 2, 3, 5]),
    ("todo/remove", [1, 2, 5]),
    ("todo/items/add", [1, 2, 4]),
    ("counter/add", [2]),
  ])
  func `listeners come in the order in which they were added`(type: String, expected: [Int]) throws
  {
    var table = ListenerTable<Int>()
    let patterns = ["todo/add", "todo/*", "*", "todo/add", "todo/items/*"]
    for (number, text) in patterns.enumerated() {
      table.add(number, for: try #require(ActionPattern(text, owner: "x")))
    }
    for type in ["todo/add", "todo/remove"] { table.add(5, for: .exact(Text(type))) }
    #expect(table.listeners(to: Text(type)) == expected)
  }

  @Test func `an empty table has no listeners`() {
    #expect(ListenerTable<Int>().listeners(to: "a/b").isEmpty)
  }

  @Test(arguments: 0..<20)
  func `the table answers as a search through all patterns does`(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    let names = ["a", "b", "c"]
    var table = ListenerTable<Int>()
    var all: [(ActionPattern, Int)] = []
    for number in 0..<40 {
      let text =
        switch random.below(4) {
        case 0: "*"
        case 1: "\(names[random.below(3)])/*"
        case 2: "\(names[random.below(3)])/\(names[random.below(3)])/*"
        default: "\(names[random.below(3)])/\(names[random.below(3)])"
        }
      let pattern = try #require(ActionPattern(text, owner: "x"))
      table.add(number, for: pattern)
      all.append((pattern, number))
    }
    for first in names {
      for second in names {
        for type in ["\(first)/\(second)", "\(first)/\(second)/a"] {
          let expected = all.filter { $0.0.matches(Text(type)) }.map(\.1)
          #expect(table.listeners(to: Text(type)) == expected, "seed \(seed), type \(type)")
        }
      }
    }
  }
}
