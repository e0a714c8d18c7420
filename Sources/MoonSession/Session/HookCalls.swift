import MoonActions
package import MoonModules

/// The calls of modules' `on_start`, `on_restore` and `on_stop` in a session.
package struct HookCalls {
  private let session: Session

  package init(session: Session) { self.session = session }

  /// Calls a module's hook of a kind, if it has one.
  func run(_ entry: ModuleSet.Entry, _ kind: RegistrationKind) {
    for hook in entry.hooks where hook.registration.kind == kind {
      let done: Void? = session.caller.attempt(hook) { try hook.part.body($0) }
      if done == nil { session.slices.failedStarts.note(hook) }
    }
  }

  /// Calls the hook of a module that failed in the previous generation, if one did.
  package func runAgain(_ entry: ModuleSet.Entry) {
    if let kind = session.slices.failedStarts.take(entry.module.name) { run(entry, kind) }
  }

  /// Tells a module in service that settings of it have changed.
  package func tell(_ module: Module, ofSettings names: [String]) {
    guard let hook = module.hooks.onSettings else { return }
    session.caller.attempt(Bound(hook, of: module)) { try hook.body(names, $0) }
  }
}
