import MoonActions
package import MoonModules
import MoonServiceKit

/// The modules of a session whose `on_start` or `on_restore` failed.
///
/// A start fails if the hook raises an error, or if an action that it dispatched fails. It is tried
/// again with the next generation.
package struct FailedStarts {
  private var hooks: [ModuleName: RegistrationKind] = [:]

  /// The modules whose `on_start` failed.
  var neverStarted: [ModuleName] { hooks.filter { $0.value == .onStart }.map(\.key) }

  /// Returns whether a hook that failed will run again in a new generation of its module.
  package func concern(_ module: Module) -> Bool {
    hooks[module.name].map { kind in
      module.hooks.all.contains { $0.registration.kind == kind }
    } ?? false
  }

  /// Notes the failure of a registration, or of an action that it dispatched, if it is such a hook.
  mutating func note(_ registration: BoundRegistration) {
    let kind = registration.registration.kind
    guard kind == .onStart || kind == .onRestore else { return }
    hooks[registration.owner] = kind
  }

  /// Forgets the failure of a module, and returns the hook that failed.
  mutating func take(_ module: ModuleName) -> RegistrationKind? {
    hooks.removeValue(forKey: module)
  }
}
