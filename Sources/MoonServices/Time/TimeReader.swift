/// A reader of times in ISO 8601: `2026-11-22T15:05:37.250+02:00`, and of dates: `2026-11-22`.
///
/// As RFC 3339 has it, `t` and `z` may be lower-case, and a leap second may stand at the end of a
/// day.
struct TimeReader {
  /// The maximum number of bytes of a time; all significant digits of a fraction fit.
  static let byteCountMax = 64

  private var rest: Substring.UTF8View

  /// Returns the seconds since 1970 of a text; nil if it isn't a time, or one that doesn't exist.
  static func seconds(of text: String) -> Double? {
    guard text.utf8.count <= byteCountMax else { return nil }
    var reader = TimeReader(rest: text[...].utf8)
    return reader.readTime()
  }

  private mutating func readTime() -> Double? {
    guard let year = number(of: 4), skip("-"), let month = number(of: 2), skip("-"),
      let day = number(of: 2)
    else { return nil }
    if rest.isEmpty { return Self.seconds(ofDay: day, month, year) }
    guard skip("T") || skip("t"), let hour = number(of: 2), skip(":"),
      let minute = number(of: 2), skip(":"), let second = number(of: 2),
      let fraction = readFraction(), let offset = readOffset(), rest.isEmpty
    else { return nil }
    let time = CivilTime(
      year: year, month: month, day: day, hour: hour, minute: minute, second: min(second, 59))
    guard time.exists, second <= 60 else { return nil }
    let seconds = time.seconds - offset
    guard second == 60 else { return Double(seconds) + fraction }
    return (seconds + 1).isMultiple(of: CivilTime.secondsOfDay) ? Double(seconds + 1) : nil
  }

  /// Returns the beginning of a day in UTC.
  private static func seconds(ofDay day: Int, _ month: Int, _ year: Int) -> Double? {
    let time = CivilTime(year: year, month: month, day: day, hour: 0, minute: 0, second: 0)
    return time.exists ? Double(time.seconds) : nil
  }

  private mutating func readFraction() -> Double? {
    guard skip(".") else { return 0 }
    let digits = rest.prefix(while: Self.isDigit)
    guard !digits.isEmpty else { return nil }
    rest = rest.dropFirst(digits.count)
    return Double("0." + String(decoding: digits, as: UTF8.self))
  }

  /// Reads `Z`, `+02`, `+0200`, `+02:00` or `+02:00:30`, in seconds.
  private mutating func readOffset() -> Int? {
    if skip("Z") || skip("z") { return 0 }
    let isWest = skip("-")
    guard isWest || skip("+"), let hours = number(of: 2), hours < 24 else { return nil }
    var seconds = hours * 3600
    for unit in [60, 1] where !rest.isEmpty {
      _ = skip(":")
      guard let number = number(of: 2), number < 60 else { return nil }
      seconds += number * unit
    }
    return isWest ? -seconds : seconds
  }

  private mutating func number(of count: Int) -> Int? {
    let digits = rest.prefix(count)
    guard digits.count == count, digits.allSatisfy(Self.isDigit) else { return nil }
    rest = rest.dropFirst(count)
    return Int(String(decoding: digits, as: UTF8.self))
  }

  private mutating func skip(_ character: Character) -> Bool {
    guard rest.first == character.asciiValue else { return false }
    rest = rest.dropFirst()
    return true
  }

  private static func isDigit(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
  }
}
