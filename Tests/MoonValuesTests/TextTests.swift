import MoonValues
import Testing

struct TextTests {
  @Test(arguments: 0...40)
  func `a text of any length gives its bytes back`(length: Int) throws {
    let bytes = (0..<length).map { UInt8(ascii: "a") + UInt8($0 % 26) }
    let text = try #require(bytes.withUnsafeBufferPointer { Text(utf8: $0) })
    #expect(text.withUTF8 { Array($0) } == bytes)
    #expect(text.utf8Count == length)
    #expect(text.isEmpty == (length == 0))
    #expect(text.string == String(decoding: bytes, as: UTF8.self))
    #expect(text == Text(text.string))
    #expect(text == Text(text.string[...]))
    #expect(text.description == text.string)
    #expect((text.packed != nil) == (length <= Text.smallCountMax))
    #expect((text.stableBytes != nil) == (length > Text.smallCountMax))
    if let packed = text.packed { #expect(Text(packed: packed) == text) }
    if let stable = text.stableBytes { #expect(Array(stable) == bytes) }
  }

  @Test func `texts are equal and ordered as their bytes are`() {
    var values = RandomValues(seed: 11)
    var texts = RandomValues.nastyTexts.map { Text($0) }
    for _ in 0..<150 { texts.append(values.text()) }
    for a in texts {
      let first = a.withUTF8 { Array($0) }
      for b in texts {
        let second = b.withUTF8 { Array($0) }
        #expect((a == b) == (first == second))
        #expect((a < b) == first.lexicographicallyPrecedes(second))
        if first == second { #expect(a.hashValue == b.hashValue) }
      }
    }
  }

  @Test(arguments: [16, 17, 23, 24, 25, 31, 32, 33, 100])
  func `large texts that differ in one byte are different`(length: Int) {
    let bytes = [UInt8](repeating: UInt8(ascii: "a"), count: length)
    let text = Text(String(decoding: bytes, as: UTF8.self))
    for index in bytes.indices {
      var other = bytes
      other[index] = UInt8(ascii: "b")
      #expect(text != Text(String(decoding: other, as: UTF8.self)))
    }
    #expect(text == Text(String(decoding: bytes, as: UTF8.self)))
  }

  @Test func `canonically equivalent texts stay distinct`() {
    let composed: Text = "\u{e9}"
    let decomposed: Text = "e\u{301}"
    #expect(composed.string == decomposed.string)
    #expect(composed != decomposed)
    #expect(decomposed < composed)
  }

  @Test func `a prefix is one of bytes`() {
    let text: Text = "counter/add and something long"
    #expect(text.hasPrefix("counter/"))
    #expect(text.hasPrefix(""))
    #expect(text.hasPrefix(text))
    #expect(!text.hasPrefix("counter/b"))
    #expect(!Text("ab").hasPrefix("abc"))
    #expect(Text("e\u{301}").hasPrefix("e"))
  }

  @Test func `large texts are identical only as the same object`() {
    let text: Text = "a text of more than fifteen bytes"
    let copy = text
    #expect(Value.string(text).isIdentical(to: .string(copy)))
    #expect(!Value.string(text).isIdentical(to: .string(Text(text.string))))
    #expect(Value.string("small").isIdentical(to: .string(Text("small"))))
  }
}
