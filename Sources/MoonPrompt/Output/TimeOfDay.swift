import Glibc

/// The formatting of times of day.
package enum TimeOfDay {
  /// Returns seconds since 1970 as local time: `10:42:07.125`.
  package static func text(_ seconds: Double) -> String {
    guard seconds >= 0, seconds < 1e15 else { return "--:--:--" }
    var time = time_t(seconds)
    var parts = tm()
    guard localtime_r(&time, &parts) != nil else { return "--:--:--" }
    let milliseconds = Int((seconds - seconds.rounded(.down)) * 1_000)
    let tail = String(milliseconds)
    return [parts.tm_hour, parts.tm_min, parts.tm_sec].map(digits).joined(separator: ":") + "."
      + String(repeating: "0", count: 3 - tail.count) + tail
  }

  private static func digits(_ number: Int32) -> String {
    number < 10 ? "0\(number)" : "\(number)"
  }
}
