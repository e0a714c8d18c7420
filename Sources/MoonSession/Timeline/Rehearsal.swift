import MoonModules
import MoonValues

/// Carries out recorded actions beside a session, without affecting it.
///
/// Reducers, middleware and routing run as they did. Nobody is told of the commits, nothing follows
/// from them, and faults neither count nor are reported.
struct Rehearsal {
  /// The session in which they are carried out.
  let stage: Session

  init(beside session: Session) {
    stage = Session(
      id: session.id, modules: session.modules, environment: session.environment.silent)
    stage.slices.copy(session.slices)
    stage.lastID = session.lastID
    stage.current.mode = .rehearsal
    stage.timeTravel.timeline = Timeline(limits: Timeline.Limits(countMax: 0))
  }

  /// Carries a step out in a state; returns the state after it.
  func compute(_ step: TimelineStep, in slices: Map) -> (slices: Map, error: DispatchError?) {
    stage.slices.replaceAll(by: slices)
    do throws(DispatchError) {
      try RecordedActions(
        [step.action] + step.others, isMapped: step.isMapped, noting: step.notes
      ).carryOut(in: stage)
    } catch {
      return (slices, error)
    }
    return (stage.state, nil)
  }
}
