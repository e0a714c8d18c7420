import Foundation
public import Moonwire

extension Service {
  /// Clocks and times, as `moon.time`.
  public static let time = Service(
    "time", "Tells the time, and reads and writes times.",
    functions: [
      .immediate(
        "now", "Returns the time in seconds since 1970; before a commit, that of the action.",
        returns: "number"
      ) { call in
        .number(call.time)
      },
      .immediate(
        "monotonic", "Returns the seconds since some moment, on a clock that is never set.",
        returns: "number"
      ) { call in
        guard !call.isRepeated else { throw ServiceRefusal.notRepeatable }
        return .number(call.surroundings.clock.timer.now() / .seconds(1))
      },
      .immediate("zone", "Returns the name of the host's time zone.", returns: "string") { call in
        .string(try TimeText.zone(nil, call).identifier)
      },
      .pure(
        "utc", "Returns a time as a text of ISO 8601, in UTC.", TimeText.seconds,
        .option(.boolean("fraction", "With milliseconds"), or: false), returns: "string"
      ) { _, seconds, hasFraction in
        .string(try TimeText.text(of: seconds, in: .gmt, hasFraction: hasFraction))
      },
      .pure(
        "parse", "Returns the seconds since 1970 of a text of ISO 8601; a date begins in UTC.",
        .string("text", "Such as 2026-11-22T13:05:37Z, 2026-11-22T15:05:37.250+02:00 or a date"),
        returns: "number"
      ) { _, text in
        guard let seconds = TimeText.seconds(of: text) else { throw TimeFailure.notATime(text) }
        return .number(seconds)
      },
      .immediate(
        "at", "Returns the seconds since 1970 of a date and a time of day in a time zone.",
        .option(.integer("year", in: 1...9_999)), .option(.integer("month", in: 1...12), or: 1),
        .option(.integer("day", in: 1...31), or: 1), .option(.integer("hour", in: 0...23), or: 0),
        .option(.integer("minute", in: 0...59), or: 0),
        .option(.integer("second", in: 0...59), or: 0),
        .option(.string("zone", "Such as Europe/Paris; by default the host's")),
        .option(.boolean("later", "The second of two readings"), or: false),
        .option(.integer("offset", in: -86_400...86_400, "Chooses between two readings")),
        .option(.integer("weekday", "Ignored, as in the parts of a time")), returns: "number"
      ) { call, year, month, day, hour, minute, second, zone, isLater, offset, _ in
        guard let year else { throw TimeFailure.noYear }
        let time = CivilTime(
          year: year, month: month, day: day, hour: hour, minute: minute, second: second)
        let zone = try TimeText.zone(zone, call)
        return .number(
          Double(try TimeText.seconds(of: time, in: zone, isLater: isLater, offset: offset)))
      },
      .immediate(
        "format", "Returns a time as a text of ISO 8601, in a time zone.", TimeText.seconds,
        .optional(.string("zone", "Such as Europe/Paris; by default the host's")),
        .option(.boolean("fraction", "With milliseconds"), or: false), returns: "string"
      ) { call, seconds, zone, hasFraction in
        .string(
          try TimeText.text(
            of: seconds, in: try TimeText.zone(zone, call), hasFraction: hasFraction))
      },
      .immediate(
        "parts", "Returns the parts of a time in a time zone.", TimeText.seconds,
        .optional(.string("zone", "Such as Europe/Paris; by default the host's")),
        returns: "{year, month, day, hour, minute, second, weekday, offset}"
      ) { call, seconds, zone in
        try TimeText.parts(of: seconds, in: try TimeText.zone(zone, call))
      },
    ])
}

/// Times as ISO 8601 texts, and as parts.
enum TimeText {
  /// The times from the year 1 to the year 9999, in UTC.
  private static let secondsRange = -62_135_596_800.0...253_402_300_799.0

  /// The parameter for a time.
  static var seconds: ServiceParameter<Double> {
    .number("seconds", in: secondsRange, "Since 1970")
  }

  /// Returns the zone with a name, or the host's.
  ///
  /// - Throws: ``TimeFailure/unknownZone(_:)``.
  static func zone(_ name: String?, _ call: ServiceCall) throws(TimeFailure) -> TimeZone {
    guard let name = name ?? call.surroundings.timeZone else { return .current }
    guard let zone = TimeZone(identifier: name) else { throw .unknownZone(name) }
    return zone
  }

  /// Returns a time as text.
  ///
  /// - Throws: ``TimeFailure/outsideYears(_:)``.
  static func text(
    of seconds: Double, in zone: TimeZone, hasFraction: Bool
  ) throws(TimeFailure) -> String {
    let milliseconds =
      hasFraction ? Int((seconds * 1000).rounded()) : Int(seconds.rounded(.down)) * 1000
    let (whole, rest) = milliseconds.quotientAndRemainder(dividingBy: 1000)
    let second = rest < 0 ? whole - 1 : whole
    let offset = zone.secondsFromGMT(for: Date(timeIntervalSince1970: Double(second)))
    let time = try localTime(second + offset, in: zone)
    let day = "\(digits(time.year, 4))-\(digits(time.month))-\(digits(time.day))"
    let clock = "\(digits(time.hour)):\(digits(time.minute)):\(digits(time.second))"
    let fraction = hasFraction ? "." + digits(milliseconds - second * 1000, 3) : ""
    return day + "T" + clock + fraction + text(ofOffset: offset)
  }

  /// Returns a time of day by the clocks of a zone, which may have another year than UTC.
  private static func localTime(
    _ seconds: Int, in zone: TimeZone
  ) throws(TimeFailure) -> CivilTime {
    let time = CivilTime(seconds: seconds)
    guard (1...9_999).contains(time.year) else { throw .outsideYears(zone.identifier) }
    return time
  }

  private static func text(ofOffset offset: Int) -> String {
    guard offset != 0 else { return "Z" }
    let (minutes, seconds) = abs(offset).quotientAndRemainder(dividingBy: 60)
    return (offset < 0 ? "-" : "+") + "\(digits(minutes / 60)):\(digits(minutes % 60))"
      + (seconds == 0 ? "" : ":\(digits(seconds))")
  }

  private static func digits(_ number: Int, _ count: Int = 2) -> String {
    let text = String(number)
    return String(repeating: "0", count: max(0, count - text.utf8.count)) + text
  }

  /// Returns the time of a text; nil if it isn't one, or one that the other functions don't accept.
  static func seconds(of text: String) -> Double? {
    guard let seconds = TimeReader.seconds(of: text), secondsRange.contains(seconds) else {
      return nil
    }
    return seconds
  }

  /// Returns the seconds since 1970 of a time in a zone.
  ///
  /// Where clocks are set back, an hour comes twice: `isLater` or `offset` chooses the reading.
  ///
  /// - Throws: ``TimeFailure/notInZone(_:_:)`` if there is no such time there.
  static func seconds(
    of time: CivilTime, in zone: TimeZone, isLater: Bool, offset: Int?
  ) throws(TimeFailure) -> Int {
    func offsetFromUTC(at second: Int) -> Int {
      zone.secondsFromGMT(for: Date(timeIntervalSince1970: Double(second)))
    }
    let local = time.seconds
    // Those of the days before and after, between which clocks may have been set.
    let offsets = [-CivilTime.secondsOfDay, CivilTime.secondsOfDay].map {
      offsetFromUTC(at: local + $0)
    }
    let readings = Set(offsets.map { local - $0 }).filter { reading in
      let own = offsetFromUTC(at: reading)
      return reading == local - own && (offset ?? own) == own
    }
    guard time.exists, let reading = isLater ? readings.max() : readings.min() else {
      throw .notInZone(
        "\(digits(time.year, 4))-\(digits(time.month))-\(digits(time.day)) "
          + "\(digits(time.hour)):\(digits(time.minute)):\(digits(time.second))",
        zone.identifier)
    }
    guard secondsRange.contains(Double(reading)) else { throw .outsideYears("UTC") }
    return reading
  }

  /// Returns the parts of a time.
  ///
  /// - Throws: ``TimeFailure/outsideYears(_:)``.
  static func parts(
    of seconds: Double, in zone: TimeZone
  ) throws(TimeFailure) -> ServiceResult {
    let second = Int(seconds.rounded(.down))
    let offset = zone.secondsFromGMT(for: Date(timeIntervalSince1970: seconds))
    let time = try localTime(second + offset, in: zone)
    let parts = [
      ("year", time.year), ("month", time.month), ("day", time.day), ("hour", time.hour),
      ("minute", time.minute), ("second", time.second), ("weekday", time.weekday),
      ("offset", offset),
    ]
    return .fields(parts.map { (name: $0.0, content: .integer($0.1)) })
  }
}

/// The reason that a text isn't a time or a time zone.
enum TimeFailure: ServiceFailure, Equatable {
  /// The text isn't ISO 8601 with a zone.
  case notATime(String)
  /// There is no such time in the zone.
  case notInZone(String, String)
  /// The parts of a time have no year.
  case noYear
  /// In the zone, the time isn't in the years 1 to 9999.
  case outsideYears(String)
  /// The system doesn't know the zone.
  case unknownZone(String)

  var code: String {
    switch self {
    case .notATime: "malformed"
    case .notInZone, .noYear, .outsideYears: "no_such_time"
    case .unknownZone: "unknown_zone"
    }
  }

  var description: String {
    switch self {
    case .notATime(let text):
      "'\(text.prefix(40))' isn't a time such as 2026-11-22T13:05:37Z"
    case .notInZone(let text, let zone):
      "there is no \(text) in \(zone): the day doesn't exist, or clocks skip that time"
    case .noYear: "moon.time.at takes a year: moon.time.at { year = 2026, zone = \"Europe/Rome\" }"
    case .outsideYears(let zone): "the time isn't in the years 1 to 9999 in \(zone)"
    case .unknownZone(let name):
      "there is no time zone '\(name.prefix(40))': write one such as Europe/Paris or UTC"
    }
  }
}
