import Glibc

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
    return status.birth == birth && !status.hasEnded
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

  /// Waits until nothing runs of a process group that has been killed.
  ///
  /// Some of it may be there for a while: what has ended, until its parent has asked for that.
  static func waitForEnd(ofGroup group: Int32) {
    for id in TextFile.names(in: "/proc").compactMap({ Int32($0) }) {
      while let status = status(of: id), status.group == group, !status.hasEnded { sched_yield() }
    }
  }

  // MARK: What the kernel tells

  /// The fields of `/proc/…/stat` that count here.
  private struct Status {
    let hasEnded: Bool
    let group: Int32?
    let birth: String
  }

  private static func status(of id: Int32) -> Status? {
    // The second field, the name, may hold anything; the others begin after its parenthesis.
    let text = TextFile.contents(of: "/proc/\(id)/stat")
    guard let name = text.lastIndex(of: ")") else { return nil }
    let fields = text[text.index(after: name)...].split(separator: " ")
    guard fields.count > 19 else { return nil }
    return Status(
      hasEnded: fields[0] == "Z" || fields[0] == "X", group: Int32(fields[2]),
      birth: String(fields[19]))
  }

  private static func children(of id: Int32) -> [Int32] {
    TextFile.names(in: "/proc/\(id)/task").flatMap { thread in
      TextFile.contents(of: "/proc/\(id)/task/\(thread)/children").split(separator: " ")
        .compactMap { Int32($0) }
    }
  }
}
