import ArgumentParser
import MoonServices
import Moonwire

/// The options that tell modules their settings.
struct SettingOptions: ParsableArguments {
  @Option(
    name: .customLong("set"), parsing: .singleValue,
    help: ArgumentHelp(
      """
      A setting of a module, such as weather.city=Rome. May be repeated. Others are looked up in \
      --settings, then in the environment, as MOONWIRE_WEATHER_CITY.
      """, valueName: "module.setting=value"))
  var assignments: [String] = []

  @Option(
    name: .customLong("settings"),
    help: ArgumentHelp(
      """
      A JSON file with settings, such as {"weather": {"city": "Rome"}}. :settings reads it again.
      """, valueName: "file"),
    completion: .file())
  var file: String?

  func validate() throws {
    for text in assignments where Self.assignment(text) == nil {
      // The text may hold a secret, so it isn't shown.
      throw ValidationError("--set: write module.setting=value, as in weather.city=Rome")
    }
    if file == "" { throw ValidationError("--settings: the name of the file is empty") }
  }

  /// Returns the settings; the file isn't read yet.
  var configured: ConfiguredSettings {
    ConfiguredSettings(
      set: Dictionary(assignments.compactMap(Self.assignment)) { $1 }, file: file,
      environment: DisplayOptions.environment)
  }

  private static func assignment(_ text: String) -> (String, String)? {
    guard let mark = text.firstIndex(of: "=") else { return nil }
    let key = text[..<mark]
    let parts = key.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count == 2, ModuleName(String(parts[0])) != nil, !parts[1].isEmpty else {
      return nil
    }
    return (String(key), String(text[text.index(after: mark)...]))
  }
}

extension ConfiguredSettings {
  /// Reads the file; returns the report if that fails.
  func report(reading file: String?) -> Report? {
    do throws(SettingsFileError) {
      try reload()
      return nil
    } catch {
      return Report(
        "the settings in \(file ?? "") can't be read", detail: "\(error)",
        rows: [.init("help", "write JSON such as {\"weather\": {\"city\": \"Rome\"}}")])
    }
  }
}

extension UnknownSetting {
  /// The warning about the setting.
  var report: Report {
    Report(
      .warning, "\(self)",
      rows: [
        .suggestion(nearest) ?? .init("help", ":settings lists those that modules have")
      ])
  }
}
