package import Moonwire
import Synchronization

/// The interruption of a line that may run for long, or wait.
package final class LineInterruption: Sendable {
  private let session: PromptSession
  /// The tasks that aren't the line's.
  private let others = Mutex<Set<TaskID>>([])

  private let mayWait: Bool

  /// Makes the interruption of a line that is carried out next.
  package init(of line: PromptLine, in session: PromptSession) {
    self.session = session
    mayWait = if case .dispatch = line { false } else { true }
  }

  /// Notes the tasks that run before the line.
  package func begin() async {
    guard mayWait else { return }
    let running = await session.host.taskInfos(of: session.id).map(\.id)
    others.withLock { $0 = Set(running) }
  }

  /// Stops the running code, and ends the line's wait.
  package func interrupt() {
    session.host.interrupt()
    cancelWait()
  }

  /// Stops the running code if the line waits for a command or for its Lua, and ends its wait.
  package func interruptCall() { if session.call.isRunning { interrupt() } }

  /// Ends the wait of the line in a command or in its Lua, if it waits.
  package func cancelWait() {
    guard session.call.isRunning else { return }
    let others = others.withLock { $0 }
    Task { [host = session.host, id = session.id] in
      await host.perform { host in
        _ = host.cancelTasks(in: id, besides: others, evenForActions: true)
      }
    }
  }
}

extension Host {
  /// Cancels the tasks of a session that would continue without an action, and returns them, except
  /// those in `others` and those that a cancelled one has spawned.
  ///
  /// With `evenForActions`, an awaited task is cancelled even if it waits for an action.
  package func cancelTasks(
    in session: SessionID, besides others: Set<TaskID>, evenForActions: Bool = false
  ) -> [TaskInfo] {
    let tasks = taskInfos(of: session).filter {
      ($0.endsWithoutAction || evenForActions && $0.isAwaited) && !others.contains($0.id)
    }
    return tasks.filter { cancelTask($0.id, in: session) }
  }
}
