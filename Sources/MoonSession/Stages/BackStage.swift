import MoonActions
import MoonModules
import MoonNavigation
import MoonServiceKit
import MoonValues

/// A part of stage 3: asks the module of the screen on top before the app goes back from it.
struct BackStage {
  let session: Session

  /// Returns the actions to carry out instead of one that goes back; nil to carry it out.
  ///
  /// A hook that fails doesn't prevent going back.
  ///
  /// - Throws: ``DispatchError/keptBack(by:at:reason:)``, or ``DispatchError/refused(_:)`` if the
  ///   hook refuses.
  func replacement(
    of action: Action, in tree: NavigationTree
  ) throws(DispatchError) -> [Action]? {
    guard session.modules.registry.router.hasBackHooks, goesBack(action),
      let hook = hook(for: action, in: tree)
    else { return nil }
    let inputs = session.current.calls.inputs(session.screens.forms[hook.screen.id].inputs)
    let answer: BackHook.Answer
    do throws(Fault) {
      answer = try session.caller.call(hook.bound) {
        try hook.bound.part.body(hook.screen, inputs, $0)
      }
    } catch {
      if let refusal = error.refusal { throw .refused(refusal) }
      session.caller.note(error)
      return nil
    }
    switch answer {
    case .proceed: return nil
    case .stay(let reason):
      throw .keptBack(
        by: hook.bound.owner, at: hook.bound.registration.place, reason: reason)
    case .replace(let actions):
      guard actions.count <= NavigationAnswerError.countMax else {
        let problem = NavigationAnswerError.tooMuch(actions.count, who: "on_back")
        session.caller.note(session.caller.fault(problem, hook.bound, action))
        return nil
      }
      for other in actions where !NavigationActions.include(other.type) {
        session.intake.addNotingFailure(
          other, cause: .module(hook.bound.owner.text, .onBack), by: hook.bound)
      }
      return actions.filter { NavigationActions.include($0.type) }
    }
  }

  /// Returns whether the action is `nav/back`, or the equivalent of a person's gesture.
  private func goesBack(_ action: Action) -> Bool {
    switch action.type {
    case "nav/back": true
    case "nav/pop", "nav/dismiss":
      action.payload["origin"]?.textValue == Text(NavigationOrigin.user.rawValue)
        || (action.payload["origin"] == nil && action.cause.isFromPerson)
    default: false
    }
  }

  private func hook(
    for action: Action, in tree: NavigationTree
  ) -> (bound: Bound<BackHook>, screen: Screen)? {
    guard let window = action.payload.field(.window)?.textValue ?? tree.keyWindowID,
      let screen = tree.topScreen(ofWindow: window), let owner = screen.owner?.module,
      let bound = session.modules.registry.router.backHook(of: owner)
    else { return nil }
    return (bound, screen)
  }
}
