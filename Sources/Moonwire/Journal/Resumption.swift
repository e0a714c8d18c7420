package import MoonModules
import MoonSession
import MoonTasks

extension Journal {
  /// What a resumed session continues with.
  package struct Resumption: Sendable, Equatable {
    /// The id of the last action of the earlier run.
    package let lastActionID: Int64
    /// The durable tasks that continue.
    package let goingOn: [Registration]
    /// The kept effects that begin again.
    package let begun: [Registration]
    /// The effects whose tasks, if any ran, have ended with the earlier run.
    package let ended: [Registration]
  }

  /// Describes what a session that has just been resumed continues with; nil for a new session.
  package static func resumption(of id: SessionID, on host: isolated Host) -> Resumption? {
    guard let last = host.session(id)?.recorders.journal?.resumedAfter else { return nil }
    let tasks = host.taskInfos(of: id).filter { $0.parent == nil }
    let effects = host.modules.inService.sorted.flatMap(\.module.effects)
    return Resumption(
      lastActionID: last,
      goingOn: tasks.filter { $0.durable != nil }.map(\.effect),
      begun: tasks.filter(\.isKept).map(\.effect),
      ended: effects.filter { !$0.isDurable && !$0.isKept }.map(\.registration))
  }
}
