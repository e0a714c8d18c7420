import Foundation
import MoonTestSupport
import Testing

/// The command, killed at every wait of a durable effect and resumed.
@Suite(.ownThread, .timeLimit(.minutes(5))) struct KilledFlowTests {
  /// The ten steps, each a request, and the one after which a person must agree.
  private static let steps = [
    "order", "pay", "check", "reserve", "pack", "label", "ship", "track", "bill", "thank",
  ]
  private static let busySteps = ["pay", "label", "bill"]
  private static let agreedStep = "check"

  private static let flow = """
    local moon = require "moonwire"
    return moon.module {
      needs = { "net:localhost" },
      settings = { shop = { "string", "Where the shop is", default = "" } },
      state = { steps = moon.list(), agreed = false },
      actions = { place = {}, note = { step = "string" }, agree = {} },
      reducers = {
        note = function(state, p) state.steps[#state.steps + 1] = p.step end,
        agree = function(state) state.agreed = true end,
      },
      effects = {
        place = {
          durable = true,
          run = function(_, self)
            for step in ("\(steps.joined(separator: " "))"):gmatch "%a+" do
              local answer
              repeat
                if answer then moon.sleep(0.01) end
                answer = moon.http.post(self.settings.shop .. "/" .. step, { json = { item = "tea" } })
              until answer.status ~= 503
              self.dispatch("note", { step = step })
              if step == "\(agreedStep)" then
                self.dispatch("note", { step = "waiting" })
                moon.take "flow/agree"
              end
            end
          end,
        },
      },
    }
    """

  /// A run of the command that the test kills.
  private final class KilledRun {
    private let child: ChildProcess
    private let typed = DescriptorPipe()
    private let shown = DescriptorPipe()

    init(_ arguments: [String], typing text: String) throws {
      child = try ChildProcess(
        Command.products.appending(path: "moonwire").path, arguments,
        environment: Command.environment,
        streams: (typed.reading, shown.writing, shown.writing))
      typed.closeReading()
      shown.closeWriting()
      // The input stays open, so that the program doesn't end by itself.
      try typed.write(text)
    }

    func read(upTo end: String) -> String { shown.read(upTo: end) }

    func kill() {
      child.end()
      _ = child.wait()
    }
  }

  @Test func `each step is asked for once and again only if it was cut off, with the same key`()
    async throws
  {
    let folder = try ScriptFolder(["flow.lua": Self.flow])
    let paths = Set(Self.busySteps.map { "/\($0)" })
    try await withCountingServer(busyAt: paths) { server in
      let options = [
        "run", "--no-watch", "--wait", "1000s", "--allow", "net:localhost", "--set",
        "flow.shop=\(server.url)", "--data", folder.path("../data"),
      ]
      let journal = folder.path("../journal")
      for (index, step) in Self.steps.enumerated() {
        server.hold("/\(step)")
        let keeping = index == 0 ? ["--journal", journal] : ["--resume", journal]
        let isAgreed = index > 0 && Self.steps[index - 1] == Self.agreedStep
        let run = try KilledRun(
          options + keeping + [folder.root],
          typing: index == 0 ? "flow/place\n" : isAgreed ? "flow/agree\n" : "")
        await server.isAsked()
        run.kill()
        guard step == Self.agreedStep else { continue }
        server.hold(nil)
        let waiting = try KilledRun(options + ["--resume", journal, folder.root], typing: "")
        #expect(waiting.read(upTo: "waiting").contains(step))
        waiting.kill()
      }
      server.hold(nil)
      let (output, code) = try Command.run(
        options + ["--resume", journal, folder.root], input: "= state(\"flow.steps\")\n:tasks\n")
      let noted = Self.steps.flatMap { $0 == Self.agreedStep ? [$0, "waiting"] : [$0] }
      #expect(
        output.contains("[\(noted.map { "\"\($0)\"" }.joined(separator: ", "))]"), "\(output)")
      #expect(output.hasSuffix("no task runs\n"), "\(output)")
      #expect(code == 0)
      check(server)
    }
  }

  /// A durable effect whose payments are commands, of its own module and of another one.
  private static let callers = """
    local moon = require "moonwire"
    return moon.module {
      needs = { "net:localhost" },
      settings = { shop = { "string", "Where the shop is", default = "" } },
      state = { steps = moon.list() },
      actions = { place = {}, note = { step = "string" } },
      commands = {
        pay = function(p, self)
          return moon.http.post(self.settings.shop .. p.path, { json = { key = p.key } }).status
        end,
      },
      reducers = { note = function(state, p) state.steps[#state.steps + 1] = p.step end },
      effects = {
        place = {
          durable = true,
          run = function(_, self)
            for _, name in ipairs { "flow", "bank" } do
              local path = "/" .. name
              local status = self.call(name .. "/pay", { path = path, key = self.task.key })
              self.dispatch("note", { step = name .. " " .. status })
            end
          end,
        },
      },
    }
    """

  @Test func `a command that was cut off is called again, and asks with the same key`()
    async throws
  {
    let folder = try ScriptFolder(["flow.lua": Self.callers, "bank.lua": Self.callers])
    try await withCountingServer(busyAt: []) { server in
      let options = [
        "run", "--no-watch", "--wait", "1000s", "--allow", "net:localhost", "--set",
        "flow.shop=\(server.url)", "--set", "bank.shop=\(server.url)",
      ]
      let journal = folder.path("../journal")
      for (index, path) in ["/flow", "/bank"].enumerated() {
        server.hold(path)
        let run = try KilledRun(
          options + [index == 0 ? "--journal" : "--resume", journal, folder.root],
          typing: index == 0 ? "flow/place\n" : "")
        await server.isAsked()
        run.kill()
      }
      server.hold(nil)
      let (output, code) = try Command.run(
        options + ["--resume", journal, folder.root], input: "= state(\"flow.steps\")\n:tasks\n")
      #expect(output.contains(#"["flow 200", "bank 200"]"#), "\(output)")
      #expect(output.hasSuffix("no task runs\n"), "\(output)")
      #expect(code == 0)
      for path in ["/flow", "/bank"] {
        let keys = server.keys(of: path)
        #expect(keys.count == 2 && Set(keys).count == 1 && keys.first != "none", "\(keys)")
      }
    }
  }

  private func check(_ server: CountingServer) {
    for step in Self.steps {
      let keys = server.keys(of: "/\(step)")
      // A call that was answered isn't made again; the one that was cut off is.
      #expect(keys.count == (Self.busySteps.contains(step) ? 3 : 2), "\(step): \(keys)")
      #expect(Set(keys.suffix(2)).count == 1, "\(step): \(keys)")
      #expect(Set(keys).count == keys.count - 1, "\(step): \(keys)")
    }
    let all = Self.steps.flatMap { Set(server.keys(of: "/\($0)")) }
    #expect(Set(all).count == Self.steps.count + Self.busySteps.count)
  }
}
