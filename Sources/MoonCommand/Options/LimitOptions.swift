import ArgumentParser
import Moonwire

/// The options that set limits of modules.
struct LimitOptions: ParsableArguments {
  @Option(
    name: .customLong("limit"), parsing: .singleValue,
    help: ArgumentHelp(
      """
      A limit for a module, such as counter:reducer=50ms, or for every module, such as \
      memory=16MB. Times of one call, in ms or s: \(CallKind.help). Sizes, in KB, MB or GB: \
      memory, and state for its slice. A count: faults, in its last \
      \(HostOptions.faultCallCount) calls, at which it is suspended; tasks that run at a time. \
      Times, in ms or s: life, of a task; guard, in which a routing observer must answer. The \
      amount off means no limit. May be repeated.
      """, valueName: "[module:]what=amount"))
  var limits: [String] = []

  func validate() throws {
    for text in limits {
      do throws(LimitError) {
        _ = try LimitSetting(parsing: text)
      } catch {
        throw ValidationError("--limit '\(text)': \(error)")
      }
    }
  }

  /// The settings in the order in which they were given.
  var settings: [LimitSetting] { limits.compactMap { try? LimitSetting(parsing: $0) } }
}

extension CallKind {
  fileprivate static let help = allCases.map(\.help).joined(separator: ", ")

  private var help: String {
    switch self {
    case .routing: "\(rawValue) (screens, handlers, presenters)"
    case .effect: "\(rawValue) (from one wait to the next)"
    case .hook: "\(rawValue) (on_start, on_stop, migrate, lifecycle)"
    case .load, .reducer, .middleware, .observer, .view, .mapper: rawValue
    }
  }
}
