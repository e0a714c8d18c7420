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

  @Test func `a NaN that got in is written as null`() {
    #expect(Value.double(.nan).canonicalText == "null")
  }
}
