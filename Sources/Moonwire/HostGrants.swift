public import MoonSession

/// The permissions of modules while the host runs.
extension Host {
  /// The permissions of modules, with those that were given since the host was made.
  public var grants: Grants { bindings.services.grants }

  /// The services that modules can use.
  public nonisolated var services: [Service] { options.services }

  /// Grants scopes from now on, and loads the modules again that weren't loaded for lack of them.
  ///
  /// The events are both returned and published.
  @discardableResult
  public func allow(_ rules: [Grants.Rule]) -> [HostEvent] {
    guard bindings.services.add(rules) else { return [] }
    return moduleInfos().filter(\.lacksGrant).flatMap { reload($0.name) }
  }
}

extension ModuleInfo {
  /// Whether files of the module weren't loaded because it isn't granted what it needs.
  fileprivate var lacksGrant: Bool {
    problems.contains { if case .notGranted = $0.reason { true } else { false } }
  }
}
