import MoonTerminal
import Moonwire

/// The command `:resume`, which ends the suspension of modules.
struct ResumeCommand: ModuleCommand {
  static let manual = CommandManual(
    name: "resume", arguments: "[module]",
    summary: "resumes one suspended module, or all of them",
    example: ":resume todo")

  let module: String?

  init(_ module: String?) { self.module = module }

  func run(
    on module: ModuleName?, in session: PromptSession
  ) async throws(PromptError) -> any PromptAnswer {
    let resumed = await session.host.perform { host in
      (module.map { [$0] } ?? host.moduleInfos().map(\.name)).filter { host.resume($0) }
    }
    if let module, resumed.isEmpty { throw .notSuspended(module) }
    return Answer(modules: resumed)
  }

  private struct Answer: PromptAnswer {
    let modules: [ModuleName]

    /// Returns no lines, since an event reports each module.
    func lines(_ layout: TextLayout) -> [String] {
      modules.isEmpty ? [layout.dim("no module is suspended")] : []
    }

    var record: Map? {
      ["kind": "resume", "modules": JSONRecord.list(modules) { JSONRecord.text($0.text) }]
    }
  }
}
