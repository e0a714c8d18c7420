import MoonActions
import MoonModules
import MoonServiceKit
import MoonValues

/// Stage 7: navigation mappers answer reduced actions with `nav/…` actions.
struct NavigationMapperStage {
  let session: Session

  /// Calls the navigation mappers for an action and queues the actions that they return.
  func map(_ action: Action, _ listeners: Listeners) {
    for mapper in listeners.answers.navigationMappers {
      let actions = session.caller.attempt(mapper, on: action) {
        let actions = try mapper.part.body(action, $0)
        try NavigationAnswerError.check(actions, of: "a navigation mapper", mayRoute: true)
        return actions
      }
      for made in actions ?? [] {
        session.intake.addNotingFailure(
          made, cause: .module(mapper.owner.text, .navigationMapper), by: mapper)
      }
    }
  }
}
