import ArgumentParser
import MoonPrompt
import MoonServices
import MoonTerminal
import MoonTesting
import Moonwire

/// A command with the options of a host.
///
/// Each command has all groups itself. In a group of groups, the parser's checks in debug builds
/// take five times as long, which is half of the startup time.
protocol HostCommand {
  var limits: LimitOptions { get }
  var grants: GrantOptions { get }
  var urls: URLOptions { get }
  var data: DataOption { get }
  var moduleSettings: SettingOptions { get }
  var builtIns: BuiltInOptions { get }
}

extension HostCommand {
  /// The options of the host.
  var settings: HostSettings {
    HostSettings(
      limits: limits, grants: grants, urls: urls, data: data, moduleSettings: moduleSettings,
      builtIns: builtIns)
  }
}

/// The options of a host: the limits and grants of modules, the rules for URLs, and the built-in
/// modules.
struct HostSettings {
  let limits: LimitOptions
  let grants: GrantOptions
  let urls: URLOptions
  let data: DataOption
  let moduleSettings: SettingOptions
  let builtIns: BuiltInOptions

  /// Returns the options of a host that only has grants and a directory of data.
  static func with(_ grants: GrantOptions, _ data: DataOption) throws -> Self {
    Self(
      limits: try .parse([]), grants: grants, urls: try .parse([]), data: data,
      moduleSettings: try .parse([]), builtIns: try .parse([]))
  }

  /// Returns the directory for the files of built-in modules for a script directory; nil if there
  /// is none.
  func builtInDirectory(for scripts: String) -> String? {
    data.directory(for: scripts).map { "\($0)/built-in" }
  }

  /// Applies the options to those of a host for a script directory.
  func set(in options: inout HostOptions, for directory: String) {
    options.services = Service.standard
    options.isDebugging = builtIns.areForDebugging
    data.renameFormer(for: directory)
    options.surroundings.dataDirectory = data.directory(for: directory)
    for limit in limits.settings { limit.set(in: &options) }
    options.grants = grants.grants
    if let file = GrantsFile.personal {
      options.grants.denied += file.denials
      if let kept = try? file.grants(for: directory) {
        options.grants.allowed += kept.allowed
        options.grants.denied += kept.denied
      } else {
        // What it denies isn't known, so nothing is granted.
        (options.grants.allowed, options.grants.allowsAll) = ([], false)
      }
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
