import Moonwire

/// The command `:undo`, which undoes what a person did last.
struct UndoCommand: PromptCommand {
  static let manual = CommandManual(
    name: "undo",
    summary: "undoes the last action that no module dispatched, and everything after it")

  init() {}

  init(parsing arguments: PromptScanner) throws(PromptLineError) {
    try arguments.checkEnd(after: Self.manual)
  }

  func run(in session: PromptSession) async throws(PromptError) -> any PromptAnswer {
    let before = await session.host.timeline(of: session.id)
    let answer = try await session.travelling(Self.manual.name) {
      (host, id) throws(TimelineError) in try host.undo(in: id)
    }
    let undone = before?.steps(notIn: answer.timeline) ?? []
    let rest = undone.count > 1 ? " and \(Wording.counted(undone.count - 1, "later step"))" : ""
    return TimelineAnswer(
      kind: answer.kind, outcome: answer.outcome, timeline: answer.timeline,
      note: undone.first.map { "took back \($0.title)\(rest)" })
  }
}
