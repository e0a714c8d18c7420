import MoonTestSupport
import Testing

@testable import MoonValues

/// A lent value is changed in place where nothing else can see it, and leads back to what it was.
@Suite struct LentValueTests {
  /// A map of a few maps, which nothing else refers to, with one of its keys.
  private func lender(_ values: inout RandomValues) -> (map: Map, key: Key) {
    var map = Map()
    for index in 0...values.random.below(40) {
      var slice = Map()
      for field in 0...values.random.below(20) {
        slice[.string(Text("f\(field)"))] =
          values.random.below(3) == 0 ? .list([.string(values.text())]) : .int(values.int())
      }
      map[.string(Text("s\(index)"))] = .map(slice)
    }
    return (map, .string(Text("s\(values.random.below(map.count))")))
  }

  /// The value made anew, with nothing shared and all sizes measured.
  private func remade(_ value: Value) throws -> Value {
    try Value(parsing: value.canonicalText, limits: ParseLimits())
  }

  private struct NotLent: Error {}

  private func lend(_ key: Key, of map: inout Map) throws(NotLent) -> LentValue {
    var lent = LentValue(.null)
    guard map.lend(key, to: &lent) else { throw NotLent() }
    return lent
  }

  /// Lends a value, replaces an entry of it `count` times, and gives it back.
  private func exchange(
    _ map: inout Map, _ key: Key, _ field: String, by news: [Value]
  ) throws -> Bool {
    var lent = try lend(key, of: &map)
    #expect(map[key] == .null)
    var branch = Branch(moving: &lent.value)
    var isDone = true
    for new in news {
      isDone = branch.exchange(.string(Text(field)), with: new, &lent.change) && isDone
    }
    lent.value = branch.moveOut()
    map.giveBack(&lent)
    return isDone
  }

  @Test(arguments: UInt64(1)...200)
  func `a map is what it would be after an ordinary change, with the same sizes`(seed: UInt64)
    throws
  {
    var values = RandomValues(seed: seed)
    var (map, key) = lender(&values)
    let before = try #require(remade(.map(map)).mapValue)
    let fields = try #require(map[key]?.mapValue).keys
    let field = try #require(fields.randomElement(using: &values.random))
    let news: [Value] = (0...values.random.below(3)).map { _ in .string(values.text()) }
    var model = before
    var slice = try #require(model[key]?.mapValue)
    slice[field] = news.last
    model[key] = .map(slice)

    var lent = try lend(key, of: &map)
    var branch = Branch(moving: &lent.value)
    // A large map isn't changed in place.
    let isSmall = slice.count <= Node.widthMax
    for new in news { #expect(branch.exchange(field, with: new, &lent.change) == isSmall) }
    lent.value = branch.moveOut()
    #expect(try remade(lent.former) == before[key])
    let isRestored = values.random.below(2) == 0
    if isRestored { lent.restore() }
    let change = lent.change.isOfEntry
    map.giveBack(&lent)
    let expected = isSmall && !isRestored ? model : before
    #expect(map == expected)
    #expect(change == (isSmall && !isRestored))
    let anew = try remade(.map(map))
    #expect(Value.map(map).canonicalByteCount == anew.canonicalByteCount)
    #expect(Value.map(map).elementCount == anew.elementCount)
    #expect(Value.map(map).depth == anew.depth)
  }

  @Test func `a value isn't lent from a map that something else holds`() {
    var map: Map = ["a": ["n": 1]]
    let copy = map
    #expect(throws: NotLent.self) { _ = try lend("a", of: &map) }
    #expect(map == copy)
  }

  @Test func `a value that isn't there isn't lent`() {
    var map: Map = ["a": ["n": 1]]
    #expect(throws: NotLent.self) { _ = try lend("b", of: &map) }
  }

  @Test func `what something else holds is copied first`() throws {
    var map: Map = ["a": ["n": 1]]
    let held = map["a"]
    #expect(try exchange(&map, "a", "n", by: [2, 3]))
    #expect(held == ["n": 1])
    #expect(map == ["a": ["n": 3]])
  }

  @Test func `a second entry isn't changed in place`() throws {
    var lent = LentValue(try remade(["n": 1, "o": 2]))
    var branch = Branch(moving: &lent.value)
    #expect(branch.exchange("n", with: 3, &lent.change))
    #expect(!branch.exchange("o", with: 4, &lent.change))
    #expect(branch.exchange("n", with: 5, &lent.change))
    lent.value = branch.moveOut()
    #expect(lent.value == ["n": 5, "o": 2] && lent.former == ["n": 1, "o": 2])
  }

  @Test func `only a scalar is replaced as one`() throws {
    var lent = LentValue(try remade(["list": [1], "n": 1]))
    var branch = Branch(moving: &lent.value)
    let (list, number) = (try #require(Text("list").packed), try #require(Text("n").packed))
    #expect(!branch.exchangeScalar(packed: list, with: 1, &lent.change))
    #expect(branch.exchangeScalar(packed: number, with: 2, &lent.change))
    lent.value = branch.moveOut()
    #expect(lent.value == ["list": [1], "n": 2])
  }

  @Test(arguments: ["a", "a.n", "a.o", "a.n.x", "a.list", "a.list[1]", "b"])
  func `a packed path finds the change of an entry that the whole values show`(path: String)
    throws
  {
    for (field, new) in [("n", Value.int(2)), ("n", 1), ("list", [7]), ("list", [1]), ("o", "x")] {
      var map: Map = ["a": ["n": 1, "o": 2, "list": [1]], "b": 1]
      let before = try #require(remade(.map(map)).mapValue)
      #expect(try exchange(&map, "a", field, by: [new]))
      var lent = LentValue(try remade(["n": 1, "o": 2, "list": [1]]))
      var branch = Branch(moving: &lent.value)
      #expect(branch.exchange(.string(Text(field)), with: new, &lent.change))
      lent.value = branch.moveOut()
      guard let packed = PackedPath(try Path(parsing: path)), path != "b" else { continue }
      let expected = packed.change(from: before, to: map)
      switch packed.effect(of: lent.change) {
      case .none: #expect(expected == nil, "\(path) \(field)")
      case .end:
        let (old, new) = (lent.change.old, lent.change.new)
        #expect((expected == nil) == (old == new), "\(path) \(field)")
        guard let expected else { continue }
        #expect(expected.old == old && expected.new == new, "\(path) \(field)")
      case .unknown:
        let part = packed.part(of: lent.change, in: lent.value)
        #expect(part?.old == expected?.old && part?.new == expected?.new, "\(path) \(field)")
        #expect((part == nil) == (expected == nil), "\(path) \(field)")
      }
    }
  }
}
