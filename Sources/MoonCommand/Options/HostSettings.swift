import ArgumentParser
import MoonPrompt
import MoonServices
import MoonTerminal
import MoonTesting
import Moonwire

/// The options of a host: the limits and grants of modules, the rules for URLs, and the built-in
/// modules.
struct HostSettings: ParsableArguments {
  @OptionGroup var limits: LimitOptions

  @OptionGroup var grants: GrantOptions

  @OptionGroup var urls: URLOptions

  @OptionGroup var data: DataOption

  @OptionGroup var moduleSettings: SettingOptions

  @OptionGroup var builtIns: BuiltInOptions

  @OptionGroup var keys: KeysOption

  /// Returns the directory for the files of built-in modules for a script directory; nil if there
  /// is none.
  func builtInDirectory(for scripts: String) -> String? {
    data.directory(for: scripts).map { "\($0)/built-in" }
  }

  /// Applies the options to those of a host for a script directory.
  func set(in options: inout HostOptions, for directory: String) {
    options.services = Service.standard
    options.isDebugging = builtIns.areForDebugging
    options.surroundings.dataDirectory = data.directory(for: directory)
    for limit in limits.settings { limit.set(in: &options) }
    options.grants = grants.grants
    if let kept = try? GrantsFile.personal?.grants(for: directory) {
      options.grants.allowed += kept.allowed
      options.grants.denied += kept.denied
    }
    for rule in urls.settings { rule.set(in: &options.routing) }
  }

  /// Returns what checks the app of a directory, and runs its tests, beside a running host.
  func inspection(
    of directory: String, followingLinksInto links: [String], on output: TerminalOutput
  ) -> AppInspection {
    let settings = moduleSettings.configured
    return AppInspection(
      of: directory, settings,
      options: { [self] in
        var options = HostOptions()
        set(in: &options, for: directory)
        options.settings = settings.source
        options.linkedDirectories = links
        return options
      }
    ) { [builtIns] (host) throws(HostError) in
      try await builtIns.add(to: host, showingOn: output, keepingIn: nil)
    }
  }

  /// Returns the report on the file of grants if it can't be read.
  static func grantsReport(for directory: String) -> Report? {
    guard let file = GrantsFile.personal else { return nil }
    do throws(GrantsFileError) {
      _ = try file.grants(for: directory)
      return nil
    } catch {
      return error.report(at: file.path)
    }
  }

  /// Returns warnings about options for modules that don't exist.
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
