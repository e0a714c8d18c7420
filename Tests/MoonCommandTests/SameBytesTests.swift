import Foundation
import MoonTestSupport
import Testing

/// The same actions give the same bytes of state, whatever the environment of the process.
@Suite(.ownThread) struct SameBytesTests {
  /// Reducers that store everything by which runs could differ.
  static let probe = """
    local moon = require "moonwire"
    local function shuffled(n)
      local list = {}
      for i = 1, n do list[i] = i end
      for i = n, 2, -1 do
        local j = moon.random(i)
        list[i], list[j] = list[j], list[i]
      end
      return list
    end
    local function say(state, ...)
      local parts = table.pack(...)
      for i = 1, parts.n do parts[i] = tostring(parts[i]) end
      table.insert(state.said, table.concat(parts, " "))
    end
    local function fails(state, f, ...) say(state, select(2, pcall(f, ...))) end

    return moon.module {
      state = { said = moon.list(), part = { deep = {} }, names = {}, holes = {} },
      reducers = {
        -- Several fields that can't be kept, each under a name of its own.
        refusals = function(state)
          local bad = {}
          for _, i in ipairs(shuffled(40)) do bad["k" .. i] = i % 3 == 0 and print or { i } end
          fails(state, function() state.bad = bad end)
          fails(state, function() state.part.deep.bad = { list = { bad, bad } } end)
          fails(state, function() state.bad = { [{}] = 1, [print] = 1, [1.5] = 2, [true] = 3 } end)
          fails(state, function() state.bad = { x = 1, [1] = 2, [2] = "\\xff" } end)
          for name in pairs(bad) do state.names[name] = state.part end
          fails(state, function() state.part.deep.y = print end)
          local part = state.part
          state.part = nil
          fails(state, function() part.deep.y = print end)
          state.part = { deep = {} }
          state.names = {}
        end,
        holes = function(state)
          local t = {}
          for _, i in ipairs(shuffled(60)) do
            t["name" .. i] = i
            if i % 7 ~= 0 then t[i] = i end
            t[print] = i
          end
          say(state, #t, rawlen(t), select("#", table.unpack(t)))
          table.insert(t, "more")
          say(state, #t, t[7], table.remove(t), #t, pcall(table.concat, t, ","))
          local lengths = {}
          for n = 5, 120 do
            local u = {}
            for _, i in ipairs(shuffled(n)) do
              u["n" .. i] = i
              if i * n % 11 ~= 3 then u[i] = i end
            end
            lengths[#lengths + 1] = #u
          end
          say(state, table.concat(lengths, " "))
          local long = {}
          for _, i in ipairs(shuffled(900)) do
            if i % 251 ~= 0 then long[i] = i end
            if i % 5 == 0 then long["x" .. i] = true end
          end
          say(state, #long)
          for i in pairs(long) do if i == 3 then break end end
          for i = 1, 9 do if i ~= 4 then state.holes[i] = i end end
          say(state, #state.holes)
        end,
        orders = function(state)
          local t = {}
          for _, i in ipairs(shuffled(50)) do
            t[i] = i t["k" .. i] = i t[i + 0.5] = i t[i % 2 == 0] = i
          end
          for k, v in pairs(t) do say(state, k, v) end
          say(state, next(t))
          local list = shuffled(100)
          table.sort(list, function(a, b) return a % 10 < b % 10 end)
          say(state, table.unpack(list))
        end,
        letters = function(state)
          say(state, ("ÄäéÉß"):upper(), ("ÄäéÉß"):lower(), ("Ä"):find("%a"), ("x"):rep(3, ","))
          say(state, "a" < "B", "ä" < "z", "_" < "a", "é" < "f", 1.5, 0.1 + 0.2, 1e100, -0.0)
          say(state, ("%.3f %g %q %5s %a"):format(1.5, 1e10 / 3, "a\\nb", "ä", 0.1))
          say(state, tonumber("1.5"), tonumber("1,5"), "2.5" * 2, math.tointeger("8"))
        end,
        addresses = function(state)
          say(state, {}, print, coroutine.create(print), moon.null, state, state.part)
          fails(state, error)
          fails(state, error, {})
          fails(state, function() return {} < {} end)
          fails(state, function() return #nil end)
          fails(state, string.rep)
          fails(state, setmetatable, 1)
          fails(state, require, "no" .. "thing")
          fails(state, function() error { code = 1, [2] = { "x" } } end)
          say(state, moon.random(0), moon.random(1, 1000), moon.random(), math.random(9))
        end,
        collected = function(state)
          local mode = {}
          local weak = setmetatable({}, mode)
          mode.__mode = "kv"
          weak = setmetatable(weak, { __mode = "v" })
          for i = 1, 100 do weak[i] = { i } end
          for i = 1, 200000 do local garbage = { i } end
          local count = 0
          for i = 1, 100 do count = count + (weak[i] and 1 or 0) end
          say(state, count)
        end,
      },
      observe = { ["probe.said"] = function(said, _, self)
        if #said % 2 == 0 then self.dispatch("echo/hear", { count = #said }) end
      end },
    }
    """
  static let echo = """
    return { state = { heard = 0 }, reducers = { hear = function(state, payload)
      state.heard = state.heard * 31 % 1000003 + payload.count
    end } }
    """
  static let actions = ["refusals", "holes", "orders", "letters", "addresses", "collected"]

  /// The text before the command on a line of bash.
  static let surroundings = [
    "", "setarch -R", "env TZ=Asia/Kathmandu", "env TZ=/nowhere LC_ALL=C", "env LC_ALL=C.UTF-8",
    "env LC_ALL=de_DE LOCPATH=$LOCALES", "env MALLOC_PERTURB_=85 MALLOC_ARENA_MAX=1",
    "env GLIBC_TUNABLES=glibc.malloc.tcache_count=0:glibc.malloc.mmap_threshold=4096",
    "env SWIFT_DETERMINISTIC_HASHING=1", "env -i PATH=/usr/bin:/bin", "nice",
    "env LUA_INIT='error(1)' LUA_PATH='?' FILLER=$(head -c 90000 /dev/zero | tr '\\0' x)",
    "prlimit --stack=1048576", "taskset -c 0", "cd / &&", "umask 077;",
  ]

  /// Returns a folder with the files, created in this order.
  private func folder(_ names: [String]) throws -> ScriptFolder {
    let folder = try ScriptFolder()
    let texts = ["probe.lua": Self.probe, "echo.lua": Self.echo, "zero.lua": "return {}"]
    for name in names { try folder.save(name, texts[name] ?? "") }
    return folder
  }

  /// Records all actions, and returns the path of the recording.
  private func record(_ folder: ScriptFolder) throws -> String {
    let path = folder.path("../recording")
    let dispatches = (Self.actions + Self.actions).flatMap { ["--dispatch", "probe/\($0)"] }
    let run = try Program.run(
      ["run", folder.root, "--no-watch", "--journal", path, "--state", "-"] + dispatches)
    #expect(run.code == 0 && run.output.utf8.count > 4000, "\(run.errors)")
    return path
  }

  /// Carries out a recording again, and compares the bytes of each state with the recorded ones.
  private func expectSameBytes(
    _ recording: String, in folder: ScriptFolder, _ surrounding: String, _ locales: String = ""
  ) throws {
    let result = try Program.shell(
      """
      LOCALES=\(locales)
      \(surrounding) $MOONWIRE replay \(recording) \(folder.root)
      """)
    #expect(
      result.output.hasSuffix(" actions replayed: every state is as recorded\n"),
      "under '\(surrounding)': \(result)")
  }

  @Test func `the same actions give the same bytes, whatever surrounds the process`() throws {
    let locale = try ForeignLocale()
    let first = try folder(["probe.lua", "echo.lua", "zero.lua"])
    let second = try folder(["zero.lua", "echo.lua", "probe.lua"])
    let recording = try record(first)
    for surrounding in Self.surroundings {
      for folder in [first, second] {
        try expectSameBytes(recording, in: folder, surrounding, locale.path)
      }
    }
  }

  /// `MOON_OTHER_BUILD` is the path of another build of the command from the same sources.
  @Test(
    .enabled(
      if: ProcessInfo.processInfo.environment["MOON_OTHER_BUILD"] != nil,
      "there is no build for release of the same sources: scripts/release makes it"))
  func `another build gives the same bytes`() throws {
    let other = try #require(ProcessInfo.processInfo.environment["MOON_OTHER_BUILD"])
    let folder = try folder(["probe.lua", "echo.lua", "zero.lua"])
    try expectSameBytes(try record(folder), in: folder, "MOONWIRE=\(other);")
  }
}
