import MoonServices
import Moonwire

/// Work of effects.
enum EffectWorkload: String {
  /// Starts effects that wait once, a thousand at a time.
  case once
  /// Lets effects sleep, all at the same time.
  case sleeping
  /// Sends requests to a server from a hundred tasks of an effect.
  case requests

  private static let batchCount = 1_000
  private static let senderCount = 100

  private static let module = """
    local moon = require "moonwire"
    return moon.module {
      needs = { "net:localhost" },
      state = { n = 0 },
      reducers = { done = function(state, by) state.n = state.n + by end },
      effects = {
        once = function() moon.sleep(0) end,
        sleeping = function() moon.sleep(1000) end,
        requests = function(payload, self)
          local senders, done = {}, 0
          for i = 1, payload.senders do
            senders[i] = function()
              for _ = 1, payload.each do
                if #moon.http.get(payload.url).text > 0 then done = done + 1 end
              end
            end
          end
          moon.all(senders)
          self.dispatch("done", done)
        end,
      },
    }
    """

  /// Does the work `count` times; `url` is that of a server.
  func run(count: Int, url: String = "") async throws {
    let folder = ScriptFolder(["effects.lua": Self.module])
    var options = HostOptions.unlimited
    options.services = [.http]
    options.tasks.countMax = 0
    options.grants.allowed = [Grants.Rule(try Scope(parsing: "net:localhost"))]
    let host = try Host(directory: folder.path, options: options)
    try await host.load()
    let session = await host.openSession()
    Usage.giveBackFreedMemory()
    let (bytes, wall, processor) = (
      Usage.residentBytes, Usage.wallTime, Usage.processorTime
    )
    switch self {
    case .once:
      for _ in 0..<(count / Self.batchCount) {
        try await Self.dispatch("effects/once", Self.batchCount, on: host, session)
        _ = await host.waitForTasks(in: session, within: .seconds(60))
      }
    case .sleeping: try await Self.dispatch("effects/sleeping", count, on: host, session)
    case .requests:
      let payload: Value = [
        "url": .string(Text(url)), "senders": .int(Int64(Self.senderCount)),
        "each": .int(Int64(count / Self.senderCount)),
      ]
      try await host.dispatch(Action("effects/requests", payload), to: session)
      _ = await host.waitForTasks(in: session, within: .seconds(600))
    }
    let (usedWall, usedProcessor) = (
      Usage.wallTime - wall, Usage.processorTime - processor
    )
    Usage.giveBackFreedMemory()
    let used = Usage.residentBytes - bytes
    let running = await host.taskInfos(of: session).count
    let done = await host.state(of: session)?["effects"]?["n"]?.intValue ?? 0
    print(
      """
      {"peer":"moonwire","workload":"\(self)","n":\(count),"wall_s":\(usedWall),\
      "cpu_s":\(usedProcessor),"bytes":\(used),"running":\(running),"done":\(done)}
      """)
    await host.close()
  }

  private static func dispatch(
    _ type: Text, _ count: Int, on host: Host, _ session: SessionID
  ) async throws {
    try await host.perform { host in
      for _ in 0..<count { try host.dispatch(Action(type), to: session) }
    }
  }
}
