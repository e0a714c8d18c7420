import Glibc
package import Moonwire

/// Dates of screens as the person reads them who runs the program: in their zone and language.
package enum ReaderDates {
  /// Returns a date as the locale of the environment writes it.
  package static func text(_ date: CardDate) -> String {
    var time = time_t(date.seconds)
    var parts = tm()
    guard localtime_r(&time, &parts) != nil,
      let locale = newlocale(LC_TIME_MASK | LC_CTYPE_MASK, "", nil)
        ?? newlocale(LC_TIME_MASK | LC_CTYPE_MASK, "C", nil)
    else { return date.universal }
    defer { freelocale(locale) }
    var buffer = [CChar](repeating: 0, count: 256)
    let format = format(date.form, locale)
    guard strftime_l(&buffer, buffer.count, format, &parts, locale) > 0 else {
      return date.universal
    }
    let bytes = buffer.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }
    // A locale of another encoding than UTF-8 says it in bytes that aren't text.
    return String(validating: bytes, as: UTF8.self) ?? date.universal
  }

  /// Returns the format of the C library: the locale knows the order of the parts in figures, and
  /// whether the day has twelve hours.
  private static func format(_ form: CardDate.Form, _ locale: locale_t) -> String {
    let figures = String(cString: nl_langinfo_l(nl_item(D_FMT), locale))
    switch form {
    case .compact: return "%x"
    case .time:
      let usual = String(cString: nl_langinfo_l(nl_item(T_FMT), locale))
      return usual.hasPrefix("%r") || usual.contains("%I") ? "%-I:%M %p" : "%H:%M"
    case .short, .long:
      let (day, month) = form == .short ? ("%a", "%b") : ("%A", "%B")
      if figures.hasPrefix("%m") || figures.hasPrefix("%D") {
        return "\(day), \(month) %-d, %Y"
      }
      if figures.hasPrefix("%Y") { return "%Y-%m-%d, \(day)" }
      // As in German: 31. Januar.
      return "\(day), %-d\(figures.contains("%d.") ? "." : "") \(month) %Y"
    }
  }
}
