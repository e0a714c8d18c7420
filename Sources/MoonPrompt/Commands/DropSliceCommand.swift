import MoonTerminal
import Moonwire

/// The command `:drop-slice`, which deletes a slice that is put aside.
struct DropSliceCommand: PromptCommand {
  static let manual = CommandManual(
    name: "drop-slice", arguments: "module version",
    summary: "deletes a slice that is put aside", example: ":drop-slice todo 2")

  let slice: SliceName

  init(parsing arguments: PromptScanner) throws(PromptLineError) {
    slice = try SliceName(parsing: arguments, of: Self.manual)
  }

  static func completion(_ request: CompletionRequest) -> Completion { request.modules() }

  func run(in session: PromptSession) async throws(PromptError) -> any PromptAnswer {
    try await session.carryOut(.drop(slice.module, version: slice.version))
    return Answer(slice: slice)
  }

  private struct Answer: PromptAnswer {
    let slice: SliceName

    func lines(_ layout: TextLayout) -> [String] {
      [layout.dim("the slice of \(slice.module) with version \(slice.version) is deleted")]
    }

    var record: Map? {
      [
        "kind": "drop-slice", "module": JSONRecord.text(slice.module.text),
        "version": .int(slice.version),
      ]
    }
  }
}
