import MoonRouting
import MoonValues

/// The route conflicts and dead names that were reported, used to find the new ones.
///
/// One that has only moved within its file isn't new.
struct StandingNews {
  private struct Identity: Hashable {
    let earlier: Text
    let earlierOwner: Text
    let later: Text
    let laterOwner: Text
    let kind: RouteConflict.Kind

    init(_ conflict: RouteConflict) {
      earlier = conflict.earlier.pattern.text
      earlierOwner = conflict.earlier.owner
      later = conflict.later.pattern.text
      laterOwner = conflict.later.owner
      kind = conflict.kind
    }
  }

  private var told: Set<Identity> = []
  private var toldNames: Set<String> = []

  /// Returns the events for those that weren't in the previous call.
  mutating func take(_ conflicts: [RouteConflict], _ names: [DeadName]) -> [HostEvent] {
    let news = conflicts.filter { !told.contains(Identity($0)) }
    told = Set(conflicts.map(Identity.init))
    let newNames = names.filter { !toldNames.contains("\($0)") }
    toldNames = Set(names.map(\.description))
    return (news.isEmpty ? [] : [.conflicts(news)])
      + (newNames.isEmpty ? [] : [.deadNames(newNames)])
  }
}
