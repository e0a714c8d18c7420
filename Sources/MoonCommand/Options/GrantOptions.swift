import ArgumentParser
import Moonwire

/// The options that grant permissions to modules.
struct GrantOptions: ParsableArguments {
  @Option(
    name: .customLong("allow"), parsing: .singleValue,
    help: ArgumentHelp(
      """
      A scope to grant to modules that ask for it under `needs`, such as state:* (changing all \
      slices) or counter=state:* for one module only. May be given several times.
      """, valueName: "[module=]scope"))
  var allowed: [String] = []

  @Option(
    name: .customLong("deny"), parsing: .singleValue,
    help: ArgumentHelp(
      """
      A scope to deny to modules, whatever else grants it. May be given several times.
      """, valueName: "[module=]scope"))
  var denied: [String] = []

  @Flag(help: "Grant all modules whatever they ask for, unless it is denied.")
  var allowAll = false

  func validate() throws {
    for (option, texts) in [("--allow", allowed), ("--deny", denied)] {
      for text in texts {
        do throws(GrantError) {
          _ = try GrantSetting.rule(parsing: text)
        } catch {
          throw ValidationError("\(option) '\(text)': \(error)")
        }
      }
    }
  }

  /// The grants and denials.
  var grants: Grants {
    var grants = Grants()
    grants.allowed = allowed.compactMap { try? GrantSetting.rule(parsing: $0) }
    grants.denied = denied.compactMap { try? GrantSetting.rule(parsing: $0) }
    grants.allowsAll = allowAll
    return grants
  }
}
