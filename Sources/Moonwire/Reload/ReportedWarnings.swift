import MoonRouting
import MoonScripts
import MoonServiceKit
import MoonSession
import MoonValues

/// The route conflicts and dead names that were reported, used to find the new ones.
///
/// One that has only moved within its file isn't new.
struct ReportedWarnings {
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

  private let names = DeadNames()
  private var told: Set<Identity> = []
  private var reportedNames: Set<String> = []
  private var toldDoubts: Set<String> = []

  /// Returns the current findings in the modules.
  func names(in modules: ModuleSet, _ reloader: Reloader?) -> DeadNames {
    update([], in: modules, reloader)
    return names
  }

  private func update(
    _ changed: Set<ModuleName>, in modules: ModuleSet, _ reloader: Reloader?
  ) {
    names.update(
      changed, in: modules, problems: Set(reloader?.problems.keys.map { $0 } ?? []),
      reloader?.generations ?? [:])
  }

  /// Returns the events for those that weren't in the previous call.
  ///
  /// `events` says which modules have changed since then.
  mutating func take(
    after events: [HostEvent], in modules: ModuleSet, _ reloader: Reloader?
  ) -> [HostEvent] {
    update(Set(events.compactMap(\.module)), in: modules, reloader)
    let conflicts = modules.registry.router.conflicts
    let news = conflicts.filter { !told.contains(Identity($0)) }
    told = Set(conflicts.map(Identity.init))
    let newNames = names.all.filter { !reportedNames.contains("\($0)") }
    reportedNames = Set(names.all.map(\.description))
    // Whoever handles an action may still arrive, so only a check reports the actions that nobody
    // handles.
    let newDoubts = names.doubtful.filter {
      $0.reason != .unheardAction && !toldDoubts.contains("\($0)")
    }
    toldDoubts = Set(names.doubtful.map(\.description))
    return (news.isEmpty ? [] : [.conflicts(news)])
      + (newNames.isEmpty ? [] : [.deadNames(newNames)])
      + (newDoubts.isEmpty ? [] : [.doubtfulNames(newDoubts)])
  }
}
