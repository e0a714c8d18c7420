import MoonTerminal
import Moonwire

/// The command `:restore-slice`, which replaces a module's slice by one that was put aside.
struct RestoreSliceCommand: PromptCommand {
  static let manual = CommandManual(
    name: "restore-slice", arguments: "module version",
    summary: "restores a slice that is put aside, and puts the current one aside",
    example: ":restore-slice todo 2")

  let slice: SliceName

  init(parsing arguments: PromptScanner) throws(PromptLineError) {
    slice = try SliceName(parsing: arguments, of: Self.manual)
  }

  static func completion(_ request: CompletionRequest) -> Completion { request.modules() }

  func run(in session: PromptSession) async throws(PromptError) -> any PromptAnswer {
    let before = await session.host.state(of: session.id) ?? .null
    try await session.carryOut(.restore(slice.module, version: slice.version))
    let after = await session.host.state(of: session.id) ?? .null
    return Answer(slice: slice, change: StateStep(from: before, to: after))
  }

  private struct Answer: PromptAnswer {
    let slice: SliceName
    let change: StateStep

    var step: StateStep? { change }
    var screenDisplay: ScreenDisplay { .whenNew }

    func lines(_ layout: TextLayout) -> [String] { layout.changes(change) }

    var record: Map? {
      [
        "kind": "restore-slice", "module": JSONRecord.text(slice.module.text),
        "version": .int(slice.version), "changes": JSONRecord.changes(change.changes),
      ]
    }
  }
}
