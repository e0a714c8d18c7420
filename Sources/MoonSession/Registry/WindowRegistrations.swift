import MoonModules
import MoonValues

/// The registrations that decide what becomes of windows: when URLs come while something else is
/// shown, and when the app goes back.
///
/// Of several for a window or a container, that of the first module counts.
struct WindowRegistrations {
  /// What modules set windows to, by the ids of the windows.
  let settings: [Text: WindowSetting]
  private let backHooks: [Text: Bound<BackHook>]
  private let containers: [Text: Bound<ContainerHook>]

  init(_ modules: [Module]) {
    settings = Dictionary(
      modules.flatMap(\.windowSettings).map { ($0.window, $0) },
      uniquingKeysWith: { first, _ in first })
    backHooks = Dictionary(
      Bound.all(modules) { [$0.hooks.onBack].compactMap(\.self) }.map { ($0.ownerText, $0) },
      uniquingKeysWith: { first, _ in first })
    containers = Dictionary(
      Bound.all(modules, \.hooks.containers).map { ($0.part.container, $0) },
      uniquingKeysWith: { first, _ in first })
  }

  /// Whether any module has a hook that runs before the app goes back.
  var haveBackHooks: Bool { !backHooks.isEmpty || !containers.isEmpty }

  /// Returns the hook that runs before the app goes back from a module's screen.
  func backHook(of module: Text) -> Bound<BackHook>? { backHooks[module] }

  /// Returns the hook that runs before the app leaves a container by going back.
  func containerHook(of container: Text) -> Bound<ContainerHook>? { containers[container] }
}
