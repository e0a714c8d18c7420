import MoonRouting
import MoonValues

/// Which conflicts of routes, and which dead names, haven't been told yet.
///
/// What only moved within its file is no news.
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

  /// What there is to tell of all there are: those that weren't there the last time.
  mutating func take(_ conflicts: [RouteConflict], _ names: [DeadName]) -> [HostEvent] {
    let news = conflicts.filter { !told.contains(Identity($0)) }
    told = Set(conflicts.map(Identity.init))
    let newNames = names.filter { !toldNames.contains("\($0)") }
    toldNames = Set(names.map(\.description))
    return (news.isEmpty ? [] : [.conflicts(news)])
      + (newNames.isEmpty ? [] : [.deadNames(newNames)])
  }
}
