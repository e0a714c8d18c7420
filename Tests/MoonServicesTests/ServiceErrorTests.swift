import MoonTestSupport
import Moonwire
import Testing

@testable import MoonServices

/// What the errors of services say and don't say.
@Suite(.timeLimit(.minutes(2))) struct ServiceErrorTests {
  @Test(arguments: [
    "return moon.json.decode 'x'", "return moon.uri.parse 'http://['",
    "return moon.entities.memory(5)", "return moon.storage.transaction(5)",
    "return moon.files.read 'other/x'", "return moon.env.get 'HOME'", "return moon.sleep 'x'",
  ])
  func `an error of what an effect returns has a place in the module`(effect: String) async throws {
    let bench = try await EffectBench(effect, services: Service.standard, needs: [])
    let outcome = try await bench.host.dispatch(Action("m/go"), to: bench.session)
    let rest = await bench.host.waitForTasks(in: bench.session, within: .seconds(60))
    let faults = outcome.faults + rest.faults
    #expect(faults.count == 1)
    #expect(faults.first?.place?.file == "m.lua")
    // No other place than the module's is in the text.
    let text = faults.map { "\($0)" }.joined()
    #expect(text.contains("moon.") && text.ranges(of: ".lua:").count == 1, "\(text)")
    await bench.host.close()
  }

  @Test func `so has one of what a reducer returns, and one of a command its code`() async throws {
    let folder = try ScriptFolder([
      "r.lua": """
      local moon = require "moonwire"
      return { state = {},
        reducers = { go = function() return moon.uri.parse "http://[" end },
        commands = { go = function() return moon.json.decode "x" end } }
      """
    ])
    let bench = try await EffectBench(
      """
      local done, problem = pcall(self.call, "r/go")
      tell(done, tostring(problem))
      """, services: Service.standard, needs: [], in: folder)
    do throws(DispatchError) {
      try await bench.host.dispatch(Action("r/go"), to: bench.session)
      Issue.record("no fault")
    } catch {
      guard case .fault(let fault) = error else {
        Issue.record("\(error)")
        return
      }
      #expect(fault.place?.file == "r.lua")
      #expect(!"\(fault)".contains("services.lua"), "\(fault)")
    }
    try await bench.start()
    let told = try await bench.finish()
    #expect(told.count == 1)
    #expect(told.first?.contains("r.lua") == true, "\(told)")
    #expect(told.first?.contains("services.lua") == false)
    await bench.host.close()
  }

  @Test(arguments: [
    "moon.json.decode(key)", "moon.json.decode('[\"' .. key .. '\", ]')",
    "moon.json.decode('{\"' .. key .. '\": 1, \"' .. key .. '\": 2}')", "moon.uri.parse(key)",
    "moon.time.parse(key)", "moon.time.parse(key .. key .. key .. key)",
  ])
  func `no error shows a part of a secret`(call: String) async throws {
    let secret = "Quirk:[//x"
    let folder = try ScriptFolder([
      "s.lua": """
      local moon = require "moonwire"
      return { settings = { key = { "string", secret = true } }, state = {},
        effects = { go = function(_, self)
          local key = self.settings.key
          local done, problem = pcall(function() return (\(call)) end)
          self.dispatch("m/tell", { text = tostring(done) .. tostring(problem) })
        end } }
      """
    ])
    let bench = try await EffectBench("", services: Service.standard, needs: [], in: folder) {
      $0.settings = SettingSource { _, _ in .init(.text(secret), from: "the test") }
    }
    try await bench.host.dispatch(Action("s/go"), to: bench.session)
    let told = try await bench.finish()
    #expect(told.count == 1 && told.first?.hasPrefix("false") == true, "\(told)")
    let text = told.joined()
    #expect(!text.contains("Q") && !text.contains("uirk"), "\(text)")
    #expect(text.contains("malformed") || text.contains("(secret)") || text.contains("secret"))
    await bench.host.close()
  }

  @Test func `before a commit there is no clock that a replay couldn't repeat`() async throws {
    let folder = try ScriptFolder([
      "w.lua": """
      local moon = require "moonwire"
      return { middleware = { on = "m/go", run = function(action, state, self)
        local done, problem = pcall(moon.time.monotonic)
        self.dispatch("m/tell", { text = done and "done" or problem.code })
      end } }
      """
    ])
    let bench = try await EffectBench(
      "tell(moon.time.monotonic() >= 0)", services: Service.standard, needs: [], in: folder)
    try await bench.start()
    #expect(try await bench.finish().sorted() == ["not_here", "true"])
    await bench.host.close()
  }
}
