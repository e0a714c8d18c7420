import ArgumentParser
import Moonwire

/// What a person says about a host: the limits and grants of modules, and how URLs are read.
struct HostSettings: ParsableArguments {
  @OptionGroup var limits: LimitOptions

  @OptionGroup var grants: GrantOptions

  @OptionGroup var urls: URLOptions

  /// Applies all of it.
  func set(in options: inout HostOptions) {
    for limit in limits.settings { limit.set(in: &options) }
    options.grants = grants.grants
    for rule in urls.settings { rule.set(in: &options.routing) }
  }

  /// Warnings about settings for modules that don't exist; they wait for them.
  func waitReports(_ modules: [ModuleName]) -> [Report] {
    let known = modules.map(\.text)
    func missing(_ names: [ModuleName]) -> [ModuleName] {
      Set(names).subtracting(modules).sorted()
    }
    let rules = grants.grants.allowed + grants.grants.denied
    return missing(limits.settings.compactMap(\.module)).map {
      LimitSetting.waitReport(for: $0, nearest: Spelling.nearest(to: $0.text, in: known))
    }
      + missing(rules.compactMap(\.module)).map {
        GrantSetting.waitReport(for: $0, nearest: Spelling.nearest(to: $0.text, in: known))
      }
  }
}
