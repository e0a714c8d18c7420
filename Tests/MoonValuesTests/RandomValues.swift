import MoonTestSupport
import MoonValues

/// Random values that favour those that often cause problems.
struct RandomValues {
  static let nastyTexts = [
    "", "\0", "a\0", "a\0b", "[10]", "[[1]", "[[10]]", "[-5]", "[+5]", "[01]", "[-0]", "[", "[]",
    "[x]", "[[", "]", "\"", "\\", "/", "\u{8}\u{c}\n\r\t", "\u{1}\u{1f}\u{7f}", "\u{e9}",
    "e\u{301}", "\u{2028}\u{2029}", "\u{10FFFF}", "\u{FFFF}",
    "👩‍👩‍👧", "exactly15bytes!",
    "exactly16 bytes!", "exactly15bytes!\0", "exactly15bytes!a", "exactly15bytes!b",
    "exactly15bytes", "a much longer text that doesn't fit into two words", "[9223372036854775808]",
    "1", "-1", "[9223372036854775807]", "\u{FFFE}", "\r\n", "\u{FEFF}",
  ]
  static let nastyInts: [Int64] = [
    .min, .min + 1, -1, 0, 1, 9, 10, .max - 1, .max, 1 << 53, (1 << 53) + 1, -(1 << 53) - 1,
  ]
  static let nastyDoubles: [Double] = [
    0.0, -0.0, 1, -1, 0.1, 1e15, 1e16, 1e17, 1e21, 1e22, 1e100, .leastNonzeroMagnitude,
    -.leastNonzeroMagnitude, .leastNormalMagnitude, .leastNormalMagnitude.nextDown,
    .greatestFiniteMagnitude, -.greatestFiniteMagnitude, .infinity, -.infinity, .pi, 1.0 / 3,
    9_007_199_254_740_992, 123_456_789.125, 0.0001, 0.00001, 1e-7,
  ]

  var random: SplitMix64

  init(seed: UInt64) {
    random = SplitMix64(seed: seed)
  }

  mutating func int() -> Int64 {
    switch random.below(3) {
    case 0: Self.nastyInts[random.below(Self.nastyInts.count)]
    case 1: Int64(random.below(41)) - 20
    default: Int64(bitPattern: random.next())
    }
  }

  mutating func double() -> Double {
    switch random.below(3) {
    case 0: return Self.nastyDoubles[random.below(Self.nastyDoubles.count)]
    case 1: return Double(random.below(2000) - 1000) / 8
    default:
      let double = Double(bitPattern: random.next())
      return double.isNaN ? 0.5 : double
    }
  }

  mutating func text() -> Text {
    if random.below(2) == 0 {
      return Text(Self.nastyTexts[random.below(Self.nastyTexts.count)])
    }
    var string = ""
    for _ in 0..<random.below(30) {
      let scalar =
        switch random.below(8) {
        case 0: random.below(0x20)
        case 1: 0x80 + random.below(0x700)
        case 2: 0x1F300 + random.below(0x300)
        default: 0x20 + random.below(0x60)
        }
      if let scalar = Unicode.Scalar(UInt32(scalar)) { string.unicodeScalars.append(scalar) }
    }
    return Text(string)
  }

  mutating func key() -> Key {
    random.below(3) == 0 ? .int(int()) : .string(text())
  }

  mutating func scalar() -> Value {
    switch random.below(5) {
    case 0: .null
    case 1: .bool(random.below(2) == 0)
    case 2: .int(int())
    case 3: .double(double())
    default: .string(text())
    }
  }

  /// Returns a value with lists and maps nested at most `depth` deep.
  mutating func value(depth: Int = 4) -> Value {
    guard depth > 0, random.below(3) > 0 else { return scalar() }
    let count = random.below(4) == 0 ? random.below(40) : random.below(5)
    let inner = count > 8 ? 1 : depth
    if random.below(2) == 0 {
      return .list(List((0..<count).map { _ in value(depth: inner - 1) }))
    }
    return .map(Map((0..<count).map { _ in (key(), value(depth: inner - 1)) }))
  }
}
