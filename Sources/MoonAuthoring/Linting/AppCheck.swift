package import MoonTesting
import Moonwire

extension AppInspection {
  /// Checks the app.
  ///
  /// - Throws: ``InspectionError``
  package func check() async throws(InspectionError) -> CheckFindings {
    let options = options()
    return try await loading(options) { [directory, settings] (host) throws(InspectionError) in
      await CheckFindings(
        of: host, in: directory, followingLinksInto: options.linkedDirectories, settings)
    }
  }
}
