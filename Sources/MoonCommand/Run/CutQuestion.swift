import MoonTerminal
import Moonwire

/// The question to a person before an action cuts the timeline.
extension PromptLoop {
  /// Carries out a line; if it would cut the timeline, a person is asked first.
  func run(_ line: PromptLine) async throws(PromptError) -> any PromptAnswer {
    do throws(PromptError) {
      return try await line.run(in: session)
    } catch {
      guard let moment = error.moment, await mayCut(moment) else { throw error }
      _ = try await session.travelling("timeline") { (host, id) throws(TimelineError) in
        try host.carryOut(.cut, in: id)
      }
      return try await line.run(in: session)
    }
  }

  private func mayCut(_ moment: (position: Int, count: Int)) async -> Bool {
    guard source.author == .person, options.format == .text else { return false }
    let later = Wording.counted(moment.count - moment.position, "later step")
    let question =
      "paused at \(moment.position)/\(moment.count): forget \(later) and go on from here? [y/N] "
    guard case .success(.line(let text)) = await source.next(prompt: question) else { return false }
    return ["y", "yes"].contains(text.trimmingSpace.lowercased())
  }
}
