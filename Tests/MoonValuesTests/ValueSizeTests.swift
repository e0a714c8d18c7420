import MoonValues
import Testing

struct ValueSizeTests {
  static let sizes: [(value: Value, bytes: Int)] = [
    (nil, 16), (1, 16), ("short", 16), (.string(Text(String(repeating: "x", count: 100))), 116),
    ([], 16), ([1, 2, "x"], 64), (["a": 1], 48), (["a": [true, ["b": 2.5]]], 112),
    ([.string(Text(String(repeating: "ä", count: 10)))], 52),
  ]

  @Test(arguments: sizes)
  func `every element and the bytes of long texts count`(value: Value, bytes: Int) {
    #expect(value.roughByteCount(upTo: 1_000_000) == bytes)
    #expect(value.roughByteCount(upTo: bytes) == bytes)
    #expect(value.roughByteCount(upTo: bytes - 1) == bytes - 1)
  }

  @Test func `a tree that was put into itself is counted up to the limit and no further`() {
    var value: Value = [1, 2, 3]
    for _ in 0..<60 { value = [value, value] }
    #expect(value.roughByteCount(upTo: 1 << 20) == 1 << 20)
  }
}
