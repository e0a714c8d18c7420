import MoonTestSupport
import MoonValues
import Testing

struct UTF8ValidationTests {
  private static func agrees(_ bytes: [UInt8]) -> Bool {
    let isValid = bytes.withUnsafeBufferPointer { UTF8Validation.isValid($0) }
    let text = bytes.withUnsafeBufferPointer { Text(utf8: $0) }
    let string = String(validating: bytes, as: UTF8.self)
    return isValid == (string != nil) && text?.string == string
  }

  @Test(arguments: [1, 2, 3, 4] as [UInt64])
  func `random bytes are valid where the standard library says so`(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    let interesting: [UInt8] = [
      0x00, 0x41, 0x7F, 0x80, 0x8F, 0x90, 0x9F, 0xA0, 0xBF, 0xC0, 0xC1, 0xC2, 0xDF, 0xE0, 0xE1,
      0xEC, 0xED, 0xEE, 0xEF, 0xF0, 0xF1, 0xF3, 0xF4, 0xF5, 0xFF,
    ]
    for _ in 0..<5000 {
      var bytes = [UInt8](repeating: 0x61, count: random.below(12))
      for _ in 0..<(1 + random.below(4)) {
        bytes.append(interesting[random.below(interesting.count)])
      }
      bytes += [UInt8](repeating: 0x62, count: random.below(3))
      #expect(Self.agrees(bytes), "seed \(seed): \(bytes)")
    }
  }

  @Test func `every pair of bytes after a lead is judged as by the standard library`() {
    for lead: UInt8 in [0xC1, 0xC2, 0xE0, 0xED, 0xEF, 0xF0, 0xF4] {
      for second in UInt8.min...UInt8.max {
        let bytes = [lead, second, 0x80, 0x80]
        for count in 1...4 where !Self.agrees(Array(bytes.prefix(count))) {
          Issue.record("\(bytes.prefix(count))")
        }
      }
    }
  }

  @Test(
    arguments: [
      ([0x61, 0xFF], 1), ([0xC3, 0xA9, 0xED, 0xA0, 0x80], 2), ([0xE2, 0x82], 0),
      ([UInt8](repeating: 0x61, count: 20) + [0x80], 20),
    ] as [([UInt8], Int)])
  func `the first ill-formed sequence is found`(bytes: [UInt8], offset: Int) {
    #expect(bytes.withUnsafeBufferPointer { UTF8Validation.invalidOffset(in: $0) } == offset)
  }
}
