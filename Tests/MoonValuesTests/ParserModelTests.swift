import MoonTestSupport
import MoonValues
import Testing

/// The parser and ``ReferenceParser`` read the same values and find the same errors.
struct ParserModelTests {
  @Test(arguments: 1...20 as ClosedRange<UInt64>)
  func `loosely written values are read alike`(seed: UInt64) {
    var writer = LooseWriter(seed: seed)
    for _ in 0..<100 {
      #expect(Self.problem(with: writer.text()) == nil, "seed \(seed)")
    }
  }

  @Test(arguments: 1...8 as ClosedRange<UInt64>)
  func `every truncated and every changed text is read alike`(seed: UInt64) {
    var writer = LooseWriter(seed: seed)
    for _ in 0..<3 {
      let bytes = Array(writer.text().prefix(200))
      for index in bytes.indices {
        #expect(Self.problem(with: Array(bytes[..<index])) == nil, "seed \(seed)")
        var changed = bytes
        changed[index] ^= 1 << UInt8(writer.values.random.below(8))
        #expect(Self.problem(with: changed) == nil, "seed \(seed)")
        changed[index] = writer.values.random.pick(Array("{}[],:\"\\0-.eu \u{1}t".utf8))
        #expect(Self.problem(with: changed) == nil, "seed \(seed)")
      }
    }
  }

  @Test func `any bytes are read alike`() {
    let failure = Fuzzing("parser model", cases: 3000).firstFailure(
      make: { ParserFuzzTests.json.text(&$0) }, check: { bytes, _ in Self.problem(with: bytes) })
    #expect(failure == nil, "\(failure ?? "")")
  }

  @Test(arguments: 0...40)
  func `a text of any length is read at any distance from the end`(count: Int) {
    let text = String(repeating: "a", count: count)
    for special in ["", "\"", "\\", "\\n", "\\u00e9", "\u{1}", "é"] {
      for place in 0...count {
        var content = text
        content.insert(contentsOf: special, at: content.index(content.startIndex, offsetBy: place))
        for end in ["", "\"", "\"]", "\",\"b\",1234567890123456]"] {
          let bytes = Array("[\"\(content)\(end)".utf8)
          #expect(Self.problem(with: bytes) == nil, "\(content)\(end)")
        }
        let map = Array("{\"\(content)\":1,\"[\(content)]\":2,\"b\":{}}".utf8)
        #expect(Self.problem(with: map) == nil, "\(content)")
      }
    }
  }

  @Test(arguments: 1...20 as ClosedRange<UInt64>)
  func `numbers are read alike`(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    func digits(_ max: Int) -> String {
      String((0..<(1 + random.below(max))).map { _ in random.pick(Array("0123456789")) })
    }
    for _ in 0..<500 {
      var text = random.once(in: 2) ? "-" : ""
      text += random.once(in: 3) ? "0" : "\(1 + random.below(9))" + digits(20)
      if random.once(in: 2) { text += "." + digits(random.once(in: 2) ? 4 : 24) }
      if random.once(in: 4) { text += random.pick(["e", "E-", "e+"]) + digits(3) }
      #expect(Self.problem(with: Array(text.utf8)) == nil, "\(text)")
      #expect(Self.problem(with: Array("[\(text)]".utf8)) == nil, "\(text)")
    }
    for text in ["9223372036854775807", "9223372036854775808", "18446744073709551616"] {
      #expect(Self.problem(with: Array(text.utf8)) == nil)
      #expect(Self.problem(with: Array("-\(text)".utf8)) == nil)
      #expect(Self.problem(with: Array("0.\(text)".utf8)) == nil)
    }
  }

  /// Maps of one text share their keys if they are the same.
  @Test func `maps whose keys are nearly the same keep their own`() {
    let others = [
      "b", "counter_one", "counter_two", "counter_", "counter_on", "a key of more than two words 1",
      "a key of more than two words 2", "c",
    ]
    let firsts = ["a", "[1]", "[2]", "[-9223372036854775808]", ""]
    for first in firsts {
      for one in others {
        for other in others {
          let text = "[{\"\(first)\":1,\"\(one)\":2},{\"\(first)\":3,\"\(other)\":4}]"
          #expect(Self.problem(with: Array(text.utf8)) == nil)
        }
      }
    }
    for one in firsts {
      let text = "[{\"\(one)\":1,\"z\":2},{\"\":3,\"z\":4},{\"\(one)\":5,\"z\":6}]"
      #expect(Self.problem(with: Array(text.utf8)) == nil)
    }
  }

  @Test func `limits are reached alike`() {
    var writer = LooseWriter(seed: 5)
    for _ in 0..<50 {
      let bytes = writer.text()
      let limits = ParseLimits(
        depthMax: 1 + writer.values.random.below(4),
        nodeCountMax: 1 + writer.values.random.below(30),
        byteCountMax: 1 + writer.values.random.below(2 * bytes.count + 2))
      #expect(Self.problem(with: bytes, limits) == nil)
    }
  }

  private static func problem(
    with bytes: [UInt8], _ limits: ParseLimits = ParseLimits()
  ) -> String? {
    let expected = ReferenceParser.parse(bytes, limits)
    let text = String(decoding: bytes, as: UTF8.self)
    do throws(ParseError) {
      let value = try Value(parsing: bytes, limits: limits)
      return expected == .success(value) ? nil : "\(text): \(value) instead of \(expected)"
    } catch {
      let failure = ReferenceParser.Failure(reason: error.reason, offset: error.offset)
      return expected == .failure(failure) ? nil : "\(text): \(failure) instead of \(expected)"
    }
  }
}

/// Writes random values with spaces, escapes, and keys in any order and sometimes twice.
private struct LooseWriter {
  var values: RandomValues

  init(seed: UInt64) { values = RandomValues(seed: seed) }

  mutating func text() -> [UInt8] {
    var text = ""
    write(values.value(depth: 3), into: &text)
    return Array(text.utf8)
  }

  private mutating func write(_ value: Value, into text: inout String) {
    space(&text)
    switch value {
    case .list(let list):
      text += "["
      for (index, item) in list.enumerated() {
        if index > 0 { text += "," }
        write(item, into: &text)
      }
      space(&text)
      text += "]"
    case .map(let map):
      var entries = Array(map)
      if values.random.once(in: 3) { entries.shuffle(using: &values.random) }
      if values.random.once(in: 20), let entry = entries.first { entries.append(entry) }
      text += "{"
      for (index, entry) in entries.enumerated() {
        if index > 0 { text += "," }
        space(&text)
        let key = Value.map([entry.key: nil]).canonicalText.dropFirst().dropLast("null:}".count)
        text += values.random.once(in: 4) ? escaped(String(key)) : String(key)
        space(&text)
        text += ":"
        write(entry.value, into: &text)
      }
      space(&text)
      text += "}"
    case .string: text += escaped(value.canonicalText)
    default: text += value.canonicalText
    }
    space(&text)
  }

  /// Writes some letters of a string as escapes.
  private mutating func escaped(_ quoted: String) -> String {
    guard !quoted.contains("\\") else { return quoted }
    var text = "\""
    for unit in quoted.utf16.dropFirst().dropLast() {
      let digits = String(unit, radix: 16)
      if unit >= 0x80 || values.random.once(in: 6) {
        text += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
      } else {
        text += String(decoding: [unit], as: UTF16.self)
      }
    }
    return text + "\""
  }

  private mutating func space(_ text: inout String) {
    while values.random.once(in: 6) { text += values.random.pick([" ", "\n", "\t", "\r"]) }
  }
}
