public import MoonSession
public import MoonValues

/// The settings of modules.
extension Host {
  /// Reads all settings again, without reloading modules, and calls `on_settings` of those whose
  /// settings have changed.
  ///
  /// - Returns: The settings that can't be used; those of their modules stay.
  @discardableResult
  public func updateSettings() -> [ModuleName: SettingError] {
    var refused: [ModuleName: SettingError] = [:]
    for module in modules.sorted.map(\.module) {
      guard let settings = module.settings else { continue }
      do throws(SettingError) {
        let changed = try settings.update(from: options.settings, of: module.name)
        guard modules.noteSettings(changed) else { continue }
        for session in sessions.all { session.settingsChanged(changed, of: module) }
      } catch {
        refused[module.name] = error
      }
    }
    settle()
    return refused
  }

  /// Returns the settings of a module with their values, in order; nil for a secret's.
  public func settings(
    of name: ModuleName
  ) -> [(setting: Setting, value: Value?, isGiven: Bool)] {
    guard let settings = modules[name]?.module.settings else { return [] }
    return settings.declared.map { settings.values.entry(of: $0) }
  }
}
