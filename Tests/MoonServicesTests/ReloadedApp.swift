import Glibc
import MoonServices
import MoonTestServer
import MoonTestSupport
import Moonwire
import Testing

/// An app whose module `m` makes a call, beside a module `n`.
struct ReloadedApp {
  let one: ServiceReloadTests.Case
  let server: TestServer
  let bench: EffectBench
  private let data: TemporaryFolder

  private static let needs = [
    "net:localhost", "read:data/", "write:data/", "run:sh", "run:true", "storage",
  ]

  private static let neighbour = """
    local moon = require "moonwire"
    return moon.module {
      needs = { "storage" },
      state = { n = 0 },
      actions = { go = {}, on = {} },
      reducers = { set = function(s, p) s.n = p.n end },
      effects = { go = function(payload, self)
        moon.storage.set("kept", 1)
        moon.take "n/on"
        self.dispatch("set", { n = moon.storage.get "kept" + moon.storage.usage().count })
      end },
      commands = { never = function() moon.sleep(1000) end },
    }
    """

  init(_ one: ServiceReloadTests.Case, _ server: TestServer) async throws {
    (self.one, self.server) = (one, server)
    let folder = try ScriptFolder(["n.lua": Self.neighbour, "data/a": "a"])
    let data = try TemporaryFolder()
    self.data = data
    bench = try await EffectBench(
      "", services: Service.standard, needs: Self.needs, in: folder
    ) { $0.surroundings.dataDirectory = data.path }
    try await bench.host.dispatch(Action("n/go"), to: bench.session)
  }

  /// Saves the module, starts the effect, and returns when the call is under way.
  func begin(_ generation: Int) async throws {
    try bench.folder.save(
      "m.lua",
      EffectBench.module(
        """
        local closing <close> = setmetatable({}, { __close = function() tell("closed", \(generation)) end })
        \(one.code)
        """, needs: Self.needs, more: one.more
      ).replacing(
        "return moon.module",
        with: """
          local base, socket_base = "http://localhost:\(server.port)", "ws://localhost:\(server.port)"
          local notes = moon.entities.stored(moon.entities.kind {
            name = "note", fields = { id = "integer", title = "string" },
          })
          return moon.module
          """))
    await bench.host.reload(ModuleName("m"))
    let (requests, begun) = (server.requests.count, try await begunCount())
    try await bench.start()
    switch one.sign {
    case .tasks(let count): await wait(forTasks: count)
    case .requests(let count, let tasks):
      await server.hasReceived(requests + count)
      await wait(forTasks: tasks)
    case .told: while try await begunCount() == begun { await Task.yield() }
    case .toldAndWaits(let words):
      // The effect itself may have ended, and told so, before.
      while try await begunCount() == begun { await Task.yield() }
      while await !tasks().contains(where: { $0.hasPrefix(words) }) { await Task.yield() }
    case .processes: while processes().count < 2 { await Task.yield() }
    }
  }

  /// Saves the module with other content; returns when the answers to calls that waited are dropped.
  func reload() async throws {
    let late = await bench.host.lateAnswerCount(of: bench.session)
    let calls = await tasks().count { wait in
      ["http.", "files.", "processes.", "storage."].contains { wait.hasPrefix($0) }
    }
    try bench.folder.save(
      "m.lua", EffectBench.module("tell(moon.storage.get 'never')", needs: Self.needs))
    await bench.host.reload(ModuleName("m"))
    // A loop may be between two calls.
    if case .told = one.sign { return }
    while await bench.host.lateAnswerCount(of: bench.session) < late + calls { await Task.yield() }
  }

  private func begunCount() async throws -> Int {
    try await bench.told().count { $0 == "begun" }
  }

  /// Returns the waits of the module's tasks.
  func tasks() async -> [String] {
    await bench.host.taskInfos(of: bench.session).filter { $0.module.text == "m" }
      .map { $0.wait ?? "its turn" }
  }

  private func wait(forTasks count: Int) async {
    while true {
      let tasks = await bench.host.taskInfos(of: bench.session).filter { $0.module.text == "m" }
      if tasks.count >= count, tasks.allSatisfy({ $0.wait != nil }) { return }
      await Task.yield()
    }
  }

  /// Returns the programs that the call has started.
  private func processes() -> [pid_t] {
    ["parent", "child"].compactMap { name in
      TextFile.contents(of: bench.folder.path("data/\(name)")).split(separator: "\n").first
        .flatMap { pid_t($0) }
    }
  }

  /// Returns when nothing is left of the call outside the host.
  func leavesNothing() async {
    await server.isIdle()
    while !processes().allSatisfy(ProcessTable.hasEnded) { await Task.yield() }
    for name in ["parent", "child"] { unlink(bench.folder.path("data/\(name)")) }
    while watchCount() > 0 { await Task.yield() }
  }

  /// Returns how many watches of the directory `data` this process has.
  private func watchCount() -> Int {
    var status = stat()
    guard stat(bench.folder.path("data"), &status) == 0 else { return 0 }
    let mark = " ino:\(String(status.st_ino, radix: 16)) "
    return TextFile.names(in: "/proc/self/fdinfo").reduce(0) { count, name in
      count
        + TextFile.contents(of: "/proc/self/fdinfo/\(name)").split(separator: "\n")
        .count { $0.hasPrefix("inotify ") && $0.contains(mark) }
    }
  }

  private func waitsOfNeighbour() async -> [String?] {
    await bench.host.taskInfos(of: bench.session).filter {
      $0.module.text == "n" && [.effect, .command].contains($0.effect.kind)
    }.map(\.wait)
  }

  /// Checks that the module beside it has its task, its state and its storage, and no task more.
  func checkNeighbour() async throws {
    // What it keeps at the start may take until now.
    while await waitsOfNeighbour().contains("storage.set kept") { await Task.yield() }
    #expect(await waitsOfNeighbour() == ["n/on"])
    try await bench.host.dispatch(Action("n/on"), to: bench.session)
    let path = try Path(parsing: "n.n")
    while await bench.host.state(of: bench.session)?.value(at: path) != 2 { await Task.yield() }
    for info in await bench.host.moduleInfos() {
      #expect(info.status == .running)
      #expect(info.faults == 0)
    }
  }
}
