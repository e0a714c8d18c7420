public import Moonwire
import Synchronization

/// Settings of modules from the command line, a JSON file and the environment, in this order.
///
/// `weather.city` is `{"weather": {"city": "Rome"}}` in the file, and `MOONWIRE_WEATHER_CITY` in
/// the environment; see ``Setting/variable(of:)`` for the names of variables.
public final class ConfiguredSettings: Sendable {
  private let assigned: [String: String]
  private let path: String?
  private let environment: [String: String]
  private let file = Mutex<SettingsFile?>(nil)

  /// Makes settings from texts by `module.setting`, the path of a file, and an environment.
  ///
  /// The file isn't read yet.
  public init(set: [String: String], file: String?, environment: [String: String]) {
    assigned = set
    path = file
    self.environment = environment
  }

  /// Reads the file again, if there is one.
  ///
  /// - Throws: ``SettingsFileError``; the settings read before then remain.
  public func reload() throws(SettingsFileError) {
    guard let path else { return }
    let read = try SettingsFile(reading: path)
    file.withLock { $0 = read }
  }

  /// The source for ``HostOptions/settings``.
  public var source: SettingSource {
    SettingSource { [self] module, setting in
      assigned(module, setting) ?? filed(module, setting) ?? inEnvironment(module, setting)
    }
  }

  private func assigned(_ module: ModuleName, _ setting: Setting) -> SettingSource.Given? {
    let key = "\(module).\(setting.name)"
    return assigned[key].map { SettingSource.Given(.text($0), from: "--set \(key)") }
  }

  private func filed(_ module: ModuleName, _ setting: Setting) -> SettingSource.Given? {
    guard let file = file.withLock({ $0 }), let value = file[module.text, setting.name] else {
      return nil
    }
    // A text may stand for a number, as on the command line.
    let content = value.stringValue.map { SettingSource.Given.Content.text($0) } ?? .value(value)
    return SettingSource.Given(content, from: file.place(of: module.text, setting.name))
  }

  private func inEnvironment(_ module: ModuleName, _ setting: Setting) -> SettingSource.Given? {
    let variable = setting.variable(of: module)
    return environment[variable].map { SettingSource.Given(.text($0), from: variable) }
  }

  /// Returns the settings on the command line and in the file that no module of a host has.
  ///
  /// Settings of modules whose files have problems aren't judged.
  public func unknown(in host: isolated Host) -> [UnknownSetting] {
    var declared: [String: [String]] = [:]
    var doubtful: Set<String> = []
    for module in host.moduleInfos() {
      declared[module.name.text] = host.settings(of: module.name).map(\.setting.name)
      if !module.problems.isEmpty { doubtful.insert(module.name.text) }
    }
    return given.filter { one in
      !doubtful.contains(one.module) && declared[one.module]?.contains(one.setting) != true
    }.map { one in
      let names = declared.flatMap { module, settings in settings.map { "\(module).\($0)" } }
      return UnknownSetting(
        "\(one.module).\(one.setting)", from: one.origin,
        nearest: Spelling.nearest(to: "\(one.module).\(one.setting)", in: names.sorted()))
    }
  }

  private var given: [(module: String, setting: String, origin: String)] {
    let assigned = assigned.keys.sorted().map { key in
      let parts = key.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
        .map(String.init)
      return (parts.first ?? "", parts.dropFirst().first ?? "", "--set")
    }
    let file = file.withLock { $0 }
    guard let file else { return assigned }
    return assigned
      + file.names.map { ($0.module, $0.setting, file.place(of: $0.module, $0.setting)) }
  }
}

/// A given setting that no module has.
public struct UnknownSetting: Sendable, Equatable {
  /// The module and the setting: `weather.city`.
  public let key: String
  /// Where it is given: `--set`, or the path of the file with the line.
  public let origin: String
  /// A setting of the modules with a similar name.
  public let nearest: String?

  init(_ key: String, from origin: String, nearest: String?) {
    self.key = key
    self.origin = origin
    self.nearest = nearest
  }
}

extension UnknownSetting: CustomStringConvertible {
  /// One sentence.
  public var description: String { "\(origin) gives \(key), which no module has" }
}
