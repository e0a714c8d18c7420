import Foundation
public import Moonwire

extension Service {
  /// Clocks and times, as `moon.time`.
  public static let time = Service(
    "time", "Tells the time, and reads and writes times.",
    functions: [
      .immediate("now", "Returns the time in seconds since 1970.", returns: "number") { call in
        .number(call.surroundings.clock.now())
      },
      .immediate(
        "monotonic", "Returns the seconds since some moment, on a clock that is never set.",
        returns: "number"
      ) { call in
        .number(call.surroundings.clock.timer.now() / .seconds(1))
      },
      .immediate("zone", "Returns the name of the host's time zone.", returns: "string") { call in
        .string(try TimeText.zone(nil, call).identifier)
      },
      .pure(
        "utc", "Returns a time as a text of ISO 8601, in UTC.", TimeText.seconds,
        .option(.boolean("fraction", "With milliseconds"), or: false), returns: "string"
      ) { _, seconds, hasFraction in
        .string(TimeText.text(of: seconds, in: .gmt, hasFraction: hasFraction))
      },
      .pure(
        "parse", "Returns the seconds since 1970 of a text of ISO 8601 with a zone.",
        .string("text", "Such as 2026-11-22T13:05:37Z or 2026-11-22T15:05:37.250+02:00"),
        returns: "number"
      ) { _, text in
        guard let seconds = TimeText.seconds(of: text) else { throw TimeFailure.notATime(text) }
        return .number(seconds)
      },
      .immediate(
        "format", "Returns a time as a text of ISO 8601, in a time zone.", TimeText.seconds,
        .optional(.string("zone", "Such as Europe/Paris; by default the host's")),
        .option(.boolean("fraction", "With milliseconds"), or: false), returns: "string"
      ) { call, seconds, zone, hasFraction in
        .string(
          TimeText.text(
            of: seconds, in: try TimeText.zone(zone, call), hasFraction: hasFraction))
      },
      .immediate(
        "parts", "Returns the parts of a time in a time zone.", TimeText.seconds,
        .optional(.string("zone", "Such as Europe/Paris; by default the host's")),
        returns: "{year, month, day, hour, minute, second, weekday, offset}"
      ) { call, seconds, zone in
        TimeText.parts(of: seconds, in: try TimeText.zone(zone, call))
      },
    ])
}

/// Times as texts of ISO 8601, and as parts.
enum TimeText {
  /// The parameter for a time, from the year 1 to the year 9999.
  static var seconds: ServiceParameter<Double> {
    .number("seconds", in: -62_135_596_800...253_402_300_799, "Since 1970")
  }

  /// Returns the zone of a name, or the host's.
  ///
  /// - Throws: ``TimeFailure/unknownZone(_:)``.
  static func zone(_ name: String?, _ call: ServiceCall) throws(TimeFailure) -> TimeZone {
    guard let name = name ?? call.surroundings.timeZone else { return .current }
    guard let zone = TimeZone(identifier: name) else { throw .unknownZone(name) }
    return zone
  }

  static func text(of seconds: Double, in zone: TimeZone, hasFraction: Bool) -> String {
    Date(timeIntervalSince1970: seconds).formatted(
      Date.ISO8601FormatStyle(
        timeZoneSeparator: .colon, includingFractionalSeconds: hasFraction, timeZone: zone))
  }

  /// Returns the time of a text; nil if it is none.
  static func seconds(of text: String) -> Double? {
    for hasFraction in [false, true] {
      for separator in [Date.ISO8601FormatStyle.TimeZoneSeparator.colon, .omitted] {
        let style = Date.ISO8601FormatStyle(
          timeZoneSeparator: separator, includingFractionalSeconds: hasFraction)
        if let date = try? style.parse(text) { return date.timeIntervalSince1970 }
      }
    }
    return nil
  }

  static func parts(of seconds: Double, in zone: TimeZone) -> ServiceResult {
    var calendar = Calendar(identifier: .iso8601)
    calendar.timeZone = zone
    let date = Date(timeIntervalSince1970: seconds)
    let found = calendar.dateComponents(
      [.year, .month, .day, .hour, .minute, .second, .weekday], from: date)
    let parts = [
      ("year", found.year), ("month", found.month), ("day", found.day), ("hour", found.hour),
      ("minute", found.minute), ("second", found.second),
      // Monday is 1, as in ISO 8601; Foundation begins with Sunday.
      ("weekday", found.weekday.map { ($0 + 5) % 7 + 1 }),
      ("offset", zone.secondsFromGMT(for: date)),
    ]
    return .fields(parts.map { (name: $0.0, content: $0.1.map { .integer($0) } ?? .nothing) })
  }
}

/// The reason that a text is no time or no time zone.
enum TimeFailure: ServiceFailure, Equatable {
  /// The text isn't ISO 8601 with a zone.
  case notATime(String)
  /// The system knows no such zone.
  case unknownZone(String)

  var code: String {
    switch self {
    case .notATime: "malformed"
    case .unknownZone: "unknown_zone"
    }
  }

  var description: String {
    switch self {
    case .notATime(let text):
      "'\(text.prefix(40))' isn't a time such as 2026-11-22T13:05:37Z"
    case .unknownZone(let name):
      "there is no time zone '\(name.prefix(40))': write one such as Europe/Paris or UTC"
    }
  }
}
