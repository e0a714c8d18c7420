import Glibc

/// Kills what a process of tests has started, as soon as that process is gone.
///
/// Tests end what they start, even if they fail. They can't if they are interrupted or crash; so a
/// shell, in a session of its own, waits for the end of their process.
package final class Reaper: Sendable {
  /// The reaper of the processes that this one starts; nil if it couldn't be started.
  static let own = try? Reaper(of: "\(getpid())")

  /// The variable in the environment of a process whose value names the reaper it belongs to.
  private static let variable = "MOON_TESTS"

  /// Waits for the end of the input, then kills until there is nothing left to kill.
  private static let script = """
    cat >/dev/null
    while files=$(grep -lszxF "$1" /proc/[0-9]*/environ); [ -n "$files" ]; do
      for file in $files; do kill -KILL "$(echo "$file" | tr -dc 0-9)"; done
    done
    """

  private let mark: String
  private let life: Int32
  private let id: pid_t

  /// Starts a reaper of the processes that have its mark.
  ///
  /// It lasts as long as this value and this process. The end of the value waits for theirs.
  ///
  /// - Throws: ``SpawnError``
  package init(of mark: String) throws {
    var ends: [Int32] = [-1, -1]
    pipe(&ends)
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    let nowhere = open("/dev/null", O_RDWR | O_CLOEXEC)
    defer { [ends[0], nowhere].forEach { close($0) } }
    self.mark = mark
    life = ends[1]
    id = try ProcessStart(
      words: ["/bin/sh", "-c", Self.script, "sh", "\(Self.variable)=\(mark)"],
      environment: ["PATH": "/usr/bin:/bin"], streams: (ends[0], nowhere, nowhere))()
  }

  deinit {
    close(life)
    ProcessTable.reap(id)
  }

  /// Returns an environment with the mark.
  package func marked(_ environment: [String: String]) -> [String: String] {
    environment.merging([Self.variable: mark]) { $1 }
  }
}
