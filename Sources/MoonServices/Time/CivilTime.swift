/// A date and time of day of the Gregorian calendar, even before its introduction in 1582.
///
/// ISO 8601 requires this calendar; Foundation's changes to the Julian one.
struct CivilTime: Equatable {
  static let secondsOfDay = 86_400

  var year: Int
  var month: Int
  var day: Int
  var hour: Int
  var minute: Int
  var second: Int

  /// The day of the week; Monday is 1.
  var weekday: Int { Self.modulo(days + 3, 7) + 1 }

  /// The seconds from the beginning of 1970 to this time.
  var seconds: Int { days * Self.secondsOfDay + hour * 3600 + minute * 60 + second }

  /// Whether the day and the time exist.
  var exists: Bool { CivilTime(seconds: seconds) == self }

  init(year: Int, month: Int, day: Int, hour: Int, minute: Int, second: Int) {
    self.year = year
    self.month = month
    self.day = day
    self.hour = hour
    self.minute = minute
    self.second = second
  }

  /// Makes the time that is a number of seconds after the beginning of 1970.
  ///
  /// Source: H. Hinnant, chrono-compatible low-level date algorithms. Years begin in March, so that
  /// a leap day is their last.
  init(seconds: Int) {
    let time = Self.modulo(seconds, Self.secondsOfDay)
    // The days from 1 March of the year 0, in eras of 400 years.
    let days = (seconds - time) / Self.secondsOfDay + Self.daysTo1970
    let dayOfEra = Self.modulo(days, Self.daysOfEra)
    let yearOfEra =
      (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let monthFromMarch = (5 * dayOfYear + 2) / 153
    month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
    day = dayOfYear - (153 * monthFromMarch + 2) / 5 + 1
    year = yearOfEra + (days - dayOfEra) / Self.daysOfEra * 400 + (month <= 2 ? 1 : 0)
    hour = time / 3600
    minute = time / 60 % 60
    second = time % 60
  }

  private static let daysOfEra = 146_097
  private static let daysTo1970 = 719_468

  /// The days from the beginning of 1970.
  private var days: Int {
    let year = month <= 2 ? year - 1 : year
    let yearOfEra = Self.modulo(year, 400)
    let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
    let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
    return (year - yearOfEra) / 400 * Self.daysOfEra + dayOfEra - Self.daysTo1970
  }

  private static func modulo(_ number: Int, _ divisor: Int) -> Int {
    let rest = number % divisor
    return rest < 0 ? rest + divisor : rest
  }
}
