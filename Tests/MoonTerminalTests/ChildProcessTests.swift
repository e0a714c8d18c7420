import Glibc
import MoonTestSupport
import Testing

/// Processes that tests start end with the tests.
@Suite(.ownThread) struct ChildProcessTests {
  /// Returns whether a process is gone soon, since killing doesn't wait.
  private func isGone(_ id: pid_t) -> Bool {
    let deadline = ContinuousClock.now + .seconds(ProgramRun.secondsMax)
    while ContinuousClock.now < deadline {
      if ProcessTable.hasEnded(id) { return true }
      sched_yield()
    }
    return false
  }

  @Test func `a child ends with its value, and what it has started in the background`() throws {
    let pipe = DescriptorPipe()
    var child: ChildProcess? = try ChildProcess(
      "/bin/sh", ["-c", "trap '' HUP TERM; sleep 1000 & echo $!; wait"],
      environment: ["PATH": "/usr/bin:/bin"], streams: (0, pipe.writing, 2))
    pipe.closeWriting()
    var bytes = [UInt8](repeating: 0, count: 32)
    let count = read(pipe.reading, &bytes, bytes.count)
    let text = String(decoding: bytes[..<max(0, count)].dropLast(), as: UTF8.self)
    let grandchild = try #require(pid_t(text))
    let id = try #require(child?.id)
    #expect(!ProcessTable.hasEnded(id) && !ProcessTable.hasEnded(grandchild))
    child = nil
    #expect(isGone(id) && isGone(grandchild))
  }

  @Test func `a run that leaves something behind ends, and so does that`() throws {
    let run = try ProgramRun(
      "/bin/sh", ["-c", "sleep 1000 >/dev/null 2>&1 & echo $!; exit 3"],
      environment: ["PATH": "/usr/bin:/bin"])
    #expect(run.code == 3)
    #expect(isGone(try #require(pid_t(run.output.dropLast()))))
  }

  @Test func `what a process of tests has started ends with it, however it ends`() throws {
    var reaper: Reaper? = try Reaper(of: "a test \(getpid())")
    let pipe = DescriptorPipe()
    let child = try ChildProcess(
      "/bin/sh", ["-c", "trap '' HUP TERM; setsid sleep 1000 & echo $!; wait"],
      environment: ["PATH": "/usr/bin:/bin"], streams: (0, pipe.writing, 2), reaper: reaper)
    let other = try ChildProcess("/bin/sleep", ["1000"], environment: [:], streams: (0, 1, 2))
    let grandchild = try #require(pid_t(pipe.read(upTo: "\n")))
    #expect(!ProcessTable.hasEnded(child.id) && !ProcessTable.hasEnded(grandchild))
    // The end of the process closes what the reaper waits for, as this does.
    reaper = nil
    #expect(isGone(child.id) && isGone(grandchild))
    #expect(!ProcessTable.hasEnded(other.id))
    withExtendedLifetime(reaper) {}
  }

  @Test(.enabled(if: TmuxServer.executable != nil, "tmux isn't installed: apt-get install tmux"))
  func `a terminal ends with its value, whatever ignores signals in it`() throws {
    var server: TmuxServer? = try TmuxServer(
      running: ["/bin/sh", "-c", "trap '' HUP TERM; sleep 1000; sleep 1000"], environment: [:])
    let text = try server?.run(["display", "-p", "#{pid} #{pane_pid}"])
    let ids = try #require(text).split { $0.isWhitespace }.compactMap { pid_t($0) }
    #expect(ids.count == 2 && ids.allSatisfy { !ProcessTable.hasEnded($0) })
    server = nil
    #expect(ids.allSatisfy(isGone))
  }
}
