import MoonLua
import MoonModules
package import MoonServiceKit
import MoonSession
import MoonValues

/// The services of a host: it carries out the calls of scripts.
///
/// Confined to the host.
package final class ServiceDesk {
  package let catalog: ServiceCatalog
  let surroundings: ServiceSurroundings
  private let threads = BlockingThreads()
  private var shares: [ModuleName?: BlockingThreads.Share] = [:]
  let held = HeldArguments()
  /// The permissions of modules.
  package private(set) var grants: Grants

  /// - Throws: ``ServiceNameError``.
  package init(
    _ services: [Service], _ surroundings: ServiceSurroundings, _ grants: Grants
  ) throws(ServiceNameError) {
    catalog = try ServiceCatalog(services)
    self.surroundings = surroundings
    self.grants = grants
  }

  /// Adds grants; returns false if there are no others.
  package func add(_ rules: [Grants.Rule]) -> Bool {
    let others = rules.filter { !grants.allowed.contains($0) }
    grants.allowed += others
    return !others.isEmpty
  }

  /// Returns a module's share of the threads for code that may block; nil stands for the prompt.
  func threads(of module: ModuleName?) -> BlockingThreads.Share {
    if let share = shares[module] { return share }
    let share = threads.share()
    shares[module] = share
    return share
  }

  /// Returns the parts of a service for Lua, or without a name the names of all services.
  func describe(_ name: String?) -> [Argument] {
    guard let name else {
      return [.value(.list(List(catalog.names.map { .string(Text($0)) })))]
    }
    guard let parts = catalog.description(of: name) else { return [.none] }
    return [.value(parts.functions), .value(parts.handles), .value(.bool(parts.isScripted))]
  }

  /// Returns the values of a module's settings by name, and the names of its secrets.
  func settings(of module: ModuleName?, _ activity: Activity) -> [Argument] {
    let values = Self.settings(of: module, activity)
    let secrets = (values?.secrets.keys.sorted() ?? []).map { Value.string(Text($0)) }
    return [.value(.map(values?.open ?? Map())), .value(.list(List(secrets)))]
  }

  static func settings(of module: ModuleName?, _ activity: Activity) -> SettingValues? {
    module.flatMap { activity.call?.session.modules[$0]?.module.settings?.values }
  }
}
