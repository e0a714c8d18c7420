import MoonValues
import Testing

struct UTF8ValidationTests {
  @Test(
    arguments: [
      ([0x61, 0xFF], 1), ([0xC3, 0xA9, 0xED, 0xA0, 0x80], 2), ([0xE2, 0x82], 0),
      ([UInt8](repeating: 0x61, count: 20) + [0x80], 20),
    ] as [([UInt8], Int)])
  func `the first ill-formed sequence is found`(bytes: [UInt8], offset: Int) {
    #expect(bytes.withUnsafeBufferPointer { UTF8Validation.invalidOffset(in: $0) } == offset)
  }
}
