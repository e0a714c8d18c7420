import Logging
import MoonTestSupport
import Moonwire
import Synchronization
import Testing

/// What a person tells modules: reading, checks, changes and secrets.
@Suite(.timeLimit(.minutes(2))) struct SettingTests {
  /// Settings that a test gives, by `module.setting`.
  private final class Given: Sendable {
    private let texts: Mutex<[String: String]>

    init(_ texts: [String: String]) { self.texts = Mutex(texts) }

    func set(_ key: String, _ text: String) { texts.withLock { $0[key] = text } }

    var source: SettingSource {
      SettingSource { [self] module, setting in
        texts.withLock { $0["\(module).\(setting.name)"] }.map {
          .init(.text($0), from: "the test")
        }
      }
    }
  }

  private func bench(
    _ module: String, _ given: Given, services: [Service] = []
  ) async throws -> Bench {
    var options = Bench.quiet
    options.settings = given.source
    options.services = services
    return try await Bench(["m.lua": module], options: options)
  }

  private static let weather = """
    local moon = require "moonwire"
    return moon.module {
      settings = {
        city = { "string", "Where to look", default = "Paris" },
        days = { "integer", default = 3 },
        note = { "string?" },
        key = { "string", secret = true, default = "" },
      },
      state = { told = {} },
      reducers = { told = function(s, p) s.told = p end },
      on_start = function(self) self.dispatch("told", { city = self.settings.city,
        days = self.settings.days, note = tostring(self.settings.note) }) end,
      on_settings = function(changed, self)
        self.dispatch("told", { changed = changed, city = self.settings.city })
      end,
    }
    """

  @Test func `a setting has its value, or else its default`() async throws {
    let bench = try await bench(Self.weather, Given(["m.city": "Rome", "m.note": "7"]))
    #expect(try await bench.state("m.told") == ["city": "Rome", "days": 3, "note": "7"])
  }

  @Test func `a change tells the module and restarts nothing`() async throws {
    let given = Given([:])
    let bench = try await bench(Self.weather, given)
    given.set("m.city", "Rome")
    given.set("m.days", "9")
    #expect(await bench.host.updateSettings().isEmpty)
    #expect(try await bench.state("m.told") == ["changed": ["city", "days"], "city": "Rome"])
    #expect(try await bench.info("m")?.generation == 1)
    await bench.host.updateSettings()
    #expect(await bench.history().count { $0.hasPrefix("m/told") } == 2, "nothing changed")
  }

  @Test func `a change that is wrong leaves all settings of the module`() async throws {
    let given = Given(["m.days": "4"])
    let bench = try await bench(Self.weather, given)
    given.set("m.city", "Rome")
    given.set("m.days", "many")
    let refused = await bench.host.updateSettings()
    #expect(
      refused.values.map(\.description) == [
        "'days' must be integer, not \"many\", which the test gives"
      ])
    #expect(try await bench.state("m.told.city") == "Paris")
  }

  @Test(arguments: [
    (#"{ days = { "integer" } }"#, [:], "'days' isn't given (integer): --set m.days=…"),
    (#"{ days = { "integer" } }"#, ["m.days": "x"], "'days' must be integer, not \"x\""),
    (#"{ days = { "integer", default = "x" } }"#, [:], "'days' must be integer, not \"x\""),
    (#"{ days = { "int" } }"#, [:], "is no type of a field"),
    (#"{ days = { "integer", defualt = 1 } }"#, ["m.days": "1"], "settings.days.defualt"),
    (#"{ days = {} }"#, [:], "must be"), (#"{ days = 7 }"#, [:], "must be"),
    (#"{ "days" }"#, [:], "must be"), (#"7"#, [:], "must be"),
    (#"{ key = { "integer", secret = true } }"#, ["m.key": "hunter2"], "not something else"),
  ])
  func `a setting that is missing or wrong is named when the module is loaded`(
    settings: String, given: [String: String], text: String
  ) async throws {
    let bench = try await bench("return { settings = \(settings) }", Given(given))
    let problems = try #require(try await bench.info("m")).problems.map(\.description)
    #expect(problems.count == 1 && problems[0].contains(text), "\(problems)")
    #expect(!"\(problems)".contains("hunter2"))
  }

  @Test func `a reducer can't read settings`() async throws {
    let bench = try await bench(
      """
      return { settings = { a = { "string", default = "x" } }, state = { x = "" },
        on_start = function(self) kept = self end,
        reducers = { go = function(s) s.x = kept.settings.a end } }
      """,
      Given([:]))
    #expect(await bench.failure(of: "m/go")?.description.contains("a reducer") ?? false)
  }

  @Test func `a secret prints as such in the log, also in a table`() async throws {
    var options = Bench.quiet
    let notes = Notes()
    options.logger = Logger(label: "test") { _ in NotingHandler(notes: notes, form: .message) }
    options.settings = Given(["m.key": "hunter2"]).source
    _ = try await Bench(
      [
        "m.lua": """
        local moon = require "moonwire"
        return moon.module {
          settings = { key = { "string", secret = true } },
          on_start = function(self)
            local key = self.settings.key
            print(key, "Bearer " .. key, { key = key })
            moon.log.info({ "a", key }, self.settings)
          end,
        }
        """
      ], options: options)
    let texts = notes.all.filter { $0.contains("secret") }
    #expect(
      texts == [
        "(secret)\t(secret)\t{key = (secret)}", "[\"a\", (secret)]\t{key = (secret)}",
      ])
  }

  @Test func `data that looks like a secret is none, from another module or a service`()
    async throws
  {
    let seen = Mutex<[Value]>([])
    let forged: Value = ["\u{0}secret": [["name": "key"]]]
    let service = Service(
      "lock", "Opens.",
      functions: [
        .immediate("answer", "Answers with data.") { _ in .value(forged) },
        .immediate("open", "Opens.", .any("key")) { _, key in
          seen.withLock { $0.append(key) }
          return .value(.null)
        },
      ])
    let bench = try await bench(
      """
      local moon = require "moonwire"
      return moon.module {
        settings = { key = { "string", secret = true }, other = { "string", secret = true } },
        actions = { got = { v = "any" } },
        effects = { got = function(p)
          moon.lock.open(p.v)
          moon.lock.open(moon.lock.answer())
          moon.lock.open { inside = moon.lock.answer() }
          moon.lock.open { ["\\0secret"] = { { name = "key" } } }
        end },
        on_start = function(self)
          local _, problem = pcall(function() return self.settings.other .. moon.lock.answer() end)
          print(problem)
          moon.lock.open(self.settings.other)
          self.dispatch("got", { v = { ["\\0secret"] = { { name = "key" } } } })
        end,
      }
      """, Given(["m.key": "hunter2", "m.other": "mine"]), services: [service])
    _ = await bench.host.waitForTasks(in: bench.session, within: .seconds(60))
    let texts = seen.withLock { $0.map(\.canonicalText) }
    #expect(texts.first == "\"mine\"")
    #expect(texts.count == 5 && !texts.contains { $0.contains("hunter2") }, "\(texts)")
    #expect(!"\(await bench.host.history(of: bench.session))".contains("hunter2"))
  }

  @Test func `a secret in the answer of a command is masked`() async throws {
    let bench = try await bench(
      """
      return { settings = { key = { "string", secret = true } }, commands = {
        get = function(p, self)
          local key = self.settings.key
          return { keys = { key }, deep = { url = "x/" .. key }, plain = 1 }
        end } }
      """, Given(["m.key": "hunter2"]))
    let answer = try await bench.host.call("m/get", in: bench.session)
    #expect(answer.canonicalText == #"{"deep":{"url":"(secret)"},"keys":["(secret)"],"plain":1}"#)
  }

  @Test func `a secret reaches services and nothing else`() async throws {
    enum Refusing: ServiceFailure {
      case key(String)
      var code: String { "refused" }
      var description: String {
        switch self {
        case .key(let text): "\(text) is refused"
        }
      }
    }
    let seen = Mutex<[String]>([])
    let service = Service(
      "lock", "Opens.",
      functions: [
        .immediate("open", "Opens.", .string("key"), .option(.map("headers"))) { _, key, headers in
          seen.withLock { $0 += [key, headers?["Authorization"]?.stringValue ?? ""] }
          throw Refusing.key(key)
        }
      ])
    let bench = try await bench(
      """
      local moon = require "moonwire"
      return moon.module {
        settings = { key = { "string", secret = true } },
        state = { told = "", kept = false },
        reducers = { told = function(s, p) s.told = p.text end,
          keep = function(s, p) s.kept = p end },
        on_start = function(self)
          local key = self.settings.key
          local header = "Bearer " .. key .. "!"
          local done, problem = pcall(moon.lock.open, key, { headers = { Authorization = header } })
          self.dispatch("told", { text = tostring(key) .. tostring(header) .. problem })
          self.dispatch("keep", { key = key, type = type(key) })
          print(key, header)
        end,
      }
      """, Given(["m.key": "hunter2"]), services: [service])
    #expect(seen.withLock { $0 } == ["hunter2", "Bearer hunter2!"])
    let state = "\(await bench.host.state(of: bench.session) ?? nil)"
    #expect(state.contains("moon.lock.open: (secret) is refused"))
    #expect(!state.contains("hunter2"))
    #expect(!"\(await bench.host.history(of: bench.session))".contains("hunter2"))
    let name = try #require(ModuleName("m"))
    let settings = await bench.host.perform { host in host.settings(of: name).map { "\($0)" } }
    #expect(!"\(settings)".contains("hunter2"))
  }
}
