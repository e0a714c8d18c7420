package import Moonwire
import Synchronization

/// A copy of the host's data for completion, which runs when the host can't be called.
package struct PromptSnapshot: Sendable {
  package var actions: [ActionInfo] = []
  var commands: [CommandInfo] = []
  package var modules: [String] = []
  var state = Value.map(Map())
  var routes: [RouteInfo] = []
  /// The names that Lua knows; see ``Host/evaluationNames(in:)``.
  var luaNames = Map()
  /// The keys that do something, with what people read of it.
  var keys: [(keys: String, title: String?)] = []
  /// All screens of the navigation.
  var screens: [(id: String, title: String)] = []
  /// The title of the screen on top, with a `?` for a placeholder; nil without a screen.
  var title: String?
  /// The screen as it was last shown.
  var shown: ShownScreen?
  /// The place of the shown state in the timeline, and the number of steps; nil for the latest.
  var moment: (position: Int, count: Int)?
  /// Whether the session takes no actions.
  var isLocked = false
  /// The last actions of the timeline, latest first.
  var steps: [(id: Int64, title: String)] = []
  /// The maximum number of ``steps``.
  static let stepCountMax = 50
  /// Whether a file differs from the module in service.
  var isFailing = false
}

/// The latest snapshot, shared by the threads that read it and those that refresh it.
package final class SnapshotBox: Sendable {
  private let snapshot = Mutex(PromptSnapshot())

  package init() {}

  package var current: PromptSnapshot { snapshot.withLock { $0 } }

  /// Refreshes the snapshot from the host.
  package func refresh(_ host: Host, _ session: SessionID) async {
    let fresh = await host.perform { host in
      let modules = host.moduleInfos()
      let tree = host.navigationTree(of: session)
      let timeline = host.timeline(of: session)
      return PromptSnapshot(
        actions: host.actionInfos(), commands: CommandInfo.all(on: host),
        modules: modules.map(\.name.text),
        state: host.state(of: session) ?? .map(Map()), routes: host.routeInfos(),
        luaNames: host.evaluationNames(in: session),
        keys: session.keys(on: host).map { ("\($0.binding.keys)", $0.binding.target?.title) },
        screens: (tree?.screens ?? []).map { ($0.id.string, $0.title.string) },
        title: tree?.topScreen.map { "\($0.title)\($0.isPlaceholder ? "?" : "")" },
        moment: timeline.flatMap { $0.isPast ? ($0.position, $0.count) : nil },
        isLocked: timeline?.isLocked ?? false,
        steps: timeline?.steps.suffix(PromptSnapshot.stepCountMax).reversed().map {
          ($0.id, $0.title)
        } ?? [],
        isFailing: !host.strayProblems().isEmpty || modules.contains { $0.status != .running })
    }
    snapshot.withLock { snapshot in
      let shown = snapshot.shown
      snapshot = fresh
      snapshot.shown = shown
    }
  }

  /// Remembers the contents of the screen now shown, since getting them again would call its view.
  func note(_ shown: ShownScreen) {
    snapshot.withLock { $0.shown = shown }
  }
}
