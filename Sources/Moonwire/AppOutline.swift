package import MoonActions
package import MoonModules
package import MoonServiceKit
package import MoonValues

/// The names of an app and their types, as its modules in service declare them.
package struct AppOutline: Sendable {
  /// What one module declares for itself.
  package struct ModuleOutline: Sendable {
    package let name: String
    package let description: String?
    /// The slice in a new session.
    package let state: Value?
    /// The types of its fields, if the module declares them.
    package let shape: PayloadSchema?
    package let settings: [Setting]
  }

  /// The modules, sorted by name.
  package let modules: [ModuleOutline]
  /// The actions of modules, and those of the host that can be dispatched, sorted by type.
  package let actions: [ActionInfo]
  /// The commands, sorted by name.
  package let commands: [CommandInfo]
  package let routes: [RouteInfo]
  /// The kinds of screens, sorted: `todo/list`.
  package let screens: [String]
  /// The services, sorted by name.
  package let services: [Service]
}

extension AppOutline {
  /// Takes the names from the modules of a host that are in service.
  package init(of host: isolated Host) {
    let found = host.modules.inService.sorted.map(\.module)
    let own = host.actionInfos() + ActionInfo.navigation + ActionInfo.requests
    self.init(
      modules: found.map {
        ModuleOutline(
          name: $0.name.text, description: $0.description, state: $0.state, shape: $0.shape,
          settings: $0.settings?.declared ?? [])
      },
      actions: own.sorted { $0.type < $1.type }, commands: CommandInfo.all(on: host),
      routes: host.routeInfos(), screens: Set(found.flatMap(\.screenKinds)).sorted(),
      services: host.services.sorted { $0.name < $1.name })
  }
}

extension Module {
  /// The kinds of screens that its routes make and its views draw, with their modules.
  fileprivate var screenKinds: [String] {
    let routed = routes.compactMap { route -> String? in
      guard case .screen = route.target else { return nil }
      return (route.kind ?? route.name)?.string ?? name.text
    }
    return (routed + views.map(\.kind.string)).map { $0.contains("/") ? $0 : "\(name)/\($0)" }
  }
}
