import MoonServices
import Moonwire

/// Ten greedy modules, each of its own kind, beside a polite one, which keeps its share.
///
/// The polite module's tasks get their part of the time, its services answer, and a person's
/// actions wait for no more than the turn that runs and those that follow.
struct GreedyModules: Chapter {
  static let name = "greedy-modules"
  /// The time in seconds that each round gives the modules.
  private static let seconds = 2.0
  /// The time in seconds that a person's action may take: one budget until it is carried out, and
  /// one of what follows; the machine is shared.
  private static let actionSecondsMax = 1.0

  /// The effects of the greedy modules; each is begun in every round.
  private static let greedy: [String: String] = [
    "spinning": """
    for i = 1, 20 do
      moon.spawn(function() while true do spin(0.1) moon.sleep(0) end end)
    end
    """,
    "waking": "for i = 1, 300 do moon.spawn(function() while true do moon.sleep(0) end end) end",
    "acting": """
    while true do
      for i = 1, 500 do pcall(self.dispatch, "count") end
      moon.sleep(0)
    end
    """,
    "listing": """
    for i = 1, 60 do
      moon.spawn(function() while true do moon.files.list "." end end)
    end
    """,
    "storing": """
    local text = ("x"):rep(10000)
    for i = 1, 20 do
      moon.spawn(function() while true do pcall(moon.storage.set, "k" .. i, text) end end)
    end
    """,
    "logging": "while true do for i = 1, 5000 do moon.log.info(i) end moon.sleep(0) end",
    "looking": """
    for i = 1, 100 do
      moon.spawn(function()
        while true do pcall(moon.http.get, "http://n" .. i .. ".invalid/", { timeout = 0.2 }) end
      end)
    end
    """,
    "streaming": """
    for i = 1, 8 do
      moon.spawn(function()
        for line in moon.processes.lines { "yes" } do moon.sleep(0) end
      end)
    end
    """,
    "keeping": """
    local text = ("x"):rep(100000)
    while true do
      pcall(self.dispatch, "keep", { text = text })
      moon.sleep(0)
    end
    """,
    "timing": "for i = 1, 100 do self.every(0.01, 'count') end",
  ]

  static var files: [String: String] {
    var files = ["polite.lua": polite]
    for (name, effect) in greedy { files["\(name).lua"] = module(effect) }
    return files
  }

  private static func module(_ effect: String, more: String = "") -> String {
    """
    local moon = require "moonwire"
    local function spin(seconds)
      local start = moon.time.monotonic()
      while moon.time.monotonic() - start < seconds do end
    end
    return moon.module {
      needs = { "storage", "read:.", "net:*.invalid", "run:yes" },
      state = { n = 0, turns = 0, services = 0 },
      reducers = { count = function(s) s.n = s.n + 1 end, \(more) },
      effects = {
        keep = function(payload) payload = nil moon.sleep(60) end,
        go = function(_, self)
          \(effect)
        end,
      },
    }
    """
  }

  private static let polite = module(
    """
    for i = 1, 4 do
      moon.spawn(function()
        while true do spin(0.005) self.dispatch "turn" moon.sleep(0) end
      end)
    end
    while true do
      moon.storage.set("seen", 1)
      moon.files.list "."
      self.dispatch "served"
      moon.sleep(0.05)
    end
    """,
    more: """
      turn = function(s) s.turns = s.turns + 1 end,
      served = function(s) s.services = s.services + 1 end,
      """)

  static func prepare(_ options: inout HostOptions, in root: String) {
    options.services = Service.standard
    options.surroundings.dataDirectory = root
    options.grants.allowed = ["storage", "read:.", "net:*.invalid", "run:yes"].compactMap {
      (try? Scope(parsing: $0)).map { Grants.Rule($0) }
    }
  }

  mutating func round(
    _ bench: ChapterBench, _ random: inout Randomness
  ) async throws -> String? {
    let turns = await bench.integer("polite", "turns") ?? 0
    let services = await bench.integer("polite", "services") ?? 0
    for name in Self.greedy.keys.sorted() + ["polite"] {
      if case .failure(let error) = await bench.dispatch(Text("\(name)/go")) {
        return "\(name)/go is refused: \(error)"
      }
    }
    let begun = ProcessUse.seconds
    var longest = 0.0
    while ProcessUse.seconds - begun < Self.seconds {
      let asked = ProcessUse.seconds
      if case .failure(let error) = await bench.dispatch("polite/count") {
        return "a person's action is refused: \(error)"
      }
      longest = max(longest, ProcessUse.seconds - asked)
      try await Task.sleep(for: .milliseconds(20))
    }
    let elapsed = ProcessUse.seconds - begun
    let used = Double((await bench.integer("polite", "turns") ?? 0) - turns) * 0.005
    let served = (await bench.integer("polite", "services") ?? 0) - services
    for info in await bench.host.taskInfos(of: bench.session) {
      await bench.host.cancelTask(info.id, in: bench.session)
    }
    for name in Self.greedy.keys {
      if let name = ModuleName(name) { await bench.host.resume(name) }
    }
    let share = elapsed / Double(2 * (Self.greedy.count + 1))
    if used < share {
      return "the polite module had \(used) s of \(elapsed) s, and should have \(share) s"
    }
    if served < 1 { return "services have answered the polite module \(served) times" }
    if longest > Self.actionSecondsMax { return "a person's action took \(longest) s" }
    return nil
  }
}
