import Moonwire

extension PromptSession {
  /// Carries out a line; if it would follow from an earlier state, a person may have the timeline
  /// cut for it.
  ///
  /// `ask` shows a question and returns what was typed; it is nil if nobody can answer.
  ///
  /// - Throws: ``PromptError``
  package func run(
    _ line: PromptLine, asking ask: (@Sendable (_ question: String) async -> String?)?
  ) async throws(PromptError) -> any PromptAnswer {
    do throws(PromptError) {
      return try await line.run(in: self)
    } catch {
      guard let ask, let moment = error.moment else { throw error }
      let later = Wording.counted(moment.count - moment.position, "later step")
      let question =
        "paused at \(moment.position)/\(moment.count): forget \(later) and go on from here? [y/N] "
      let text = await ask(question) ?? ""
      guard ["y", "yes"].contains(text.trimmingSpace.lowercased()) else { throw error }
      try await cutTimeline()
      return try await line.run(in: self)
    }
  }
}
