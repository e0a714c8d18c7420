import Configuration
public import Moonwire
import Synchronization

/// Settings of modules from the command line, a JSON file and the environment, in this order.
///
/// `weather.city` is `{"weather": {"city": "Rome"}}` in the file, and `MOONWIRE_WEATHER_CITY` in
/// the environment.
public final class ConfiguredSettings: Sendable {
  /// A provider, and how to name what it gives in messages.
  private struct Layer: Sendable {
    let provider: any ConfigProvider
    let prefix: [String]
    let name: @Sendable (_ module: String, _ setting: String) -> String
  }

  private let path: String?
  private let assigned: [String]
  private let first: Layer
  private let last: Layer
  private let file = Mutex<SettingsFile?>(nil)

  /// Makes settings of texts by `module.setting`, a file's path, and an environment.
  ///
  /// The file isn't read yet.
  public init(set: [String: String], file: String?, environment: [String: String]) {
    path = file
    assigned = set.keys.sorted()
    let values = set.map {
      (AbsoluteConfigKey(Self.parts($0.key)), ConfigValue(.string($0.value), isSecret: true))
    }
    first = Layer(
      provider: InMemoryProvider(values: Dictionary(values) { $1 }), prefix: [],
      name: { "--set \($0).\($1)" })
    last = Layer(
      provider: EnvironmentVariablesProvider(environmentVariables: environment),
      prefix: ["moonwire"], name: { "MOONWIRE_\($0.uppercased())_\($1.uppercased())" })
  }

  private static func parts(_ key: String) -> [String] {
    key.split(separator: ".", maxSplits: 1).map(String.init)
  }

  /// Reads the file, if there is one, again.
  ///
  /// - Throws: ``SettingsFileError``; what was read before then stays.
  public func reload() throws(SettingsFileError) {
    guard let path else { return }
    let read = try SettingsFile(reading: path)
    file.withLock { $0 = read }
  }

  /// The source for ``HostOptions/settings``.
  public var source: SettingSource {
    SettingSource { [self] module, setting in
      Self.given(module.text, setting, by: first)
        ?? file.withLock { $0 }.flatMap { Self.given(module.text, setting, in: $0) }
        ?? Self.given(module.text, setting, by: last)
    }
  }

  private static func given(
    _ module: String, _ setting: Setting, in file: SettingsFile
  ) -> SettingSource.Given? {
    guard let value = file[module, setting.name] else { return nil }
    // A text may stand for a number, as on the command line.
    let content = value.stringValue.map { SettingSource.Given.Content.text($0) } ?? .value(value)
    return SettingSource.Given(content, from: file.place(of: module, setting.name))
  }

  private static func given(
    _ module: String, _ setting: Setting, by layer: Layer
  ) -> SettingSource.Given? {
    let key = AbsoluteConfigKey(layer.prefix + [module, setting.name])
    guard let found = try? layer.provider.value(forKey: key, type: .string).value,
      case .string(let text) = found.content
    else { return nil }
    return SettingSource.Given(.text(text), from: layer.name(module, setting.name))
  }

  /// Returns the settings on the command line and in the file that no module of a host has.
  ///
  /// Those of modules whose files have problems aren't judged.
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
    let assigned = self.assigned.map { key in
      let parts = Self.parts(key)
      return (parts.first ?? "", parts.dropFirst().first ?? "", "--set")
    }
    let file = file.withLock { $0 }
    guard let file else { return assigned }
    return assigned
      + file.names.map { ($0.module, $0.setting, file.place(of: $0.module, $0.setting)) }
  }
}

/// A setting that is given, and that no module has.
public struct UnknownSetting: Sendable, Equatable {
  /// The module and the setting: `weather.city`.
  public let key: String
  /// What gives it: `--set`, or the path of the file with the line.
  public let origin: String
  /// A setting of the modules with similar spelling.
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
