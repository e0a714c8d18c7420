import MoonRouting
import MoonValues

/// Finds the route conflicts that haven't been reported yet.
///
/// A conflict isn't new if a pattern has only moved within its file.
struct ConflictNews {
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

  /// The conflicts that weren't in the previous call.
  mutating func take(_ conflicts: [RouteConflict]) -> [RouteConflict] {
    let news = conflicts.filter { !told.contains(Identity($0)) }
    told = Set(conflicts.map(Identity.init))
    return news
  }
}
