import MoonTestSupport
import MoonValues
import Testing

struct CanonicalTextTests {
  @Test(
    arguments: [
      (.null, "null"), (.bool(true), "true"), (.bool(false), "false"),
      (.int(.min), "-9223372036854775808"), (.int(.max), "9223372036854775807"), (.int(0), "0"),
      (.double(1), "1.0"), (.double(-0.0), "-0.0"), (.double(0.1), "0.1"),
      (.double(1e100), "1e+100"),
      (.double(.leastNonzeroMagnitude), "5e-324"), (.double(.infinity), "1e999"),
      (.double(-.infinity), "-1e999"), (.double(1e16), "1e+16"),
      (
        .string("a\"\\/\u{8}\u{c}\n\r\t\u{1}\u{1f}\u{7f}é"),
        #""a\"\\/\b\f\n\r\t\u0001\u001f\#u{7f}é""#
      ),
      (.list([]), "[]"), (.map([:]), "{}"), (.list([1, [2.0], nil]), "[1,[2.0],null]"),
      (.map(["b": 1, "a": 2, 10: 3, -9: 4]), #"{"[-9]":4,"[10]":3,"a":2,"b":1}"#),
      (
        .map(["[10]": 1, "[[10]": 2, "[x]": 3, "[]": 4, "[-]": 5, "[01]": 6, "10": 7]),
        #"{"10":7,"[-]":5,"[[01]":6,"[[10]":1,"[[[10]":2,"[]":4,"[x]":3}"#
      ),
    ] as [(Value, String)])
  func `a value has this text and the text that value`(value: Value, text: String) throws {
    #expect(value.canonicalText == text)
    #expect(value.description == text)
    #expect(try Value(parsing: text) == value)
  }

  @Test(arguments: 1...20 as ClosedRange<UInt64>)
  func `random values survive being written and parsed`(seed: UInt64) throws {
    var values = RandomValues(seed: seed)
    for _ in 0..<100 {
      let value = values.value()
      var bytes: [UInt8] = []
      value.writeCanonical(into: &bytes)
      let parsed = try Value(parsing: bytes)
      #expect(parsed == value, "seed \(seed)")
      #expect(parsed.canonicalText == value.canonicalText, "seed \(seed)")
    }
  }

  @Test func `every nasty key survives beside all others`() throws {
    let texts = RandomValues.nastyTexts.map { (Key.string(Text($0)), Value.string(Text($0))) }
    let ints = RandomValues.nastyInts.map { (Key.int($0), Value.int($0)) }
    let map = Map(texts + ints)
    #expect(map.count == texts.count + ints.count)
    #expect(try Value(parsing: Value.map(map).canonicalText) == .map(map))
  }

  @Test func `the order of making a map doesn't show`() {
    var random = SplitMix64(seed: 3)
    let pairs = (0..<500).map { (Key.int(Int64($0)), Value.int(Int64($0))) }
    var shuffled = Map()
    for (key, value) in pairs.shuffled(using: &random) { shuffled[key] = value }
    #expect(Value.map(shuffled).canonicalText == Value.map(Map(pairs)).canonicalText)
  }

  @Test(arguments: 1...10 as ClosedRange<UInt64>)
  func `the pieces of a stream are short and make up the text`(seed: UInt64) {
    var values = RandomValues(seed: seed)
    let nasty = Text(String(repeating: "\u{1}é\"", count: 40_000))
    let long = Value.map([.string(nasty): .string(nasty), "[[1]": .string(Text("[1]"))])
    let value = Value.list(List((0..<2000).map { _ in values.value(depth: 3) } + [long]))
    var pieces: [[UInt8]] = []
    value.writeCanonical { pieces.append(Array($0)) }
    #expect(pieces.allSatisfy { (1...Value.canonicalChunkByteCountMax).contains($0.count) })
    #expect(pieces.count > 5)
    let bytes = pieces.reduce(into: []) { $0 += $1 }
    #expect(String(decoding: bytes, as: UTF8.self) == value.canonicalText)
    #expect((try? Value(parsing: bytes)) == value)
  }

  @Test func `a stream ends where its sink throws`() {
    struct Full: Error {}
    let value = Value.list(List(Array(repeating: Value("some words"), count: 100_000)))
    var calls = 0
    #expect(throws: Full.self) {
      try value.writeCanonical { _ throws(Full) in
        calls += 1
        if calls == 3 { throw Full() }
      }
    }
    #expect(calls == 3)
  }

  @Test func `a NaN that got in is written as null`() {
    #expect(Value.double(.nan).canonicalText == "null")
  }
}
