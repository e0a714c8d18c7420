import MoonActions
import MoonModules
import MoonServiceKit
import MoonTasks
import MoonValues

/// The effects that run as long as their modules are in service.
struct KeptEffects {
  let session: Session

  /// Begins the kept effects of modules that don't run, each at its first turn.
  func begin(of modules: Set<ModuleName>) {
    guard session.modules.haveKeptEffects, !session.current.isReplay else { return }
    for name in modules.sorted() {
      guard let module = session.modules[name]?.module,
        !session.modules.suspension.modules.contains(name)
      else { continue }
      for effect in module.effects where effect.isKept { begin(Bound(effect, of: module)) }
    }
  }

  private func begin(_ effect: Bound<Effect>) {
    guard case .exact(let type) = effect.part.pattern else { return }
    var action = Action(type)
    action.note(
      id: session.current.actionID ?? 0, time: session.environment.clock.now(),
      cause: .module(effect.owner.text, effect.registration.kind), parent: nil)
    do throws(TaskError) {
      try session.tasks.starter.begin(kept: effect, on: action)
    } catch {
      let failure = CodeFailure(.raised(error.text))
      session.caller.note(session.caller.fault(failure, effect, action))
    }
  }
}
