import MoonPrompt
import MoonTerminal
import Moonwire

/// The question to a person whether the timeline may be cut, so that an action can follow from an
/// earlier state.
struct TimelineCutQuestion: Sendable {
  let session: PromptSession
  let source: LineSource
  let format: OutputFormat

  /// Asks if an error says that the session stands at an earlier state, and cuts the timeline if a
  /// person agrees; returns whether it is cut.
  ///
  /// - Throws: ``PromptError/timeline(_:)``
  func cutsTimeline(after error: PromptError) async throws(PromptError) -> Bool {
    guard let moment = error.moment, await isAgreed(moment) else { return false }
    try await session.cutTimeline()
    return true
  }

  private func isAgreed(_ moment: (position: Int, count: Int)) async -> Bool {
    guard source.author == .person, format == .text else { return false }
    let later = Wording.counted(moment.count - moment.position, "later step")
    let question =
      "paused at \(moment.position)/\(moment.count): forget \(later) and go on from here? [y/N] "
    guard case .success(.line(let text)) = await source.next(prompt: question) else { return false }
    return ["y", "yes"].contains(text.trimmingSpace.lowercased())
  }
}
