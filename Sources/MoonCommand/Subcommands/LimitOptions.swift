import ArgumentParser
import Moonwire

/// The limits of modules.
struct LimitOptions: ParsableArguments {
  @Option(
    name: .customLong("limit"), parsing: .singleValue,
    help: ArgumentHelp(
      """
      How much a module may use, such as counter:reducer=50ms, or without a name each module: \
      memory=16MB. What: load, reducer, middleware, observer, routing (screens, handlers, \
      presenters), view, mapper, effect (from one wait to the next) or hook (on_start, \
      on_stop, migrate, lifecycle) in ms or s; memory, and state for its slice, in KB, MB or GB; \
      faults in its last \(HostOptions.faultCallCount) calls, until it is suspended; tasks that \
      run at a time, and life of each. The amount off is no limit. May \
      be given several times.
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
