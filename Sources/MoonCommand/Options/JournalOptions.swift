import ArgumentParser
import Glibc
import MoonJournal
import Moonwire

/// The options that name the journal of a run.
struct JournalOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      """
      Keep everything that happens in this file, a new one, so that the run can be resumed, \
      whatever ends it.
      """, valueName: "file"))
  var journal: String?

  @Option(
    help: ArgumentHelp(
      """
      Resume the run in this journal, and continue writing it. `last` is the journal that this \
      directory was last run with.
      """, valueName: "file"))
  var resume: String?

  @Option(
    help: ArgumentHelp(
      """
      Resume the run in this journal if the file is there, and otherwise begin it, as a service \
      does that is started again and again.
      """, valueName: "file"))
  var keep: String?

  @Option(
    name: .customLong("journal-level"),
    help: ArgumentHelp(
      """
      What the journal survives: process, any end of the program; or power, a loss of power as \
      well, which waits for the disk.
      """, valueName: "level"))
  var level = JournalLevel.process

  @Option(
    name: .customLong("journal-age"),
    help: ArgumentHelp(
      """
      Drop what is older than this, such as 12h or 30d, as soon as a later whole state is kept.
      """, valueName: "age"))
  var age: String?

  func validate() throws {
    if let age, Self.duration(age) == nil {
      throw ValidationError("--journal-age '\(age)': write an age such as 90s, 30m, 12h or 30d")
    }
    let named = [journal, resume, keep].compactMap(\.self)
    if age != nil, named.isEmpty {
      throw ValidationError("--journal-age needs --journal, --resume or --keep")
    }
    if journal != nil, resume != nil {
      throw ValidationError("--journal and --resume can't go together: --resume keeps on writing")
    }
    if keep != nil, named.count > 1 {
      throw ValidationError("--keep goes without --journal and --resume: it does what is right")
    }
    if named.contains("") { throw ValidationError("the name of the journal is empty") }
  }

  /// The journal; nil for none.
  var setting: JournalSetting? {
    if let journal {
      return JournalSetting(place: .new(journal), level: level.durability, limits: limits)
    }
    if let keep {
      return JournalSetting(place: .kept(keep), level: level.durability, limits: limits)
    }
    return resume.map {
      JournalSetting(
        place: $0 == "last" ? .last : .existing($0), level: level.durability, limits: limits)
    }
  }
}

extension JournalOptions {
  /// The largest number of an age.
  private static let numberMax = 1_000_000

  private var limits: JournalLimits {
    var limits = JournalLimits()
    limits.ageMax = age.flatMap(Self.duration) ?? .zero
    return limits
  }

  /// Parses `90s`, `30m`, `12h` or `30d`; nil if the text isn't an age above zero.
  private static func duration(_ text: String) -> Duration? {
    let units: [Character: Int] = ["s": 1, "m": 60, "h": 3_600, "d": 86_400]
    guard let unit = text.last.flatMap({ units[$0] }), let number = Int(text.dropLast()),
      (1...numberMax).contains(number), text.first != "+"
    else { return nil }
    return .seconds(number * unit)
  }
}

/// The durability of a journal, as an option.
enum JournalLevel: String, CaseIterable, ExpressibleByArgument {
  case process, power

  var durability: JournalFile.Durability {
    switch self {
    case .process: .process
    case .power: .power
    }
  }
}

/// The journal that a run is to have.
struct JournalSetting: Sendable {
  /// The place of a journal.
  enum Place: Sendable {
    /// A file to create.
    case new(String)
    /// A file whose session is resumed.
    case existing(String)
    /// A file whose session is resumed, or one to create if nothing is there.
    case kept(String)
    /// The file that the directory was last run with.
    case last
    /// A recording to create.
    case recording(String, Redaction)
  }

  let place: Place
  let level: JournalFile.Durability
  var limits = JournalLimits()
}
