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

  private let file: String?
  private let fixed: (first: Layer, last: Layer)
  private let inFile = Mutex<Layer?>(nil)

  /// Makes settings of texts by `module.setting`, a file's path, and an environment.
  ///
  /// The file isn't read yet.
  public init(set: [String: String], file: String?, environment: [String: String]) {
    self.file = file
    let values = set.map {
      (AbsoluteConfigKey(Self.parts($0.key)), ConfigValue(.string($0.value), isSecret: true))
    }
    fixed = (
      Layer(
        provider: InMemoryProvider(values: Dictionary(values) { $1 }), prefix: [],
        name: { "--set \($0).\($1)" }),
      Layer(
        provider: EnvironmentVariablesProvider(environmentVariables: environment),
        prefix: ["moonwire"], name: { "MOONWIRE_\($0.uppercased())_\($1.uppercased())" })
    )
  }

  private static func parts(_ key: String) -> [String] {
    key.split(separator: ".", maxSplits: 1).map(String.init)
  }

  /// Reads the file, if there is one, again.
  ///
  /// - Throws: The error of the system or of the JSON; what was read before then stays.
  public func reload() async throws {
    guard let file else { return }
    let path = InMemoryProvider(values: [
      AbsoluteConfigKey(["filePath"]): ConfigValue(.string(file), isSecret: false)
    ])
    let provider = try await FileProvider<JSONSnapshot>(config: ConfigReader(provider: path))
    inFile.withLock {
      $0 = Layer(provider: provider, prefix: [], name: { _, _ in file })
    }
  }

  /// The source for ``HostOptions/settings``.
  public var source: SettingSource {
    SettingSource { [self] module, setting in
      for layer in [fixed.first, inFile.withLock { $0 }, fixed.last] {
        if let given = layer.flatMap({ Self.given(module.text, setting, by: $0) }) { return given }
      }
      return nil
    }
  }

  private static func given(
    _ module: String, _ setting: Setting, by layer: Layer
  ) -> SettingSource.Given? {
    let key = AbsoluteConfigKey(layer.prefix + [module, setting.name])
    let origin = layer.name(module, setting.name)
    var isThere = false
    // The type that is declared, then any other that the provider can read it as.
    for type in [setting.type, .string, .int, .double, .bool, .stringArray] {
      do {
        guard let value = try layer.provider.value(forKey: key, type: type).value else { continue }
        return SettingSource.Given(content(of: value.content), from: origin)
      } catch {
        isThere = true
      }
    }
    return isThere ? SettingSource.Given(.value(.null), from: origin) : nil
  }

  private static func content(of content: ConfigContent) -> SettingSource.Given.Content {
    switch content {
    case .string(let text): .text(text)
    case .int(let number): .value(.int(Int64(number)))
    case .double(let number): .value(number.isNaN ? .null : .double(number))
    case .bool(let flag): .value(.bool(flag))
    case .stringArray(let texts): .value(.list(List(texts.map { .string(Text($0)) })))
    case .intArray(let numbers): .value(.list(List(numbers.map { .int(Int64($0)) })))
    case .doubleArray(let numbers): .value(.list(List(numbers.map { .double($0) })))
    case .boolArray(let flags): .value(.list(List(flags.map { .bool($0) })))
    case .bytes, .byteChunkArray: .value(.null)
    }
  }
}

extension Setting {
  /// The type by which a provider is asked.
  fileprivate var type: ConfigType {
    switch "\(field.type)" {
    case "integer": .int
    case "number": .double
    case "boolean": .bool
    case "integer[]": .intArray
    case "number[]": .doubleArray
    case "boolean[]": .boolArray
    case let other where other.hasSuffix("[]") || other == "list": .stringArray
    default: .string
    }
  }
}
