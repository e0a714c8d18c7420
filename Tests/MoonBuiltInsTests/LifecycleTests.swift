import Glibc
import MoonTestSupport
import Moonwire
import Synchronization
import Testing

@testable import MoonBuiltIns

@Suite(.timeLimit(.minutes(2))) struct LifecycleTests {
  private static let app = [
    "app.lua": """
    local moon = require "moonwire"
    return { state = { log = moon.list() },
      reducers = { ["app/*"] = function(s, _, action) table.insert(s.log, action.type) end,
        ["crash/*"] = function(s, payload, action)
          table.insert(s.log, action.type .. " " .. (payload.signal or "-"))
        end } }
    """
  ]

  @Test func `what happens to the program is told, from the start on`() async throws {
    let bench = try await BuiltInBench([.lifecycle], Self.app)
    for event in ProgramEvent.allCases.dropFirst() {
      await event.announce(in: bench.session, on: bench.host)
    }
    #expect(
      try await bench.state("app.log") == [
        "app/started", "app/suspended", "app/resumed", "app/will_terminate", "app/memory_warning",
      ])
    #expect(try await bench.state("lifecycle.phase") == "will_terminate")
    #expect(await bench.host.deadNames().map(\.name) == ["crash"])
  }

  @Test func `it is told while all actions are blocked, too`() async throws {
    let bench = try await BuiltInBench([.lifecycle, .actionBlocker], Self.app)
    try await bench.dispatch("action_blocker/enable")
    await ProgramEvent.suspended.announce(in: bench.session, on: bench.host)
    #expect(try await bench.state("app.log[2]") == "app/suspended")
  }

  @Test func `a warning of memory reaches all that want further ones`() async throws {
    let (once, often) = (Heard(), Heard())
    let pressure = MemoryPressure()
    pressure.add {
      _ = once.note()
      return false
    }
    pressure.add { often.note() < 3 }
    for _ in 1...5 { await pressure.warn() }
    #expect(once.count == 1)
    #expect(often.count == 3)
  }

  private final class Heard: Sendable {
    private let number = Mutex(0)
    var count: Int { number.withLock { $0 } }

    func note() -> Int {
      number.withLock {
        $0 += 1
        return $0
      }
    }
  }

  @Test func `without the module, nothing is told, and nothing fails`() async throws {
    let bench = try await BuiltInBench([])
    await ProgramEvent.started.announce(in: bench.session, on: bench.host) {
      Issue.record("\($0)")
    }
    #expect(
      await bench.host.history(of: bench.session).entries.allSatisfy {
        $0.action.type != "app/started"
      })
  }

  @Test(arguments: [("11", "SIGSEGV"), ("06", "SIGABRT"), ("", "-"), ("99", "-"), ("\u{1}", "-")])
  func `a run that left its mark has crashed, which is told before the start`(
    mark: String, signal: String
  ) async throws {
    let folder = try ScriptFolder(Self.app)
    try folder.save("../kept/running", mark)
    let bench = try await BuiltInBench([.crashDetector, .lifecycle], in: folder)
    #expect(
      try await bench.state("app.log") == [.string(Text("crash/did \(signal)")), "app/started"])
    #expect(try await bench.state("crash_detector.crashed") == true)
    #expect(await bench.host.deadNames().isEmpty)
    await bench.host.close()
    let next = try await BuiltInBench([.crashDetector, .lifecycle], in: folder)
    #expect(try await next.state("app.log") == ["app/started"])
    await next.host.close()
  }

  @Test func `a directory is watched until its last session ends, whatever others do`()
    async throws
  {
    let first = try await BuiltInBench([.crashDetector], Self.app)
    let second = try await BuiltInBench([.crashDetector], Self.app)
    let further = await first.host.openSession()
    await BuiltIn.crashDetector.accompany(
      further, on: first.host, keepingIn: first.directory)
    let marks = [first, second].map { "\($0.directory)/running" }
    await second.host.close()
    #expect(marks.map { access($0, F_OK) == 0 } == [true, false])
    await first.host.closeSession(first.session)
    #expect(access(marks[0], F_OK) == 0)
    await first.host.closeSession(further)
    #expect(access(marks[0], F_OK) != 0)
    #expect(first.shown.all.isEmpty)
    await first.host.close()
  }

  @Test func `two programs can't watch one directory`() async throws {
    let folder = try ScriptFolder(Self.app)
    try folder.save("../kept/running", "")
    let lock = try FileLock(folder.path("../kept/running"), creating: false)
    let bench = try await BuiltInBench([.crashDetector], in: folder)
    #expect(bench.shown.all.contains { $0.contains("another run has the directory") })
    #expect(try await bench.state("app.log") == .list(List()))
    lock.release()
  }
}
