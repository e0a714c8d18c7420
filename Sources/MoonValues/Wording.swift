/// The wording of numbers and lists in sentences.
package enum Wording {
  /// Returns a count with its noun: `1 module`, `2 modules`.
  package static func counted(_ count: Int, _ noun: String) -> String {
    "\(count) \(count == 1 ? noun : plural(noun))"
  }

  /// Returns a number of times: `once`, `5 times`.
  package static func times(_ count: Int) -> String { count == 1 ? "once" : "\(count) times" }

  /// Returns a duration: `1.8 ms`, `25 ms`, `2.1 s`.
  package static func time(_ duration: Duration) -> String {
    let microseconds = duration.microseconds
    if microseconds < 10_000 { return "\(tenths(microseconds, of: 1_000)) ms" }
    if microseconds < 1_000_000 { return "\(microseconds / 1_000) ms" }
    return "\(tenths(microseconds, of: 1_000_000)) s"
  }

  /// Returns a size: `820 B`, `12 KB`, `1.2 MB`, `640 MB`.
  package static func size(_ bytes: Int) -> String {
    let (kilo, mega) = (1 << 10, 1 << 20)
    if bytes < kilo { return "\(bytes) B" }
    if bytes < mega { return "\(bytes / kilo) KB" }
    if bytes < 100 * mega, bytes % mega != 0 {
      return "\(tenths(Int64(bytes), of: Int64(mega))) MB"
    }
    return "\(bytes / mega) MB"
  }

  /// Returns a number with its digits grouped: `3,400`.
  package static func grouped(_ count: Int) -> String {
    let digits = Array(String(count))
    return digits.indices.map { index in
      let left = digits.count - index
      return (index > 0 && left % 3 == 0 ? "," : "") + String(digits[index])
    }.joined()
  }

  /// Returns a list: `a, b and c`.
  package static func list(_ words: [String], _ conjunction: String = "and") -> String {
    guard let last = words.last, words.count > 1 else { return words.first ?? "" }
    return words.dropLast().joined(separator: ", ") + " \(conjunction) " + last
  }

  /// Returns a byte as a character: `'x'`, or `such a character` if it isn't printable.
  package static func character(_ byte: UInt8) -> String {
    (0x21..<0x7F).contains(byte) ? "'\(Character(Unicode.Scalar(byte)))'" : "such a character"
  }

  private static func plural(_ noun: String) -> String {
    if noun.hasSuffix("middleware") { return noun }
    return noun.hasSuffix("ry") ? noun.dropLast() + "ies" : noun + "s"
  }

  private static func tenths(_ number: Int64, of unit: Int64) -> String {
    let tenths = (number / unit) * 10 + ((number % unit) * 10 + unit / 2) / unit
    return "\(tenths / 10).\(tenths % 10)"
  }
}

extension Duration {
  /// The whole microseconds, clamped to the range that ``Wording/time(_:)`` can round.
  package var microseconds: Int64 {
    // Limited to a tenth of the maximum, so that rounding to tenths can't overflow.
    let (whole, isTooLong) = components.seconds.multipliedReportingOverflow(by: 10_000_000)
    guard !isTooLong else { return components.seconds < 0 ? .min / 10 : .max / 10 }
    return whole / 10 + components.attoseconds / 1_000_000_000_000
  }
}
