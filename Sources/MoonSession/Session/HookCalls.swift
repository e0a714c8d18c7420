import MoonStore

/// The calls of modules' `on_start`, `on_restore` and `on_stop` in a session.
package struct HookCalls {
  private let session: Session

  package init(session: Session) { self.session = session }

  /// Calls a module's hook of a kind, if it has one.
  func run(_ module: Module, _ kind: RegistrationKind) {
    for hook in module.hooks.all where hook.registration.kind == kind {
      let bound = Bound(hook, of: module)
      let done: Void? = session.caller.attempt(bound) { try hook.body($0) }
      if done == nil { session.slices.failedStarts.note(bound) }
    }
  }

  /// Calls the hook of a module that failed in the generation before, if one did.
  package func runAgain(_ module: Module) {
    if let kind = session.slices.failedStarts.take(module.name) { run(module, kind) }
  }
}
