import MoonValues

/// The two forms of dates and times in Adaptive Cards.
///
/// Both sort correctly as texts.
enum CalendarUnit {
  /// `2026-01-31`, a day of the Gregorian calendar.
  case date
  /// `23:59`.
  case time

  func accepts(_ text: Text) -> Bool {
    guard let parts = text.withUTF8({ numbers(in: $0) }) else { return false }
    switch self {
    case .date:
      let days = Self.dayCount(of: parts[1], in: parts[0])
      return (1...12).contains(parts[1]) && (1...days).contains(parts[2])
    case .time: return parts[0] < 24 && parts[1] < 60
    }
  }

  /// Returns the numbers, if the text has the unit's digits and separators.
  private func numbers(in bytes: UnsafeBufferPointer<UInt8>) -> [Int]? {
    let form = self == .date ? "dddd-dd-dd" : "dd:dd"
    guard bytes.count == form.utf8.count else { return nil }
    var numbers = [0]
    for (byte, expected) in zip(bytes, form.utf8) {
      if expected == UInt8(ascii: "d") {
        guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) else { return nil }
        numbers[numbers.count - 1] =
          numbers[numbers.count - 1] * 10 + Int(byte - UInt8(ascii: "0"))
      } else {
        guard byte == expected else { return nil }
        numbers.append(0)
      }
    }
    return numbers
  }

  private static func dayCount(of month: Int, in year: Int) -> Int {
    switch month {
    case 4, 6, 9, 11: 30
    case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
    default: 31
    }
  }
}
