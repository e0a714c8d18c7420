/// A date or time that a text of a card gives, and that is shown in the reader's zone and language:
/// `{{DATE(2026-01-31T09:30:00Z, SHORT)}}` or `{{TIME(2026-01-31T09:30:00Z)}}`.
package struct CardDate: Equatable, Sendable {
  /// What is shown of it.
  package enum Form: String, Sendable, CaseIterable {
    /// The day in figures.
    case compact = "COMPACT"
    /// The day with short names.
    case short = "SHORT"
    /// The day with full names.
    case long = "LONG"
    /// The time of day.
    case time = "TIME"
  }

  /// The moment, in seconds since 1970.
  package let seconds: Int64
  package let form: Form

  /// The maximum number of bytes between the braces.
  private static let lengthMax = 80

  /// Returns a text with its dates as `format` shows them; what isn't a date stays as it is.
  ///
  /// - Complexity: O(length of the text).
  static func shown(in text: String, _ format: (CardDate) -> String) -> String {
    guard text.utf8.contains(UInt8(ascii: "{")) else { return text }
    var shown = ""
    var rest = text[...]
    while let start = rest.firstRange(of: "{{") {
      shown += rest[..<start.lowerBound]
      let inner = rest[start.upperBound...]
      let near = inner.prefix(Self.lengthMax)
      guard let end = near.firstRange(of: "}}"), let date = CardDate(near[..<end.lowerBound]) else {
        shown += "{{"
        rest = inner
        continue
      }
      shown += format(date)
      rest = inner[end.upperBound...]
    }
    return shown + rest
  }

  /// Reads `DATE(…)` or `TIME(…)`; nil if it is neither.
  private init?(_ text: Substring) {
    guard text.last == ")", let open = text.firstIndex(of: "(") else { return nil }
    let parts = text[text.index(after: open)...].dropLast().split(separator: ",", maxSplits: 1)
      .map { $0.filter { $0 != " " } }
    guard let seconds = parts.first.flatMap(Self.seconds) else { return nil }
    switch (text[..<open], parts.count) {
    case ("TIME", 1): form = .time
    case ("DATE", 1): form = .compact
    case ("DATE", 2):
      guard let form = Form(rawValue: parts[1]), form != .time else { return nil }
      self.form = form
    default: return nil
    }
    self.seconds = seconds
  }

  /// Reads a moment such as `2026-01-31T09:30:00Z` or `2026-01-31T10:30:00+01:00`.
  private static func seconds(_ text: String) -> Int64? {
    var bytes = Array(text.utf8)[...]
    guard let year = number(&bytes, 4), take("-", &bytes), let month = number(&bytes, 2),
      take("-", &bytes), let day = number(&bytes, 2), take("T", &bytes),
      let hour = number(&bytes, 2), take(":", &bytes), let minute = number(&bytes, 2),
      take(":", &bytes), let second = number(&bytes, 2), let offset = offset(&bytes),
      bytes.isEmpty, 1...12 ~= month, 1...days(in: month, year) ~= day, hour < 24, minute < 60,
      second <= 60
    else { return nil }
    return days(year, month, day) * 86_400 + hour * 3_600 + minute * 60 + second - offset
  }

  /// Reads `Z`, or how far a zone is ahead of Greenwich, in seconds.
  private static func offset(_ bytes: inout ArraySlice<UInt8>) -> Int64? {
    if take("Z", &bytes) { return 0 }
    let isBehind = take("-", &bytes)
    guard isBehind || take("+", &bytes), let hours = number(&bytes, 2), take(":", &bytes),
      let minutes = number(&bytes, 2), hours < 24, minutes < 60
    else { return nil }
    return (hours * 60 + minutes) * (isBehind ? -60 : 60)
  }

  private static func number(_ bytes: inout ArraySlice<UInt8>, _ count: Int) -> Int64? {
    let digits = bytes.prefix(count)
    guard digits.count == count, digits.allSatisfy({ 0x30...0x39 ~= $0 }) else { return nil }
    bytes.removeFirst(count)
    return digits.reduce(0) { $0 * 10 + Int64($1 - 0x30) }
  }

  private static func take(_ byte: Unicode.Scalar, _ bytes: inout ArraySlice<UInt8>) -> Bool {
    guard let first = bytes.first, first == UInt8(ascii: byte) else { return false }
    bytes.removeFirst()
    return true
  }

  private static func isLeap(_ year: Int64) -> Bool {
    year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
  }

  private static func days(in month: Int64, _ year: Int64) -> Int64 {
    switch month {
    case 2: isLeap(year) ? 29 : 28
    case 4, 6, 9, 11: 30
    default: 31
    }
  }

  /// Returns the days since 1970.
  private static func days(_ year: Int64, _ month: Int64, _ day: Int64) -> Int64 {
    // Years that begin in March end with their leap day.
    let year = month > 2 ? year : year - 1
    let (era, part) = (year / 400, year % 400)
    let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
    return era * 146_097 + part * 365 + part / 4 - part / 100 + dayOfYear - 719_468
  }
}

extension CardDate {
  /// The date in figures, or the time, both of Greenwich: `2026-01-31`, `09:30 UTC`.
  ///
  /// It is the same for every reader.
  package var universal: String {
    let day = seconds >= 0 ? seconds / 86_400 : (seconds - 86_399) / 86_400
    let minute = (seconds - day * 86_400) / 60
    guard form != .time else { return "\(Self.two(minute / 60)):\(Self.two(minute % 60)) UTC" }
    let shifted = day + 719_468
    let era = shifted >= 0 ? shifted / 146_097 : (shifted - 146_096) / 146_097
    let dayOfEra = shifted - era * 146_097
    let yearOfEra = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let part = (5 * dayOfYear + 2) / 153
    let month = part < 10 ? part + 3 : part - 9
    let year = yearOfEra + era * 400 + (month < 3 ? 1 : 0)
    let digits = String(year)
    return String(repeating: "0", count: max(0, 4 - digits.count)) + digits
      + "-\(Self.two(month))-\(Self.two(dayOfYear - (153 * part + 2) / 5 + 1))"
  }

  private static func two(_ number: Int64) -> String { number < 10 ? "0\(number)" : "\(number)" }
}
