import MoonTerminal
import Moonwire

/// The command `:reload`, which reloads modules.
struct ReloadCommand: ModuleCommand {
  static let manual = CommandManual(
    name: "reload", arguments: "[module]", summary: "reloads one module, or all of them",
    example: ":reload todo")

  let module: String?

  init(_ module: String?) { self.module = module }

  func run(
    on module: ModuleName?, in session: PromptSession
  ) async throws(PromptError) -> any PromptAnswer {
    Answer(events: await session.host.reload(module))
  }

  private struct Answer: PromptAnswer {
    let events: [HostEvent]

    /// Returns no lines, since the events are shown as after a save.
    func lines(_ layout: TextLayout) -> [String] { [] }

    var hasFailures: Bool {
      events.contains { event in
        switch event {
        case .failed, .directoryLost, .fault, .dispatchFailed: true
        default: false
        }
      }
    }

    var record: Map? {
      let conflicts = events.flatMap { event -> [RouteConflict] in
        if case .conflicts(let conflicts) = event { conflicts } else { [] }
      }
      return [
        "kind": "reload", "modules": .list(List(events.compactMap(Self.record))),
        "warnings": JSONRecord.list(conflicts, RoutesRecord.conflict),
      ]
    }

    private static func record(_ event: HostEvent) -> Value? {
      switch event {
      case .reloaded(let reload):
        [
          "module": JSONRecord.text(reload.module.text), "generation": .int(Int64(reload.to)),
        ]
      case .started(let module):
        [
          "module": JSONRecord.text(module.name.text),
          "generation": .int(Int64(module.generation)),
        ]
      case .removed(let name): ["module": JSONRecord.text(name.text), "removed": true]
      case .failed(let name, let problems, _):
        [
          "module": name.map { JSONRecord.text($0.text) } ?? .null,
          "problems": JSONRecord.list(problems) { $0.report.value },
        ]
      default: nil
      }
    }
  }
}
