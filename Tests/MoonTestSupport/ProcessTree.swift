import Glibc
import Synchronization

/// A process that a test has started, with everything that it has started in turn.
///
/// All of it ends with this object at the latest, also when the test has failed before its own
/// end. What a process has let go, as a daemon is, needs a tree of its own.
package final class ProcessTree: Sendable {
  /// The number of the process.
  package let id: Int32
  /// When it was started, in ticks since the machine was: a number alone may be another's by now.
  private let birth: String?

  /// Takes over a process.
  package init(of id: Int32) {
    self.id = id
    birth = Self.status(of: id)?.birth
  }

  deinit { kill() }

  /// Whether the process is there and hasn't ended.
  package var isRunning: Bool {
    guard let birth, let status = Self.status(of: id) else { return false }
    return status.birth == birth && status.state != "Z"
  }

  /// Kills the process and all that descends from it, and waits until nothing of it runs.
  ///
  /// Costs nothing when the process has ended.
  package func kill() {
    guard isRunning else { return }
    // It is stopped before its children are counted: it starts no more.
    Glibc.kill(id, SIGSTOP)
    let children = Self.children(of: id).map(ProcessTree.init)
    Glibc.kill(id, SIGKILL)
    for child in children { child.kill() }
    while isRunning { sched_yield() }
  }

  // MARK: What the kernel tells

  private static func status(of id: pid_t) -> (state: Substring, birth: String)? {
    // The second field, the name, may hold anything; the others begin after its parenthesis.
    let text = TextFile.contents(of: "/proc/\(id)/stat")
    guard let name = text.lastIndex(of: ")") else { return nil }
    let fields = text[text.index(after: name)...].split(separator: " ")
    return fields.count > 19 ? (fields[0], String(fields[19])) : nil
  }

  private static func children(of id: pid_t) -> [pid_t] {
    TextFile.names(in: "/proc/\(id)/task").flatMap { thread in
      TextFile.contents(of: "/proc/\(id)/task/\(thread)/children").split(separator: " ")
        .compactMap { pid_t($0) }
    }
  }
}
