import MoonTestSupport
import MoonValues
import Testing

struct TextBytesTests {
  @Test(arguments: 1...10 as ClosedRange<UInt64>)
  func `bytes are those that were appended`(seed: UInt64) {
    var values = RandomValues(seed: seed)
    for _ in 0..<50 {
      var bytes = TextBytes(capacity: values.random.below(3) * 20)
      var expected: [UInt8] = []
      for _ in 0..<values.random.below(60) {
        switch values.random.below(5) {
        case 0:
          bytes.append(0x41)
          expected.append(0x41)
        case 1:
          bytes.append("some bytes that are known")
          expected += Array("some bytes that are known".utf8)
        case 2:
          let text = values.text()
          CanonicalText.write(text, into: &bytes)
          expected += Array(Value.string(text).canonicalText.utf8)
        case 3:
          let value = values.value()
          value.writeCanonical(into: &bytes)
          expected += Array(value.canonicalText.utf8)
        default:
          let count = values.random.below(expected.count + 1)
          bytes.removeBytes(from: count)
          expected.removeSubrange(count...)
        }
        #expect(bytes.count == expected.count)
      }
      #expect(bytes.array == expected, "seed \(seed)")
    }
  }

  @Test(arguments: 1...20 as ClosedRange<UInt64>)
  func `a double has the text of its description`(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    for _ in 0..<2000 {
      let digits = Int64(bitPattern: random.next()) >> Int64(random.below(60))
      let scale = random.pick([1, 10, 100, 1000, 10_000] as [Double])
      var double = Double(digits) / scale
      if random.once(in: 3) { double = double.nextUp }
      // Sizes are computed on their own.
      let value = Value.double(double)
      #expect(value.canonicalText == double.description)
      #expect(value.canonicalByteCount == double.description.utf8.count, "\(double)")
    }
  }

  @Test(arguments: [
    0.001, 0.01, 0.1, 0.999, 1, -0.001, -1.5, 999_999_999_999.999, 999_999_999_999.9991, 1e12,
    1_000_000_000_000.001, 0.0005, 0.0015, 1_754_500_000.123, -1_754_500_000.12, 0.0, -0.0,
  ])
  func `a double near a limit has the text of its description`(double: Double) {
    #expect(Value.double(double).canonicalText == double.description)
    #expect(Value.double(double).canonicalByteCount == double.description.utf8.count)
  }
}
