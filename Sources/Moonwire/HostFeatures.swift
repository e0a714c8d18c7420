public import MoonFeatures
import MoonFiles
import MoonModules
public import MoonServiceKit
public import MoonSession

extension HostOptions {
  /// Returns the options with more services.
  fileprivate func adding(_ services: [Service]) -> HostOptions {
    var options = self
    options.services += services
    return options
  }
}

/// Features, and the sessions that programs hold.
extension Host {
  /// Makes a host for a script directory, puts features in service, and loads the scripts.
  ///
  /// A module that can't be loaded isn't an error here; see ``moduleInfos()``. Nor is one that
  /// doesn't fit one of the `interfaces`, which isn't put in service. With `isWatching`, a file
  /// takes effect when it is saved.
  ///
  /// Problems with modules and their faults are written to ``HostOptions/logger``, with file and
  /// line.
  ///
  /// - Throws: ``HostError``, or ``FilesError`` if the directory can't be read or watched.
  public init(
    _ directory: String?, features: [any Feature] = [], interfaces: [any ModuleInterface.Type] = [],
    services: [Service] = [], options: HostOptions = HostOptions(), isWatching: Bool = true
  ) async throws {
    try self.init(directory: directory, options: options.adding(services))
    try FeatureModules.begin(features, interfaces, on: self, isWatching: isWatching)
  }

  /// Puts a feature in service.
  ///
  /// - Throws: ``HostError/invalidFeature(_:)``, and the errors of ``add(_:)-(Module)``.
  public func add(_ feature: some Feature) throws(HostError) {
    try add(try FeatureModules.module(of: feature))
    modules.features.note(feature)
  }

  /// Replaces a feature, or a module in Swift, by another with its name.
  ///
  /// - Throws: ``HostError/invalidFeature(_:)``, and the errors of ``replace(_:)-(Module)``.
  public func replace(_ feature: some Feature) throws(HostError) {
    try replace(try FeatureModules.module(of: feature))
    modules.features.note(feature)
  }

  /// Opens a session, with the state of an earlier one if there is one.
  ///
  /// - Throws: ``HostError/closed``.
  public func session(restoring earlier: SavedState? = nil) throws(HostError) -> HostSession {
    try HostSession(restoring: earlier, on: self)
  }
}
