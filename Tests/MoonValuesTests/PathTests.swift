import MoonTestSupport
import MoonValues
import Testing

struct PathTests {
  @Test(
    arguments: [
      ([], ""), ([.key("counter")], "counter"),
      ([.key("counter"), .key("log"), .index(3), .key("callback")], "counter.log[3].callback"),
      ([.key("records"), .key("k 1")], #"records["k 1"]"#), ([.key("")], #"[""]"#),
      ([.index(-5), .key("_a1")], "[-5]._a1"), ([.key("1a"), .key("b")], #"["1a"].b"#),
      ([.key("é\"\n")], #"["é\"\n"]"#), ([.key("[10]")], #"["[10]"]"#),
      ([.index(.min), .index(.max)], "[-9223372036854775808][9223372036854775807]"),
    ] as [([Path.Component], String)])
  func `a path has this text and the text that path`(
    components: [Path.Component], text: String
  ) throws {
    #expect(Path(components).description == text)
    #expect(try Path(parsing: text) == Path(components))
  }

  @Test func `random paths survive being printed and parsed`() throws {
    var values = RandomValues(seed: 21)
    for _ in 0..<1000 {
      let components = (0..<values.random.below(6)).map { _ in Path.Component(values.key()) }
      let path = Path(components)
      #expect(try Path(parsing: path.description) == path)
    }
  }

  @Test(
    arguments: [
      ("a.", .unexpectedEnd(column: 3)), ("a..b", .unexpectedByte(0x2E, column: 3)),
      (".a", .unexpectedByte(0x2E, column: 1)), ("1a", .unexpectedByte(0x31, column: 1)),
      ("a b", .unexpectedByte(0x20, column: 2)), ("a[", .unexpectedEnd(column: 3)),
      ("a[1", .unexpectedEnd(column: 4)), ("a[]", .invalidIndex(column: 3)),
      ("a[01]", .invalidIndex(column: 3)), ("a[-0]", .invalidIndex(column: 3)),
      ("a[x]", .invalidIndex(column: 3)), ("a[+1]", .invalidIndex(column: 3)),
      ("a[9223372036854775808]", .invalidIndex(column: 3)),
      ("a[\"b", .invalidString(.unexpectedEnd, column: 5)),
      ("a[\"\\x\"]", .invalidString(.invalidEscape, column: 4)),
      ("a[\"b\"", .unexpectedEnd(column: 6)), ("a[\"b\"x", .unexpectedByte(0x78, column: 6)),
      ("a[1]b", .unexpectedByte(0x62, column: 5)), ("é", .unexpectedByte(0xC3, column: 1)),
      (
        String(repeating: "[1]", count: Path.componentCountMax + 1),
        .tooManyComponents(max: Path.componentCountMax)
      ),
    ] as [(String, PathError)])
  func `what isn't a path is refused`(text: String, error: PathError) {
    #expect(throws: error) { try Path(parsing: text) }
  }

  private static let tree: Value = [
    "counter": ["log": ["a", ["x": 5]]], "byID": [7: "seven"], "nothing": nil,
  ]

  @Test(
    arguments: [
      ("counter.log[1]", "a"), ("counter.log[2].x", 5), ("byID[7]", "seven"), ("", tree),
      ("nothing", .null),
    ] as [(String, Value)])
  func `a path leads to its value`(text: String, value: Value) throws {
    #expect(try Self.tree.value(at: Path(parsing: text)) == value)
  }

  @Test(arguments: [
    "counter.log[3]", "counter.log[0]", "counter.log[-1]", "byID[\"7\"]", "byID[8]",
    "counter.log.x", "counter.log[1].x", "absent", "nothing.x",
  ])
  func `a path that leads nowhere finds no value`(text: String) throws {
    #expect(try Self.tree.value(at: Path(parsing: text)) == .none)
  }

  @Test(
    arguments: [
      ("a.b", ["a": ["b": 1]], ["a": ["b": 2]], 1, 2),
      ("a.b", ["a": [:]], ["a": ["b": 2]], nil, 2),
      ("a.b", ["a": ["b": .null]], ["a": 1], .null, nil),
      ("a", ["a": ["b": 1]], ["a": ["b": 2]], ["b": 1], ["b": 2]),
      ("a[2].c", ["a": [1, ["c": 1]]], ["a": [1, ["c": 2]]], 1, 2),
      ("a", ["a": 1], ["a": 1.0], 1, 1.0),
      ("", ["a": 1], ["a": 2], ["a": 1], ["a": 2]),
    ] as [(String, Map, Map, Value?, Value?)])
  func `a change has what was at the path, and what is`(
    text: String, old: Map, new: Map, oldPart: Value?, newPart: Value?
  ) throws {
    let change = try #require(try new.change(at: Path(parsing: text), since: old))
    #expect(change.old == oldPart)
    #expect(change.new == newPart)
  }

  @Test(
    arguments: [
      // The parts are equal, but made separately.
      ("a", ["a": ["a text of more than 15 bytes"]], ["a": ["a text of more than 15 bytes"]]),
      ("a.b", ["a": ["b": 1, "c": 1]], ["a": ["b": 1, "c": 2]]),
      ("a.b", ["a": 1], ["c": 2]), ("a.b.c", ["a": [:]], ["a": 1]), ("a.b", ["a": 1], ["a": 2]),
      ("", ["a": 1], ["a": 1]), ("", [:], [:]),
    ] as [(String, Map, Map)])
  func `nothing has changed where the parts are equal, or both absent`(
    text: String, old: Map, new: Map
  ) throws {
    #expect(try new.change(at: Path(parsing: text), since: old) == nil)
  }

  @Test(arguments: UInt64(1)...40)
  func `a packed path finds the changes that the path finds`(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    func map(depth: Int) -> Map {
      // Up to 40 entries, so that some maps are more than one node; rarely inside another map, so
      // that none is large.
      let count = random.once(in: depth == 3 ? 4 : 12) ? 40 : random.below(4)
      return Map(
        (0..<count).map { number in
          let value: Value =
            depth > 0 && random.once(in: 2)
            ? .map(map(depth: depth - 1)) : random.pick([1, "x", .null, [1], ["k0": 1]])
          return (Key.string(Text("k\(number)")), value)
        })
    }
    for _ in 0..<100 {
      let old = map(depth: 3)
      var new = random.once(in: 4) ? map(depth: 3) : old
      let steps = (0...random.below(4)).map { _ in Text("k\(random.below(5))") }
      let path = Path(steps.map { .key($0) })
      if random.once(in: 2), let first = steps.first {
        var part = new[.string(first)]?.mapValue ?? Map()
        part[.string(random.pick(steps))] = random.pick([2, "y", .map(map(depth: 1)), nil])
        new[.string(first)] = .map(part)
      }
      let packed = try #require(PackedPath(path))
      let (found, expected) = (packed.change(from: old, to: new), new.change(at: path, since: old))
      #expect((found == nil) == (expected == nil), "\(path)")
      #expect(found?.old == expected?.old, "\(path)")
      #expect(found?.new == expected?.new, "\(path)")
    }
  }

  @Test(arguments: ["", "a[1]", "a[\"a text of more than 15 bytes\"]"])
  func `a path with other steps isn't packed`(text: String) throws {
    #expect(try PackedPath(Path(parsing: text)) == nil)
  }

  @Test func `a step is added at the end`() {
    #expect(Path([.key("a")]).appending(.index(1)).description == "a[1]")
    #expect(Path.Component.index(1).mapKey == 1)
    #expect(Path.Component.key("a").mapKey == "a")
  }
}
