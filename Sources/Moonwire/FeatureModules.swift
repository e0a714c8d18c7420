import MoonFeatures
import MoonModules
import MoonServiceKit

/// The modules in service that were made of features, by the types of their states.
struct FeatureModules {
  private var names: [ObjectIdentifier: ModuleName] = [:]

  /// Makes the module of a feature.
  ///
  /// - Throws: ``HostError/invalidFeature(_:)``.
  static func module(of feature: some Feature) throws(HostError) -> sending Module {
    do throws(FeatureError) {
      return try feature.module()
    } catch {
      throw .invalidFeature(error)
    }
  }

  /// Puts features in service, and loads the scripts of a host.
  static func begin(
    _ features: [any Feature], _ interfaces: [any ModuleInterface.Type],
    on host: isolated Host, isWatching: Bool
  ) throws {
    if host.options.trial.logsProblems {
      host.deliverEvents { [logger = host.options.logger] in $0.log(to: logger) }
    }
    for interface in interfaces { host.modules.observers.hold(to: InterfaceCheck(interface)) }
    for feature in features { try host.add(feature) }
    if isWatching { try host.watch() }
    try host.load()
  }

  /// Notes that a module has become that of a feature.
  mutating func note<F: Feature>(_ feature: F) {
    if F.State.self != NoState.self {
      names[ObjectIdentifier(F.State.self)] = ModuleName(feature.name)
    }
  }

  /// Returns the module whose slice is a state of a type; nil if no feature has it.
  func module<State: FeatureState>(with type: State.Type) -> ModuleName? {
    names[ObjectIdentifier(type)]
  }
}
