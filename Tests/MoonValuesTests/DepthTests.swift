import MoonTestSupport
import MoonValues
import Testing

/// Any value that can be stored can be written, and can then be read again.
struct DepthTests {
  /// Returns a random value of exactly this depth, with smaller ones beside the deepest.
  private static func value(depth: Int, _ values: inout RandomValues) -> Value {
    var value = values.scalar()
    for level in 0..<depth {
      // Few at the bottom, so that the whole has no more than a few thousand.
      let others = (0..<values.random.below(3)).map { _ in values.value(depth: min(level, 2)) }
      let place = values.random.below(others.count + 1)
      if values.random.once(in: 2) {
        value = .list(List(others[..<place] + [value] + others[place...]))
      } else {
        // Last, as the last of equal keys wins.
        value = .map(Map(others.map { (values.key(), $0) } + [(values.key(), value)]))
      }
    }
    return value
  }

  @Test(arguments: 1...20 as ClosedRange<UInt64>)
  func `a state of slices as deep as they may be can be read again`(seed: UInt64) throws {
    var values = RandomValues(seed: seed)
    let names = ["a", "b", "c"].prefix(1 + values.random.below(3))
    let slices = names.map { name in
      let depth = values.random.once(in: 2) ? Value.depthMax : values.random.below(Value.depthMax)
      return (Key.string(Text(name)), Self.value(depth: depth + (depth == 0 ? 1 : 0), &values))
    }
    let state = Value.map(Map(slices))
    #expect(state.depth <= Value.stateDepthMax)
    #expect(try Value(parsing: state.canonicalText, limits: .state) == state, "seed \(seed)")
  }

  @Test(arguments: [1, 2, 23, 63, 64, 65, 66, 71, 72, 73, 74, 200])
  func `a text is refused if it is deeper than the limit, and only then`(depth: Int) throws {
    var values = RandomValues(seed: UInt64(depth))
    for limit in [0, 1, 2, 24, 63, 64, 65, 72, 73, .max] {
      let value = Self.value(depth: depth, &values)
      var limits = ParseLimits()
      limits.depthMax = limit
      let text = value.canonicalText
      if depth <= min(limit, Value.wrappedDepthMax) {
        #expect(try Value(parsing: text, limits: limits) == value)
      } else {
        let error = #expect(throws: ParseError.self) { try Value(parsing: text, limits: limits) }
        #expect(error?.reason == .depthExceeded(max: min(limit, Value.wrappedDepthMax)))
      }
    }
  }

  @Test func `what a state may hold has room in what reads it`() {
    #expect(Value.depthMax < Value.stateDepthMax)
    #expect(Value.stateDepthMax <= Value.wrappedDepthMax)
    #expect(ParseLimits().depthMax == Value.depthMax)
    #expect(ParseLimits.state.depthMax == Value.stateDepthMax)
    #expect(Path.componentCountMax >= Value.stateDepthMax)
  }

  @Test func `a text of more values than its limit is refused, and a state has no such limit`()
    throws
  {
    let state: Value = ["a": .list(List(repeatElement(.int(1), count: 1_000)))]
    let text = state.canonicalText
    for (count, isRefused) in [
      (1_001, true), (1_002, false), (ParseLimits.state.nodeCountMax, false),
    ] {
      let limits = ParseLimits(depthMax: 10, nodeCountMax: count, byteCountMax: .max)
      #expect(
        (try? Value(parsing: text, limits: limits)) == (isRefused ? Value?.none : state), "\(count)"
      )
    }
    #expect(ParseLimits.state.nodeCountMax == .max)
  }
}
