import MoonRouting
import MoonValues

/// Which conflicts of routes haven't been told yet.
///
/// A pattern that only moved within its file is no news.
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

  /// The conflicts of all there are that weren't there the last time.
  mutating func take(_ conflicts: [RouteConflict]) -> [RouteConflict] {
    let news = conflicts.filter { !told.contains(Identity($0)) }
    told = Set(conflicts.map(Identity.init))
    return news
  }
}
