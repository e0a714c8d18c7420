import MoonTerminal
import Moonwire

/// The command `:slices`, which lists the slices that are put aside.
struct SlicesCommand: PromptCommand {
  static let manual = CommandManual(
    name: "slices", arguments: "[module]",
    summary: "lists the slices that are put aside, by the version they fit",
    example: ":slices todo")

  let module: String?

  init(_ module: String?) { self.module = module }

  init(parsing arguments: PromptScanner) throws(PromptLineError) {
    module = try arguments.moduleName()
  }

  static func completion(_ request: CompletionRequest) -> Completion { request.modules() }

  func run(in session: PromptSession) async throws(PromptError) -> any PromptAnswer {
    let slices = await session.host.keptSlices(of: session.id)
    // A removed module may have slices.
    return Answer(slices: slices.filter { module == nil || $0.module.text == module })
  }

  private struct Answer: PromptAnswer {
    let slices: [KeptSlice]

    func lines(_ layout: TextLayout) -> [String] {
      guard !slices.isEmpty else { return [layout.dim("no slice is put aside")] }
      return slices.map { slice in
        layout.style.paint("\(slice.module) \(slice.version)", .key)
          + "  \(layout.line(slice.value))"
      }
    }

    var record: Map? {
      [
        "kind": "slices",
        "slices": JSONRecord.list(slices) { slice in
          [
            "module": JSONRecord.text(slice.module.text), "version": .int(slice.version),
            "value": slice.value,
          ]
        },
      ]
    }
  }
}
