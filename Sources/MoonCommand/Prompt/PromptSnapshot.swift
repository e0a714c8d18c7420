import Moonwire
import Synchronization

/// What the prompt knows of the host when a key is pressed and nobody can be asked.
struct PromptSnapshot: Sendable {
  var actions: [ActionInfo] = []
  var modules: [String] = []
  var state = Value.map(Map())
  /// Whether what some file says isn't what is in service.
  var isFailing = false
}

/// The latest snapshot, for the threads that read and those that refresh it.
final class SnapshotBox: Sendable {
  private let snapshot = Mutex(PromptSnapshot())

  var current: PromptSnapshot { snapshot.withLock { $0 } }

  /// Asks the host.
  func refresh(_ host: Host, _ session: SessionID) async {
    let fresh = await host.perform { host in
      let modules = host.moduleInfos()
      return PromptSnapshot(
        actions: host.actionInfos(), modules: modules.map(\.name.text),
        state: host.state(of: session) ?? .map(Map()),
        isFailing: !host.strayProblems().isEmpty || modules.contains { $0.status != .running })
    }
    snapshot.withLock { $0 = fresh }
  }
}
