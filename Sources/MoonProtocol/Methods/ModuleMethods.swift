import MoonAuthoring
import MoonPrompt
import MoonTerminal
import MoonTesting
import Moonwire

/// Methods about modules, what they may, and what they say.
enum ModuleMethods {
  static let all = [
    Method(
      "module/list", command: "modules",
      help: "lists the modules, their problems and their usage"),
    Method(
      "module/problems", result: "`problems`, a list of reports, with the `module` if it is known",
      help: "lists what is wrong with the modules that run"
    ) { call throws(ProtocolError) in
      let (modules, strays) = await call.host.perform { ($0.moduleInfos(), $0.strayProblems()) }
      let problems = modules.flatMap { module in
        module.problems.map { problem -> Value in
          var report = problem.report.value.mapValue ?? Map()
          report["module"] = .string(Text(module.name.text))
          return .map(report)
        }
      }
      return Method.Answer(
        ["problems": .list(List(problems + strays.map { $0.report.value }))])
    },
    Method(
      "module/check", result: "the record of `moonwire check`, and what it prints as `text`",
      help: "checks the modules' files, beside the modules that run"
    ) { call throws(ProtocolError) in
      let findings = try await inspecting(call) { (app) throws(InspectionError) in
        try await app.check()
      }
      var result = findings.record
      let lines = findings.text(.plain)
      result["text"] = .string(Text(lines.joined(separator: "\n")))
      return Method.Answer(.map(result))
    },
    Method(
      "test/run", [.init("pattern", "string?")],
      result: "`tests`, the records of `moonwire test`; `failed`, their number; `text`",
      help: "runs the tests of the modules, or those with a text in their names or paths"
    ) { call throws(ProtocolError) in
      let run = try await inspecting(call) { (app) throws(InspectionError) in
        try await app.testRun(matching: call.text("pattern"))
      }
      let tests = run.results
      let note = run.note.map { [$0.text(.plain)] } ?? []
      return Method.Answer([
        "tests": .list(List(tests.map { .map($0.record) })),
        "failed": .int(Int64(tests.failedCount)),
        "text": .string(Text((note + tests.lines(.plain)).joined(separator: "\n"))),
      ])
    },
    Method(
      "module/reload", [.init("module", "string?")], command: "reload",
      help: "reloads one module, or all of them"
    ) { parameters throws(ProtocolError) in try Methods.word("module", of: parameters) },
    Method(
      "module/resume", [.init("module", "string?")], command: "resume",
      help: "resumes one suspended module, or all of them"
    ) { parameters throws(ProtocolError) in try Methods.word("module", of: parameters) },
    Method(
      "grant/list", [.init("module", "string?")], command: "grants",
      help: "lists what modules request, and whether it is granted"
    ) { parameters throws(ProtocolError) in try Methods.word("module", of: parameters) },
    Method(
      "grant/give", [.init("module", "string"), .init("scope", "string?")], command: "grant",
      help: "grants a module a scope, or all that it requests, until the host ends"
    ) { parameters throws(ProtocolError) in try grant(parameters) },
    Method(
      "grant/revoke", [.init("module", "string"), .init("scope", "string?")], command: "revoke",
      help: "takes a scope back, or all that a module requests"
    ) { parameters throws(ProtocolError) in try grant(parameters) },
    Method(
      "log/list", [.init("count", "integer?")], command: "log",
      help: "returns the last lines of the log"
    ) { parameters throws(ProtocolError) in Methods.number("count", of: parameters) },
  ]

  private static func grant(_ parameters: Map) throws(ProtocolError) -> String {
    let module = try Methods.word("module", of: parameters)
    return "\(module) \(try Methods.word("scope", of: parameters))"
  }

  /// Uses the app that is loaded beside the running one.
  ///
  /// - Throws: ``ProtocolError`` with ``ProtocolError/Code/failed``
  private static func inspecting<R: Sendable>(
    _ call: MethodCall,
    _ body: @escaping @Sendable (AppInspection) async throws(InspectionError) -> R
  ) async throws(ProtocolError) -> R {
    guard let app = call.server.inspection else {
      throw ProtocolError(.failed, "this host can't load its app a second time")
    }
    let result = await call.connection.cancellable { () -> Result<R, InspectionError> in
      do throws(InspectionError) {
        let result = try await body(app)
        return Task.isCancelled ? .failure(.cancelled) : .success(result)
      } catch {
        return .failure(error)
      }
    }
    do throws(InspectionError) {
      return try result.get()
    } catch {
      if case .cancelled = error { throw ProtocolError(.cancelled) }
      throw ProtocolError(error.report)
    }
  }
}
