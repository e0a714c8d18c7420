package import Glibc

/// The processes of the system.
package enum ProcessTable {
  /// Returns the processes of a session that haven't ended.
  package static func members(ofSession session: pid_t) -> [pid_t] {
    TextFile.names(in: "/proc").compactMap { pid_t($0) }
      .filter { getsid($0) == session && !hasEnded($0) }
  }

  /// Kills all processes of a session.
  package static func kill(session: pid_t) {
    // Processes that they start in the meantime belong to the session as well.
    for _ in 0..<100 {
      let members = members(ofSession: session)
      if members.isEmpty { return }
      for member in members { Glibc.kill(member, SIGKILL) }
      sched_yield()
    }
  }

  /// Waits until a child of this process has ended, and lets the system forget it.
  package static func reap(_ child: pid_t) {
    var status: Int32 = 0
    while waitpid(child, &status, 0) < 0, errno == EINTR {}
    // The library of tests looks for ended children of its own when the system tells of any, but
    // sees only the first of all that aren't reaped. So it looks again.
    Glibc.kill(getpid(), SIGCHLD)
  }

  /// Returns whether a process is gone, or is waiting for its parent to reap it.
  package static func hasEnded(_ id: pid_t) -> Bool {
    // The state comes after the name, which may contain anything, including parentheses.
    let text = TextFile.contents(of: "/proc/\(id)/stat")
    guard let end = text.lastIndex(of: ")") else { return true }
    return text[end...].hasPrefix(") Z")
  }
}
