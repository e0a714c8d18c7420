package import MoonServices
import Moonwire

extension UnknownSetting {
  /// The warning of the setting.
  package var report: Report {
    Report(
      .warning, "\(self)",
      rows: [
        .suggestion(nearest) ?? .init("help", ":settings lists those that modules have")
      ])
  }
}
