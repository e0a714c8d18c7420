import ArgumentParser
import Moonwire

/// What modules may use.
struct LimitOptions: ParsableArguments {
  @Option(
    name: .customLong("limit"), parsing: .singleValue,
    help: ArgumentHelp(Messages.limitHelp, valueName: "[module:]what=amount"))
  var limits: [String] = []

  func validate() throws {
    for text in limits {
      do throws(LimitError) {
        _ = try LimitSetting(parsing: text)
      } catch {
        throw ValidationError("--limit '\(text)': \(Messages.limit(error))")
      }
    }
  }

  /// The settings in the order in which they were given.
  var settings: [LimitSetting] { limits.compactMap { try? LimitSetting(parsing: $0) } }
}
