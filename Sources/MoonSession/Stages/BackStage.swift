import MoonActions
import MoonModules
import MoonNavigation
import MoonServiceKit
import MoonValues

/// A part of stage 3: before the app goes back, asks the module of the screen on top, and then
/// those of the containers that the app leaves with it.
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
    guard session.modules.registry.router.windows.haveBackHooks, goesBack(action),
      let window = action.payload.field(.window)?.textValue ?? tree.keyWindowID
    else { return nil }
    for question in questions(inWindow: window, of: tree) {
      let asked = question.asked
      let answer: BackHook.Answer
      do throws(Fault) {
        answer = try ask(question)
      } catch {
        if let refusal = error.refusal { throw .refused(refusal) }
        session.caller.note(error)
        continue
      }
      switch answer {
      case .proceed: continue
      case .stay(let reason):
        throw .keptBack(by: asked.owner, at: asked.registration.place, reason: reason)
      case .replace(let actions):
        guard actions.count <= NavigationAnswerError.countMax else {
          let problem = NavigationAnswerError.tooMuch(
            actions.count, who: asked.registration.description)
          session.caller.note(session.caller.fault(problem, asked, action))
          continue
        }
        session.current.noteHand(of: asked.owner)
        return carriedOut(actions, by: asked)
      }
    }
    return nil
  }

  /// Queues the actions of an answer that don't navigate; returns the others.
  private func carriedOut(_ actions: [Action], by asked: BoundRegistration) -> [Action] {
    for other in actions where !NavigationActions.include(other.type) {
      session.intake.addNotingFailure(
        other, cause: .module(asked.owner.text, asked.registration.kind), by: asked)
    }
    return actions.filter { NavigationActions.include($0.type) }.map {
      GivenScreens.owned($0, by: asked.owner, in: session)
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

  /// A hook to ask, with what it is asked about.
  private enum Question {
    case screen(Bound<BackHook>, Screen, inputs: Map)
    case container(Bound<ContainerHook>, Value)

    var asked: BoundRegistration {
      switch self {
      case .screen(let hook, _, _): hook
      case .container(let hook, _): hook
      }
    }
  }

  private func ask(_ question: Question) throws(Fault) -> BackHook.Answer {
    switch question {
    case .screen(let hook, let screen, let inputs):
      try session.caller.call(hook, showing: screen) { try hook.part.body(screen, inputs, $0) }
    case .container(let hook, let container):
      try session.caller.call(hook) { try hook.part.body(container, $0) }
    }
  }

  /// Returns the hooks to ask before the app goes back in a window, in order.
  private func questions(inWindow window: Text, of tree: NavigationTree) -> [Question] {
    let windows = session.modules.registry.router.windows
    var questions: [Question] = []
    if let screen = tree.topScreen(ofWindow: window), let owner = screen.owner?.module,
      let bound = windows.backHook(of: owner)
    {
      let inputs = session.current.calls.inputs(session.screens.forms[screen.id].inputs)
      questions.append(.screen(bound, screen, inputs: inputs))
    }
    for container in tree.containersLeftByGoingBack(inWindow: window) {
      guard let bound = windows.containerHook(of: container.id) else { continue }
      questions.append(.container(bound, container.value))
    }
    return questions
  }
}
